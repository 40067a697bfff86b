// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A search through all rows of an outbox: how far it has come.
#pragma once

#include "models/message/message.h"
#include "models/result.h"

#include <QDateTime>

#include <algorithm>
#include <optional>

namespace outbox {

/// Where a place that a search has come to begins with it, no page goes on from there, but another
/// search does.
inline constexpr QLatin1StringView searchMark("key:");

/// How far a search has come. Each row that stood there all the time is found once.
struct RowSearchState
{
    enum class Phase {
        Running,
        Cancelled, ///< by a person; it can go on
        Full, ///< so much was found that it stopped; it can go on
        TooMany, ///< it stopped for good: more is not held
        Failed, ///< `error` tells why; it can go on
        Done
    };
    Phase phase = Phase::Running;
    qint64 searched = 0;
    qint64 found = 0;
    qint64 undecided = 0;
    bool byPages = true; ///< the newest ones first
    double runMs = 0; ///< time that it ran, its rests included
    double databaseMs = 0; ///< time that the database worked for it
    double longestMs = 0; ///< the longest statement
    QDateTime at; ///< of the last slice; our clock, UTC
    std::optional<Error> error;

    [[nodiscard]] bool mayGoOn() const
    {
        return phase == Phase::Cancelled || phase == Phase::Full || phase == Phase::Failed;
    }
    /// Of the time that it ran: how much the database worked for it, 0 to 1.
    [[nodiscard]] double share() const { return runMs > 0 ? std::min(1.0, databaseMs / runMs) : 0; }
    /// Until all of `total` rows are searched at this pace; nullopt where that cannot be told.
    [[nodiscard]] std::optional<double> secondsLeft(qint64 total) const
    {
        if (searched <= 0 || total <= searched || runMs < 1000)
            return std::nullopt;
        return runMs / 1000 / double(searched) * double(total - searched);
    }

    bool operator==(const RowSearchState &) const = default;
};

} // namespace outbox
