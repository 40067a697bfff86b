// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/core/taskoperation.h"

#include "app/operations/core/traces.h"

#include <QHash>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

Outcome outcomeOf(TaskAnswer::Kind kind)
{
    switch (kind) {
    case TaskAnswer::Kind::Done:
        return Outcome::Done;
    case TaskAnswer::Kind::Changed:
        return Outcome::Changed;
    case TaskAnswer::Kind::Gone:
        return Outcome::Gone;
    case TaskAnswer::Kind::Active:
        return Outcome::InFlight;
    case TaskAnswer::Kind::Damaged:
        return Outcome::Blocked;
    case TaskAnswer::Kind::Full:
        return Outcome::NotOffered;
    case TaskAnswer::Kind::InDoubt:
        return Outcome::InDoubt;
    case TaskAnswer::Kind::Failed:
        break;
    }
    return Outcome::Failed;
}

} // namespace

ReceiptItem receiptOf(const PlanItem &item, const TaskAnswer &answer)
{
    ReceiptItem receipt = receiptItem(item, outcomeOf(answer.kind), answer.detail);
    if (receipt.outcome == Outcome::Done)
        receipt.after = taskAfter(answer.state, answer.stamp);
    return receipt;
}

Result<Plan> planTasks(OperatorSession &session, Verb verb, const Selection &selection,
                       const ExpectTask &expect)
{
    Plan plan = TRY(newPlan(session, verb, selection));
    plan.items = TRY(readTasksOf(session, selection, plan.warnings));
    for (PlanItem &item : plan.items) {
        const Judgement expected = expect(*item.taskSeen);
        item.expected = expected.outcome;
        item.reason = expected.reason;
    }
    return plan;
}

std::optional<Judgement> notForAnyVerb(const TaskSeen &task)
{
    switch (task.state) {
    case TaskState::None:
        return Judgement{Outcome::Gone, u"No such task"_s};
    case TaskState::Active:
        return Judgement{Outcome::InFlight, u"A worker runs it: wait, or cancel it"_s};
    case TaskState::Stub:
        return Judgement{Outcome::Blocked,
                         u"Damaged: there is no message in it. Reconcile first."_s};
    case TaskState::Orphan:
        return Judgement{Outcome::Blocked, u"Damaged: it is in no list. Reconcile first."_s};
    case TaskState::WrongType:
        return Judgement{Outcome::Blocked,
                         u"A key of the wrong type stands under the id. Reconcile first."_s};
    default:
        return std::nullopt;
    }
}

void keepUnmoved(Plan &plan, const QHash<TaskId, QString> &left)
{
    for (PlanItem &item : plan.items) {
        const QString now = taskAfter(item.taskSeen->state, item.taskSeen->stamp);
        if (item.isActedOn() && now != left.value(item.task)) {
            item.expected = Outcome::NotOffered;
            item.reason = u"It has moved on since"_s;
        }
    }
}

void warnOfUnservedQueue(OperatorSession &session, const QueueName &queue, Plan &plan)
{
    const auto inspector = session.tasks();
    const auto servers
        = inspector ? (*inspector)->servers() : Result<QList<QueueServer>>(passOn(inspector));
    if (!servers)
        return;
    const bool served
        = std::any_of(servers->begin(), servers->end(), [&](const QueueServer &server) {
              return server.queues.contains(queue.text);
          });
    if (!served) {
        plan.warnings
            += u"Nobody serves the queue %1 now: nothing runs, retries or expires there"_s.arg(
                queue.text);
    }
}

Result<QList<ReceiptItem>> TaskOperation::act(OperatorSession &session, const Plan & /*plan*/,
                                              const Items &chunk,
                                              const OperationControl &control) const
{
    const auto editor = session.taskEditor();
    if (!editor)
        return withoutEffect(editor);
    const auto byQueue = placesByQueue(chunk);
    QList<ReceiptItem> receipt(chunk.size());
    for (auto queue = byQueue.cbegin(); queue != byQueue.cend(); ++queue) {
        QList<TaskGuard> guards;
        for (const qsizetype place : queue.value()) {
            const PlanItem &item = chunk.at(place);
            guards += TaskGuard{item.task, item.taskSeen->state, item.taskSeen->stamp};
        }
        const auto answers = send(session, **editor, queue.key(), guards, control);
        if (!answers && byQueue.size() == 1)
            return passOn(answers);
        if (!answers) { // which unsays nothing of the other queues
            for (const qsizetype place : queue.value())
                receipt[place] = failedItem(chunk.at(place), answers.error());
            continue;
        }
        for (qsizetype i = 0; i < answers->size(); ++i) {
            const qsizetype place = queue.value().at(i);
            receipt[place] = receiptOf(chunk.at(place), answers->at(i));
        }
    }
    pass(control, "written");
    return receipt;
}

} // namespace outbox
