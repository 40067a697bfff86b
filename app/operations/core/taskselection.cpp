// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/core/taskselection.h"

#include "app/operations/core/planning.h"
#include "models/filter/taskfilter.h"
#include "models/phrases.h"

#include <QSet>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

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

} // namespace outbox
