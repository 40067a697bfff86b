// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What all verbs on tasks have in common: the tasks that an operator pointed at, guards from what
// was seen, one answer a task.
#pragma once

#include "app/operations/core/operation.h"
#include "app/operations/core/planning.h"

#include <QHash>

#include <functional>

namespace outbox {

/// What would become of this task now.
using ExpectTask = std::function<Judgement(const TaskSeen &task)>;

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
    /// As the verb's row says: what was done, or the export of it, can be undone.
    [[nodiscard]] bool isUndoable(const Receipt &receipt) const override
    {
        return leavesUndo(receipt);
    }
    [[nodiscard]] Answers act(OperatorSession &session, const Plan &plan, const Items &chunk,
                              const OperationControl &control) const override;
};

/// Gone, in the hands of a worker, or damaged: what no verb but a special one moves.
[[nodiscard]] std::optional<Judgement> notForAnyVerb(const TaskSeen &task);
/// What a dead task has left once it is run: "One attempt left: its 25 retries are used up".
[[nodiscard]] QString retriesText(int retried, int maxRetry);
/// Leaves alone what is not as the act that is undone left it: state and stamp, as in
/// `taskAfter`, of each task.
void keepUnmoved(Plan &plan, const QHash<TaskId, QString> &left);
/// Adds a warning where nobody serves the queue of the plan.
void warnOfUnservedQueue(OperatorSession &session, const QueueName &queue, Plan &plan);

[[nodiscard]] ReceiptItem receiptOf(const PlanItem &item, const TaskAnswer &answer);

// Errors of these: those of the inspector, and Invalid for a filter that cannot be understood.

/// The queue that a selection speaks of: its own, else the profile's.
[[nodiscard]] QueueName queueOf(const OperatorSession &session, const Selection &selection);
/// The tasks of a selection: by id, else by its filter, state by state. Tasks that move while the
/// pages are read may be missed or seen in the state that they have left; the act finds out. The
/// items have everything but what is expected of them. `warnings` takes sentences about what was
/// left out: where more tasks match than a plan may freeze, and whose payloads do not tell.
[[nodiscard]] Result<QList<PlanItem>>
readTasksOf(OperatorSession &session, const Selection &selection, QStringList &warnings);
/// A plan with every task of the selection as it is seen now and what `expect` says of it.
[[nodiscard]] Result<Plan> planTasks(OperatorSession &session, Verb verb,
                                     const Selection &selection, const ExpectTask &expect);

/// A stub, an orphan, a key of the wrong type, or a message that cannot be decoded.
[[nodiscard]] bool isDamaged(const TaskSeen &task);
/// Nothing but a message that cannot be decoded, in a place where it can be found.
[[nodiscard]] bool isUnreadable(const TaskSeen &task);

} // namespace outbox
