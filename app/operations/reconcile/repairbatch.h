// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One chunk of repairs: rows locked first, tasks repaired by a script, rows written, then COMMIT.
#pragma once

#include "app/operations/core/operation.h"
#include "models/operations/finding.h"

#include <QHash>
#include <QSet>

namespace outbox {

using ExportedTasks = QSet<std::pair<QueueName, TaskId>>;

/// Carries out the repairs of `chunk`, a part of `plan`: an answer for each item, in their order.
/// Of tasks with a hash only those that were `exported` are removed. Errors: those of the editors,
/// with what is known of the effect.
[[nodiscard]] Answers repairChunk(OperatorSession &session, const Plan &plan,
                                  const QList<PlanItem> &chunk, const ExportedTasks &exported,
                                  const OperationControl &control);

} // namespace outbox
