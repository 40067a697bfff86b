// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Looks up the tasks that an operator pointed at.
// Errors: those of the inspector, and Invalid for a filter that cannot be understood.
#pragma once

#include "app/operations/core/operatorsession.h"
#include "models/operations/plan.h"
#include "models/operations/selection.h"
#include "models/result.h"

#include <QList>
#include <QStringList>

namespace outbox {

/// The queue that a selection speaks of: its own, else the profile's.
[[nodiscard]] QueueName queueOf(const OperatorSession &session, const Selection &selection);
/// The tasks of a selection: by id, else by its filter, state by state. Tasks that move while the
/// pages are read may be missed or seen in the state that they have left; the act finds out. The
/// items have everything but what is expected of them. `warnings` takes sentences about what was
/// left out: where more tasks match than a plan may freeze, and whose payloads do not tell.
[[nodiscard]] Result<QList<PlanItem>>
readTasksOf(OperatorSession &session, const Selection &selection, QStringList &warnings);

/// A stub, an orphan, a key of the wrong type, or a message that cannot be decoded.
[[nodiscard]] bool isDamaged(const TaskSeen &task);
/// Nothing but a message that cannot be decoded, in a place where it can be found.
[[nodiscard]] bool isUnreadable(const TaskSeen &task);

} // namespace outbox
