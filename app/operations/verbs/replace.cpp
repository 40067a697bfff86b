// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Replace: removes a task and enqueues the same message afresh, in one script.
#include "app/operations/core/taskoperation.h"
#include "app/operations/core/traces.h"
#include "app/operations/transfer/exporting.h"
#include "app/operations/verbs/verbs.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

Judgement expectedOfReplacing(const TaskSeen &task)
{
    if (const auto never = notForAnyVerb(task))
        return *never;
    if (task.damaged)
        return {Outcome::Blocked,
                u"Its message cannot be read: there is nothing to enqueue again"_s};
    if (task.state == TaskState::Completed) {
        return {Outcome::SecondExecution,
                u"It ran before: it runs again under the same id, and its window starts anew"_s};
    }
    return {Outcome::Done,
            u"It waits again, with none of its %1 retries used"_s.arg(task.maxRetry)};
}

/// For a task that ran out of retries, or whose work is wanted once more: same id, same message, no
/// retries used. No relay can get between the two halves.
/// Errors: those of `Operation`.
class Replace : public TaskOperation
{
public:
    [[nodiscard]] Verb verb() const override { return Verb::Replace; }
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override
    {
        Plan plan = TRY(planTasks(session, verb(), selection, expectedOfReplacing));
        plan.reopensWindow
            = std::any_of(plan.items.begin(), plan.items.end(), [](const PlanItem &item) {
                  return item.isActedOn() && item.taskSeen->state == TaskState::Completed;
              });
        plan.exportsFirst = true;
        plan.commands
            += u"remove each id from where it stands with its hash, and push the same message "
               "to pending with no retries used, without a deadline that is over, still under the "
               "unique lock that is its own, in one script"_s;
        plan.undo
            = u"While the fresh task is pending, the old one can be put back from the export; "
              "one that was pending then waits behind all others"_s;
        warnOfUnservedQueue(session, queueOf(session, selection), plan);
        return plan;
    }

    [[nodiscard]] Judgement foundTask(const Trace &before, const TaskSeen &now) const override
    {
        const Judgement found = TaskOperation::foundTask(before, now);
        return found.outcome == Outcome::Changed ? movedTask(now) : found;
    }

protected:
    [[nodiscard]] Result<void> prepare(OperatorSession &session, const Plan &plan, Receipt &receipt,
                                       const OperationControl &control) const override
    {
        return exportTasks(session, plan, actingItems(plan), receipt, control);
    }

    [[nodiscard]] Result<QList<TaskAnswer>>
    send(OperatorSession & /*session*/, TaskEditor &editor, const QueueName &queue,
         const QList<TaskGuard> &tasks, const OperationControl & /*control*/) const override
    {
        return editor.replace(queue, tasks);
    }
};

} // namespace

std::unique_ptr<Operation> makeReplace()
{
    return std::make_unique<Replace>();
}

} // namespace outbox
