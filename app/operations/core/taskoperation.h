// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What all verbs on tasks have in common: guards from what was seen, one answer a task.
#pragma once

#include "app/operations/core/operation.h"
#include "app/operations/core/planning.h"
#include "app/operations/core/taskselection.h"

#include <QHash>

#include <functional>

namespace outbox {

/// A subclass says what it expects of tasks and sends the guards of a chunk.
/// Errors: those of `Operation`.
class TaskOperation : public Operation
{
protected:
    /// Sends one chunk, all of one queue; an answer for each guard.
    [[nodiscard]] virtual Result<QList<TaskAnswer>> send(OperatorSession &session,
                                                         TaskEditor &editor, const QueueName &queue,
                                                         const QList<TaskGuard> &tasks,
                                                         const OperationControl &control) const = 0;
    /// As the verb's row says: what was done, or the export of it, can be taken back.
    [[nodiscard]] bool isUndoable(const Receipt &receipt) const override
    {
        return leavesUndo(receipt);
    }
    [[nodiscard]] Result<QList<ReceiptItem>> act(OperatorSession &session, const Plan &plan,
                                                 const Items &chunk,
                                                 const OperationControl &control) const override;
};

using ExpectTask = std::function<Judgement(const TaskSeen &task)>;

/// A plan with every task of the selection as it is seen now and what `expect` says of it.
[[nodiscard]] Result<Plan> planTasks(OperatorSession &session, Verb verb,
                                     const Selection &selection, const ExpectTask &expect);
/// Gone, in the hands of a worker, or damaged: what no verb but a special one moves.
[[nodiscard]] std::optional<Judgement> notForAnyVerb(const TaskSeen &task);
/// Leaves alone what is not as the act that is taken back left it: state and stamp, as in
/// `taskAfter`, of each task.
void keepUnmoved(Plan &plan, const QHash<TaskId, QString> &left);
/// Adds a warning where nobody serves the queue of the plan.
void warnOfUnservedQueue(OperatorSession &session, const QueueName &queue, Plan &plan);

[[nodiscard]] ReceiptItem receiptOf(const PlanItem &item, const TaskAnswer &answer);

} // namespace outbox
