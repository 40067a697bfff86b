// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Many systems beside each other: which is in most trouble, and how many are well. Pure.
#pragma once

#include "models/health/health.h"

#include <QDateTime>
#include <QHash>
#include <QList>
#include <QString>

#include <optional>

namespace outbox {

/// What is shown of one system beside the others.
struct FleetLine
{
    QString key; ///< its name, or what tells it from others where it has none
    QString name;
    QString group;
    HealthReport report;
    std::optional<double> oldestPendingSeconds;
    std::optional<qint64> waiting; ///< rows that could go now
    bool isWaitingExact = true;
    std::optional<qint64> dead; ///< tasks of its queue that failed for good; nullopt: not known
    std::optional<qint64> depth; ///< tasks of its queue that are not done, the dead ones apart
    bool isDepthExact = true;
    QDateTime at; ///< of the look, our clock, UTC; invalid: there was none yet

    bool operator==(const FleetLine &) const = default;
};

/// Worse first: by level, then what the report's causes say of lost data and of a stopped relay,
/// then how many times its limit the oldest row is old, dead tasks, growth, age, name. A strict
/// order.
[[nodiscard]] bool comesBefore(const FleetLine &one, const FleetLine &other,
                               const HealthLimits &limits = {});

/// What a person wants to see of the lines.
struct FleetFilter
{
    QString group; ///< empty: all
    QString text; ///< a part of the name, the group or the sentence, in any case; empty: all

    [[nodiscard]] bool fits(const FleetLine &line) const;
    bool operator==(const FleetFilter &) const = default;
};

/// The order of the lines on a page: worst first, and calm. It changes at most every 10 s, once
/// each system was looked at; those that come meanwhile stand behind the others.
class FleetOrder
{
public:
    static constexpr qint64 restMs = 10'000;

    /// `lines` in their order at `now`.
    [[nodiscard]] QList<FleetLine> arranged(const QList<FleetLine> &lines, const QDateTime &now);

private:
    QHash<QString, qsizetype> m_places; ///< by key
    QDateTime m_changed; ///< invalid: some were not looked at yet
};

/// How many systems are at which level.
struct FleetTotals
{
    qsizetype systems = 0;
    qsizetype ok = 0;
    qsizetype watch = 0;
    qsizetype stalled = 0;
    qsizetype broken = 0;
    qsizetype unknown = 0;
    HealthLevel worst = HealthLevel::Unknown; ///< also of no system at all

    void add(HealthLevel level);
    bool operator==(const FleetTotals &) const = default;
};

} // namespace outbox
