// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `fleet`: saved systems looked at together, and one message asked for in all of them.
#pragma once

#include "app/system/fleet/fleetreading.h"
#include "models/payload/payloadmasks.h"
#include "models/system/systemview.h"

#include <QJsonObject>
#include <QList>
#include <QString>

#include <optional>

namespace outbox {

/// What one system has of a message.
struct FleetAnswer
{
    QString name;
    QString group;
    QString table; ///< of the outbox; empty where it is not known
    IdVerdict found; ///< its row and its task, neither judged
    std::optional<Error> error; ///< why it, or one of its servers, could not be asked
    /// The key alone does not name the task of a row that is gone, and the keys of Redis are not
    /// searched for it.
    bool needsTaskId = false;
    PayloadMasks masks = PayloadMasks::none(); ///< those of the system

    [[nodiscard]] bool hasIt() const { return found.row || found.task; }
};

/// Looks at each system once, at most `mostRoomsOfFleet` at a time; in the order of their trouble,
/// worst first. Blocking, in the main thread.
[[nodiscard]] QList<FleetReading> readFleet(const QList<FleetSystem> &systems);

/// Asks each system for the row with this key and for the task, in the order of `systems`. A task
/// without a row is a system's where it stands in the queue of its profile; where it stands in that
/// of none of them, the task of each whose rows may have its id. Blocking, in the main thread.
[[nodiscard]] QList<FleetAnswer> findInFleet(const QList<FleetSystem> &systems,
                                             const MessageId &id);

/// The object of `status --json` with the system's name and group, and with its error.
[[nodiscard]] QJsonObject fleetJson(const FleetReading &reading);
[[nodiscard]] QJsonObject fleetJson(const FleetTotals &totals);
/// Row and task as `show --json` tells them.
[[nodiscard]] QJsonObject fleetJson(const FleetAnswer &answer);

/// For people: a line for each system that is not well, or for `all`; how many are well; totals.
[[nodiscard]] QString fleetText(const QList<FleetReading> &readings, bool all);
/// For people: where it is, and who could not be asked.
[[nodiscard]] QString fleetText(const QList<FleetAnswer> &answers);

} // namespace outbox
