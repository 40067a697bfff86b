// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Run: moves a task to pending, from wherever it waits, is dead or is kept.
#include "app/operations/core/taskoperation.h"
#include "app/operations/core/traces.h"
#include "app/operations/verbs/verbs.h"
#include "models/phrases.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

Judgement expectedOfRunning(const TaskSeen &task)
{
    if (const auto never = notForAnyVerb(task))
        return *never;
    if (task.damaged)
        return {Outcome::Blocked, u"Its message cannot be read: no worker could run it"_s};
    switch (task.state) {
    case TaskState::Pending:
        return {Outcome::NothingToDo, u"It waits for a worker already"_s};
    case TaskState::Archived:
        return {Outcome::Done, retriesText(task.retried, task.maxRetry)};
    case TaskState::Completed:
        return {Outcome::SecondExecution,
                u"It ran before: it runs again under the same id, and its window starts anew"_s};
    case TaskState::Aggregating:
        return {Outcome::Done, u"It leaves its group and runs alone"_s};
    default:
        return {Outcome::Done, {}};
    }
}

/// Source: asynq-protocol 10.6. The message stays as it is, its count of retries too.
/// Errors: those of `Operation`.
class Run : public TaskOperation
{
public:
    [[nodiscard]] Verb verb() const override { return Verb::Run; }
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override
    {
        Plan plan = TRY(planTasks(session, verb(), selection, expectedOfRunning));
        plan.commands
            += u"take each id out of where it stands, push it to pending, set its state and "
               "pending_since, in scripts of at most 500 ids"_s;
        if (const qsizetype again = plan.counts().value(Outcome::SecondExecution); again > 1)
            plan.warnings += u"%1 messages run a second time"_s.arg(countText(again));
        plan.undo = u"Tasks that were archived can be archived again while they are pending"_s;
        warnOfUnservedQueue(session, queueOf(session, selection), plan);
        return plan;
    }

    [[nodiscard]] Judgement foundTask(const Trace &before, const TaskSeen &now) const override
    {
        const Judgement found = TaskOperation::foundTask(before, now);
        return found.outcome == Outcome::Changed ? movedTask(now) : found;
    }

protected:
    [[nodiscard]] Result<QList<TaskAnswer>>
    send(OperatorSession & /*session*/, TaskEditor &editor, const QueueName &queue,
         const QList<TaskGuard> &tasks, const OperationControl & /*control*/) const override
    {
        return editor.run(queue, tasks);
    }
};

} // namespace

std::unique_ptr<Operation> makeRun()
{
    return std::make_unique<Run>();
}

} // namespace outbox
