// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What was seen of each number in one piece of time, and what happened meanwhile, as it is kept
// between two runs.
#pragma once

#include "models/system/historyevent.h"

#include <QList>
#include <QtGlobal>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace outbox {

/// The remembered numbers. In is told by the outbox, Out by the queues. Rates are in messages a
/// second, Lag in seconds, the rest are counts.
enum class Measure {
    Lag,
    Backlog, ///< rows not yet delivered: pending, waiting and locked
    Pending,
    In,
    Out,
    QueuePending,
    QueueActive,
    QueueScheduled,
    QueueRetry,
    QueueDead,
    QueueDepth, ///< all of the queue that is not done
};
inline constexpr size_t measureCount = static_cast<size_t>(Measure::QueueDepth) + 1;

/// Those that a look at the outbox tells.
inline constexpr std::array outboxMeasures{Measure::Lag, Measure::Backlog, Measure::Pending,
                                           Measure::In};
/// Those that a look at the queues tells.
inline constexpr std::array queueMeasures{
    Measure::Out,        Measure::QueuePending, Measure::QueueActive, Measure::QueueScheduled,
    Measure::QueueRetry, Measure::QueueDead,    Measure::QueueDepth};

/// The smallest and the largest value of one number, which is what a chart draws of it.
struct ValueRange
{
    double low = std::numeric_limits<double>::quiet_NaN(); ///< NaN: no value is known
    double high = std::numeric_limits<double>::quiet_NaN();
    bool missed = false; ///< it was asked for and not known, once at least

    [[nodiscard]] bool isKnown() const { return !std::isnan(low); }
    void add(double value)
    {
        high = isKnown() ? std::max(high, value) : value;
        low = isKnown() ? std::min(low, value) : value;
    }
    void add(const ValueRange &other)
    {
        missed = missed || other.missed;
        if (!other.isKnown())
            return;
        add(other.low);
        add(other.high);
    }
    bool operator==(const ValueRange &other) const
    {
        const bool isAlike = isKnown() ? low == other.low && high == other.high : !other.isKnown();
        return isAlike && missed == other.missed;
    }
};

struct HistoryPoint
{
    qint64 at = 0; ///< where its time begins, in seconds since 1970 (UTC)
    std::array<ValueRange, measureCount> values; ///< by Measure

    [[nodiscard]] ValueRange &of(Measure measure)
    {
        return values.at(static_cast<size_t>(measure));
    }
    [[nodiscard]] const ValueRange &of(Measure measure) const
    {
        return values.at(static_cast<size_t>(measure));
    }
    void add(const HistoryPoint &other)
    {
        for (size_t i = 0; i < measureCount; ++i)
            values.at(i).add(other.values.at(i));
    }
    bool operator==(const HistoryPoint &) const = default;
};

/// How fine a point is.
enum class HistoryTier { Second, Minute, Quarter };
inline constexpr std::array historyTiers{HistoryTier::Second, HistoryTier::Minute,
                                         HistoryTier::Quarter};

struct HistoryTierFacts
{
    qint64 width; ///< seconds of one point
    qint64 kept; ///< seconds after which a point is forgotten
};

[[nodiscard]] constexpr HistoryTierFacts factsOf(HistoryTier tier)
{
    constexpr qint64 day = 86'400;
    switch (tier) {
    case HistoryTier::Second:
        return {1, day};
    case HistoryTier::Minute:
        return {60, 30 * day};
    case HistoryTier::Quarter:
        break;
    }
    return {900, 30 * day};
}

/// Points of each tier, which grow in time. All tiers tell of the same looks.
struct HistoryPoints
{
    std::array<QList<HistoryPoint>, historyTiers.size()> tiers; ///< by HistoryTier
    QList<HistoryEvent> events; ///< what happened meanwhile, oldest first

    [[nodiscard]] QList<HistoryPoint> &of(HistoryTier tier)
    {
        return tiers.at(static_cast<size_t>(tier));
    }
    [[nodiscard]] const QList<HistoryPoint> &of(HistoryTier tier) const
    {
        return tiers.at(static_cast<size_t>(tier));
    }
    bool operator==(const HistoryPoints &) const = default;
};

} // namespace outbox
