// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/core/taskoperation.h"

#include "app/operations/core/traces.h"
#include "models/filter/taskfilter.h"
#include "models/phrases.h"

#include <QHash>
#include <QSet>

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

constexpr int pageTasks = 500;

PlanItem itemOf(const TaskId &id, const QueueName &queue, const TaskSeen &seen)
{
    PlanItem item;
    item.task = id;
    item.queue = queue;
    item.type = seen.type;
    item.taskSeen = seen;
    return item;
}

TaskSeen seenOf(const Task &task)
{
    TaskSeen seen;
    seen.state = task.state;
    seen.stamp = task.stamp;
    seen.keptUntil = task.keptUntil;
    seen.type = task.type;
    seen.payloadBytes = task.payloadBytes;
    seen.retried = task.retried;
    seen.maxRetry = task.maxRetry;
    seen.lastError = task.lastError;
    seen.damaged = task.damaged;
    return seen;
}

Result<QList<PlanItem>> lookByIds(OperatorSession &session, AsynqInspector &inspector,
                                  const Selection &selection, QStringList &warnings)
{
    QSet<TaskId> known;
    QList<TaskId> ids;
    for (const TaskId &id : selection.tasks) {
        if (!known.contains(id)) {
            known.insert(id);
            ids += id;
        }
    }
    if (ids.size() > session.profile().mostItems)
        warnings += cutWarning(session.profile());
    ids = ids.mid(0, session.profile().mostItems);
    const QueueName queue = queueOf(session, selection);
    const auto seen = TRY(inspector.observe(queue, ids));
    QList<PlanItem> tasks;
    for (qsizetype i = 0; i < ids.size(); ++i)
        tasks += itemOf(ids.at(i), queue, seen.at(i));
    return tasks;
}

} // namespace

QueueName queueOf(const OperatorSession &session, const Selection &selection)
{
    return selection.queue.isEmpty() ? QueueName{session.profile().queue} : selection.queue;
}

Result<QList<PlanItem>> readTasksOf(OperatorSession &session, const Selection &selection,
                                    QStringList &warnings)
{
    const auto opened = TRY(session.tasks());
    AsynqInspector &inspector = *opened;
    if (!selection.tasks.isEmpty())
        return lookByIds(session, inspector, selection, warnings);
    const auto filter = TRY(TaskFilter::fromText(selection.filter, QDateTime::currentDateTime()));

    const QueueName queue = queueOf(session, selection);
    QList<PlanItem> tasks;
    qint64 undecided = 0;
    const auto ended = [&](bool isCut) {
        if (isCut)
            warnings += cutWarning(session.profile());
        if (undecided > 0) {
            warnings += u"%1 tasks are left out: their payloads are too long to be searched"_s.arg(
                countText(undecided));
        }
        return tasks;
    };
    QSet<TaskId> known; // a task that moved on while we paged comes twice
    for (const TaskState state : filter.statesToRead()) {
        QString after;
        do {
            const auto page
                = TRY(inspector.tasks(queue, state, pageTasks, after, filter.payloadBytes()));
            for (const Task &task : page.tasks) {
                const Truth truth = filter.of(task);
                undecided += truth == Truth::Unknown ? 1 : 0;
                if (truth != Truth::Yes || known.contains(task.id))
                    continue;
                if (tasks.size() >= session.profile().mostItems)
                    return ended(true);
                known.insert(task.id);
                tasks += itemOf(task.id, queue, seenOf(task));
            }
            after = page.next;
        } while (!after.isEmpty());
    }
    return ended(false);
}

bool isDamaged(const TaskSeen &task)
{
    return task.damaged || task.state == TaskState::Stub || task.state == TaskState::Orphan
        || task.state == TaskState::WrongType;
}

bool isUnreadable(const TaskSeen &task)
{
    return task.damaged && task.state != TaskState::Stub && task.state != TaskState::Orphan
        && task.state != TaskState::WrongType;
}

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

QString retriesText(int retried, int maxRetry)
{
    return retried >= maxRetry ? u"One attempt left: its %1 retries are used up"_s.arg(maxRetry)
                               : u"%1 of %2 retries are used"_s.arg(retried).arg(maxRetry);
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

Answers TaskOperation::act(OperatorSession &session, const Plan & /*plan*/, const Items &chunk,
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
