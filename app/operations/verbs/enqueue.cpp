// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Enqueue: one task by hand, under an id where nothing stands.
#include "app/operations/core/operation.h"
#include "app/operations/core/planning.h"
#include "app/operations/core/taskoperation.h"
#include "app/operations/core/traces.h"
#include "app/operations/verbs/verbs.h"
#include "connectors/asynq/wire/enqueuecommand.h"
#include "connectors/asynq/wire/taskmessage.h"
#include "models/phrases.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

Judgement expectedOfEnqueueing(const TaskSeen &task)
{
    switch (task.state) {
    case TaskState::None:
        return {Outcome::Done, u"Nothing stands under the id"_s};
    case TaskState::Completed:
        return {Outcome::RefusedUntil, u"The id is retained by a task that is done"_s};
    case TaskState::Archived:
        return {Outcome::Dead, u"A dead task has the id: run it, or replace it"_s};
    case TaskState::Stub:
    case TaskState::Orphan:
    case TaskState::WrongType:
        return {Outcome::Blocked, u"A damaged task has the id. Reconcile first."_s};
    case TaskState::Pending:
    case TaskState::Active:
    case TaskState::Scheduled:
    case TaskState::Retry:
    case TaskState::Aggregating:
        break;
    }
    return {Outcome::InFlight, u"A task with this id is %1"_s.arg(label(task.state).toLower())};
}

/// The hash that asynq would have written, and its place.
Result<StoredTask> stored(const NewTask &task)
{
    const EnqueueRequest &request = task.request;
    asynq::TaskMessage message;
    message.type = request.type;
    message.payload = request.payload;
    message.id = request.id.text;
    message.queue = request.queue.text;
    message.retry = request.maxRetry;
    message.timeoutSeconds = request.timeoutSeconds;
    message.retentionSeconds = request.retentionSeconds;
    const auto bytes = TRY(asynq::encode(message));
    const qint64 nowMs = QDateTime::currentMSecsSinceEpoch();
    StoredTask made{request.id, request.queue, TaskState::Pending, {}, {}};
    if (task.delaySeconds > 0) {
        made.state = TaskState::Scheduled;
        made.score = QByteArray::number(nowMs / 1000 + task.delaySeconds);
        made.fields = {{"msg", bytes}, {"state", "scheduled"}};
    } else {
        made.fields = {{"msg", bytes},
                       {"pending_since", QByteArray::number(nowMs) + "000000"},
                       {"state", "pending"}};
    }
    return made;
}

/// The task is part of the plan; an id that is taken is never written to. Source: asynq-protocol
/// 10.3.
/// Errors: those of `Operation`.
class Enqueue : public Operation
{
public:
    [[nodiscard]] Verb verb() const override { return Verb::Enqueue; }
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override
    {
        if (!selection.newTask)
            return fail(Error::Kind::Invalid, u"planning: Enqueue"_s, u"no task was described"_s);
        const NewTask &task = *selection.newTask;
        if (const QString why = asynq::refusal(task.request); !why.isEmpty())
            return fail(Error::Kind::Invalid, u"planning: Enqueue"_s, why);
        Plan plan = TRY(newPlan(session, verb(), selection));
        const auto inspector = TRY(session.tasks());
        const auto seen = TRY(inspector->observe(task.request.queue, {task.request.id}));
        const Judgement expectation = expectedOfEnqueueing(seen.first());
        PlanItem item;
        item.task = task.request.id;
        item.queue = task.request.queue;
        item.type = task.request.type;
        item.taskSeen = seen.first();
        item.expected = expectation.outcome;
        item.reason = expectation.reason;
        plan.items += item;
        plan.newTask = task;
        plan.commands
            += u"where no task has the id: write the task and put the id into the %1 of %2, in one "
               "script"_s.arg(task.delaySeconds > 0 ? u"schedule ("_s
                                      + spanText(double(task.delaySeconds)) + u" from now)"_s
                                                    : u"pending list"_s,
                              task.request.queue.text);
        if (task.request.retentionSeconds == 0) {
            plan.warnings
                += u"Without a retention the id is free again as soon as the task is done"_s;
        }
        warnOfUnservedQueue(session, task.request.queue, plan);
        plan.undo = u"Delete the task before a worker takes it"_s;
        return plan;
    }

    [[nodiscard]] Judgement foundTask(const Trace & /*before*/, const TaskSeen &now) const override
    {
        if (now.state == TaskState::None)
            return {Outcome::Cancelled};
        return {Outcome::Done, {}, taskAfter(now.state, now.stamp)};
    }

protected:
    [[nodiscard]] Answers act(OperatorSession &session, const Plan &plan, const Items &chunk,
                              const OperationControl &control) const override
    {
        if (!plan.newTask || chunk.size() != 1)
            return fail(Error::Kind::Invalid, u"enqueuing"_s, u"the plan holds no task"_s);
        const auto editor = session.taskEditor();
        if (!editor)
            return withoutEffect(editor);
        const auto task = stored(*plan.newTask);
        if (!task)
            return withoutEffect(task);
        const auto answers = TRY((*editor)->restore(task->queue, {*task}));
        pass(control, "written");
        return QList<ReceiptItem>{receiptOf(chunk.first(), answers.first())};
    }

    [[nodiscard]] bool isUndoable(const Receipt &receipt) const override
    {
        return leavesUndo(receipt);
    }
};

} // namespace

std::unique_ptr<Operation> makeEnqueue()
{
    return std::make_unique<Enqueue>();
}

} // namespace outbox
