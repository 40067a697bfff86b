// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Points that take as many bytes as points can: no number is whole, and none is like another.
#pragma once

#include "models/system/historypoint.h"

namespace outbox::sample {

/// All points of one tier that begin in [from, to), which are multiples of its width.
[[nodiscard]] inline QList<HistoryPoint> largestPoints(HistoryTier tier, qint64 from, qint64 to)
{
    QList<HistoryPoint> points;
    for (qint64 at = from; at < to; at += factsOf(tier).width) {
        HistoryPoint point;
        point.at = at;
        for (size_t i = 0; i < measureCount; ++i) {
            const double value = static_cast<double>(at % 86'400) / 7 + static_cast<double>(i) / 3;
            point.values.at(i) = {value, value + 0.1, true};
        }
        points += point;
    }
    return points;
}

/// The same of all tiers.
[[nodiscard]] inline HistoryPoints largestPoints(qint64 from, qint64 to)
{
    HistoryPoints points;
    for (const HistoryTier tier : historyTiers)
        points.of(tier) = largestPoints(tier, from, to);
    return points;
}

} // namespace outbox::sample
