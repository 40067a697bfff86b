// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The systems of a fleet, as they are saved, and one look at each.
#pragma once

#include "app/system/fleet/systemreading.h"
#include "app/system/sources/target.h"
#include "models/health/fleet.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <functional>
#include <optional>

namespace outbox {

/// A saved system; one whose profile cannot be read has no name, and why stands in `target`.
struct FleetSystem
{
    QString name;
    QString group;
    Result<Target> target;

    bool operator==(const FleetSystem &) const = default;
};

/// What is saved.
struct SavedFleet
{
    QList<FleetSystem> systems;
    QStringList ofDocuments; ///< names of those that have no table to look at
};

/// `problems` are the profiles that could not be read; `warn` is told the name of a profile with a
/// password in an address.
[[nodiscard]] SavedFleet savedFleet(const QList<Profile> &profiles, const QList<Error> &problems,
                                    const QString &stateFolder,
                                    const std::function<void(const QString &name)> &warn);

/// One look at a system, judged as `check` does.
struct FleetReading
{
    QString name;
    QString group;
    SystemReading look;
    std::optional<Error> error; ///< why it, or one of its servers, could not be read
};

/// What was looked at of a system. A server that its profile does not name is no error.
[[nodiscard]] FleetReading fleetReadingOf(const FleetSystem &system, const SystemReading &look);
/// One of a system that could not even be begun with: its `target` is an error.
[[nodiscard]] FleetReading unreadSystem(const FleetSystem &system);

/// What is shown of it.
[[nodiscard]] FleetLine fleetLineOf(const FleetReading &reading);
/// That of a system before the first look.
[[nodiscard]] FleetLine fleetLineOf(const FleetSystem &system);

[[nodiscard]] FleetTotals totalsOf(const QList<FleetReading> &readings);

} // namespace outbox
