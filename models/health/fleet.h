// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Many systems beside each other: which is in most trouble, and how many are well. Pure.
#pragma once

#include "models/health/health.h"

#include <QString>

#include <optional>

namespace outbox {

/// What decides the place of one system among the others.
struct FleetPlace
{
    QString name;
    HealthReport report;
    std::optional<double> oldestPendingSeconds;
    qint64 dead = 0; ///< tasks of its queue that failed for good

    bool operator==(const FleetPlace &) const = default;
};

/// Worse first: by level, then what the report's causes say of lost data and of a stopped relay,
/// then how many times its limit the oldest row is old, dead tasks, growth, age, name. A strict
/// order.
[[nodiscard]] bool comesBefore(const FleetPlace &one, const FleetPlace &other,
                               const HealthLimits &limits = {});

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
