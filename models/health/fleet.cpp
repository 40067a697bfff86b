// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/health/fleet.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <tuple>
#include <utility>

namespace outbox {

namespace {

bool hasCause(const HealthReport &report, std::initializer_list<HealthReason> reasons)
{
    return std::any_of(
        report.causes.cbegin(), report.causes.cend(), [&reasons](const HealthCause &cause) {
            return std::find(reasons.begin(), reasons.end(), cause.reason) != reasons.end();
        });
}

/// Within one level; the larger one is worse.
auto troubleOf(const FleetLine &line, const HealthLimits &limits)
{
    using enum HealthReason;
    const double oldest = line.oldestPendingSeconds.value_or(0);
    const bool hasLost = hasCause(line.report, {RedisLostRecords});
    const bool isStopped
        = hasCause(line.report, {RelayFailed, RelayBackingOff, RelayStopped, Stalled});
    // Whole times of the limit: below it no age outweighs a dead task.
    const auto timesTooOld = static_cast<qint64>(std::floor(oldest / limits.oldestPending));
    return std::tuple(hasLost, isStopped, timesTooOld, line.dead.value_or(0),
                      hasCause(line.report, {Growing}), oldest);
}

} // namespace

bool comesBefore(const FleetLine &one, const FleetLine &other, const HealthLimits &limits)
{
    if (one.report.level != other.report.level)
        return isWorse(one.report.level, other.report.level);
    const auto left = troubleOf(one, limits);
    const auto right = troubleOf(other, limits);
    if (left > right || right > left)
        return left > right;
    return one.name < other.name;
}

bool FleetFilter::fits(const FleetLine &line) const
{
    if (!group.isEmpty() && line.group != group)
        return false;
    const auto holds
        = [this](const QString &whole) { return whole.contains(text, Qt::CaseInsensitive); };
    return holds(line.name) || holds(line.group) || holds(line.report.sentence);
}

QList<FleetLine> FleetOrder::arranged(const QList<FleetLine> &lines, const QDateTime &now)
{
    QList<FleetLine> sorted = lines;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const FleetLine &one, const FleetLine &other) {
                         if (one.at.isValid() != other.at.isValid())
                             return one.at.isValid();
                         return comesBefore(one, other);
                     });
    const auto remember = [this, &sorted] {
        m_places.clear();
        for (const FleetLine &line : std::as_const(sorted))
            m_places.insert(line.key, m_places.size());
    };
    const bool areAllSeen = std::all_of(sorted.cbegin(), sorted.cend(),
                                        [](const FleetLine &line) { return line.at.isValid(); });
    if (!areAllSeen) {
        m_changed = {};
        remember();
        return sorted;
    }
    const auto isBefore = [this](const FleetLine &one, const FleetLine &other) {
        return m_places.value(one.key, m_places.size())
            < m_places.value(other.key, m_places.size());
    };
    const bool rests
        = m_changed.isValid() && m_changed.msecsTo(now) >= 0 && m_changed.msecsTo(now) < restMs;
    if (rests)
        std::stable_sort(sorted.begin(), sorted.end(), isBefore);
    else if (!std::is_sorted(sorted.cbegin(), sorted.cend(), isBefore))
        m_changed = now;
    remember();
    return sorted;
}

void FleetTotals::add(HealthLevel level)
{
    if (systems == 0 || isWorse(level, worst))
        worst = level;
    ++systems;
    switch (level) {
    case HealthLevel::Ok:
        ++ok;
        break;
    case HealthLevel::Watch:
        ++watch;
        break;
    case HealthLevel::Stalled:
        ++stalled;
        break;
    case HealthLevel::Broken:
        ++broken;
        break;
    case HealthLevel::Unknown:
        ++unknown;
        break;
    }
}

} // namespace outbox
