// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Cancel: asks the worker that runs a task to give up.
#include "app/operations/core/taskoperation.h"
#include "app/operations/core/traces.h"
#include "app/operations/verbs/verbs.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

Judgement expectedOfCancelling(const TaskSeen &task)
{
    if (task.state == TaskState::Active)
        return {Outcome::Done, u"Its worker is asked to give up; nobody confirms"_s};
    if (const auto never = notForAnyVerb(task))
        return *never;
    return {Outcome::NotOffered, u"No worker runs it"_s};
}

/// Best effort: whoever runs the task may hear it, and nobody answers. What was cancelled is tried
/// again by the queue's own rules.
/// Errors: those of `Operation`.
class Cancel : public TaskOperation
{
public:
    [[nodiscard]] Verb verb() const override { return Verb::Cancel; }
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override
    {
        Plan plan = TRY(planTasks(session, verb(), selection, expectedOfCancelling));
        plan.commands += u"publish each id on asynq:cancel"_s;
        plan.undo = u"It cannot be undone: the queue tries the tasks again by its own rules"_s;
        return plan;
    }

    /// A lease is prolonged all the time: only the state tells.
    [[nodiscard]] Judgement foundTask(const Trace & /*before*/, const TaskSeen &now) const override
    {
        return {now.state == TaskState::Active ? Outcome::Cancelled : Outcome::Done, {}};
    }

protected:
    [[nodiscard]] Result<QList<TaskAnswer>>
    send(OperatorSession &session, TaskEditor &editor, const QueueName &queue,
         const QList<TaskGuard> &tasks, const OperationControl & /*control*/) const override
    {
        // No script can guard a message to workers: look once more, so that most of what has ended
        // meanwhile is told.
        const auto inspector = session.tasks();
        if (!inspector)
            return withoutEffect(inspector);
        QList<TaskId> ids;
        for (const TaskGuard &task : tasks)
            ids += task.id;
        const auto now = (*inspector)->observe(queue, ids);
        if (!now)
            return withoutEffect(now);
        QList<TaskId> active;
        QList<TaskAnswer> answers;
        for (qsizetype i = 0; i < ids.size(); ++i) {
            const TaskState state = now->at(i).state;
            if (state == TaskState::Active) {
                active += ids.at(i);
                answers
                    += TaskAnswer{TaskAnswer::Kind::Done, state, {}, u"Asked; nobody confirms"_s};
            } else {
                answers
                    += TaskAnswer{TaskAnswer::Kind::Changed, state, {}, u"No worker runs it now"_s};
            }
        }
        if (active.isEmpty())
            return answers;
        TRY(editor.cancel(active));
        return answers;
    }
};

} // namespace

std::unique_ptr<Operation> makeCancel()
{
    return std::make_unique<Cancel>();
}

} // namespace outbox
