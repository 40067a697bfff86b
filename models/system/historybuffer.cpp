// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/system/historybuffer.h"

#include <utility>

namespace outbox {

namespace {

constexpr qsizetype mostHeldPoints = 900; ///< of each tier: a quarter of an hour in seconds

} // namespace

void HistoryBuffer::add(const QDateTime &at, Measure measure, std::optional<double> value)
{
    const qint64 second = at.toSecsSinceEpoch();
    for (const HistoryTier tier : historyTiers) {
        const qint64 begin = second - second % factsOf(tier).width;
        HistoryPoint &point = m_tiers.at(static_cast<size_t>(tier))[begin];
        point.at = begin;
        ValueRange &range = point.of(measure);
        if (value)
            range.add(*value);
        else
            range.missed = true;
    }
}

HistoryPoints HistoryBuffer::take()
{
    HistoryPoints points;
    for (const HistoryTier tier : historyTiers)
        points.of(tier) = std::exchange(m_tiers.at(static_cast<size_t>(tier)), {}).values();
    points.events = std::exchange(m_events, {});
    return points;
}

bool HistoryBuffer::putBack(const HistoryPoints &points)
{
    bool areAllHeld = true;
    for (const HistoryEvent &event : points.events)
        addInOrder(m_events, event);
    for (const HistoryTier tier : historyTiers) {
        QMap<qint64, HistoryPoint> &held = m_tiers.at(static_cast<size_t>(tier));
        for (const HistoryPoint &point : points.of(tier)) {
            HistoryPoint &joined = held[point.at];
            joined.at = point.at;
            joined.add(point);
        }
        for (; held.size() > mostHeldPoints; areAllHeld = false)
            held.erase(held.begin());
    }
    return areAllHeld;
}

} // namespace outbox
