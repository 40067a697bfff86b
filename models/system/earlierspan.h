// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The same span a day or a week earlier: which time that is, and what is to be read for it.
#pragma once

#include "models/system/historypoint.h"
#include "models/system/timeseries.h"

#include <QDateTime>
#include <QList>
#include <QString>

#include <optional>

namespace outbox {

/// What stands behind the lines of charts.
enum class Earlier { Nothing, Day, Week };

[[nodiscard]] QString word(Earlier earlier); ///< "none", "day", "week"
[[nodiscard]] QString label(Earlier earlier); ///< "yesterday", "a week before"
[[nodiscard]] std::optional<Earlier> earlierFromWord(QStringView text);

/// How many milliseconds lie between `at` and the same time of the clock on the wall a day or a
/// week before: where clocks are put forward or back that are not 24 hours.
[[nodiscard]] qint64 earlierByMs(Earlier earlier, const QDateTime &at);

/// Points of the kept history, see `HistoryStore::read`.
struct EarlierQuestion
{
    HistoryTier tier = HistoryTier::Minute;
    qint64 from = 0; ///< seconds since 1970, UTC
    qint64 to = 0; ///< behind the last

    bool operator==(const EarlierQuestion &) const = default;
};

/// What has to be read to show [from, to) of a time that is `byMs` earlier: at most 3,100 points.
/// The same for a quarter of an hour, so that a chart that goes on does not ask each time.
[[nodiscard]] EarlierQuestion earlierQuestion(const QDateTime &from, const QDateTime &to,
                                              qint64 byMs);

/// Lines of the earlier time at the places of the later one.
[[nodiscard]] QList<LineSegment> laterBy(QList<LineSegment> lines, qint64 byMs);

} // namespace outbox
