// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The guard of what deletes rows: a row that others depend on stays, because what would go along
// with it is in no export.
// Errors: those of the store.
#pragma once

#include "app/operations/core/operatorsession.h"
#include "models/operations/plan.h"
#include "models/result.h"

#include <QHash>
#include <QString>

namespace outbox {

/// Why these rows must stay, by row; those without children are not in it.
using ParentRows = QHash<MessageId, QString>;

/// In a plan: rows that have children are not acted on, and what else happens to other tables is
/// told as a warning. Where children cannot be seen, no row is.
[[nodiscard]] Result<void> keepParents(OperatorSession &session, Plan &plan);
/// Of the rows that the open transaction of `editor` holds.
[[nodiscard]] Result<ParentRows> parentsAmong(OutboxEditor &editor, const QList<PlanItem> &held);
/// For a role that deletes without being able to lock: fails with Conflict where one of the rows
/// had children when the deletion, which is not committed yet, took it.
[[nodiscard]] Result<void> checkNoParents(OperatorSession &session,
                                          const QList<MessageId> &deleted);

} // namespace outbox
