// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Numbers, durations, sizes and times in a filter, as a person writes them.
#pragma once

#include "models/result.h"

#include <QDateTime>
#include <QString>

namespace outbox {

/// Seconds of `90s`, `5m`, `2h`, `30d` (`1.5h` too). Fails with Invalid.
[[nodiscard]] Result<double> secondsOf(const QString &text, int position = 0);
/// Bytes of `300`, `10k`, `2M`, `1G`, by thousands. Fails with Invalid.
[[nodiscard]] Result<double> bytesOf(const QString &text, int position = 0);
/// A plain number such as `3` or `-0.5`. Fails with Invalid.
[[nodiscard]] Result<double> numberOf(const QString &text, int position = 0);

/// What a time as coarse as `today` or `14:02` stands for.
struct Moments
{
    QDateTime begin; ///< belongs to it
    QDateTime end; ///< does not belong to it
    bool isSpan = false; ///< `-15m`: from then until now

    bool operator==(const Moments &) const = default;
};

/// Reads `today`, `yesterday`, `14:02`, `2026-11-21`, `2026-11-21T14:02:11Z` and `-15m`. `now` is
/// what they count from, and its zone that of times that name none. Fails with Invalid.
[[nodiscard]] Result<Moments> momentsOf(const QString &text, const QDateTime &now,
                                        int position = 0);
/// The begin of such a time; reads `now`, too. Fails with Invalid.
[[nodiscard]] Result<QDateTime> beginOf(const QString &text, const QDateTime &now);

} // namespace outbox
