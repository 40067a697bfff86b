// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/verbs/tombstones.h"

#include "app/operations/core/operation.h"
#include "app/operations/core/planning.h"

#include <QHash>

#include <algorithm>

namespace outbox {

namespace {

constexpr qint64 shortestSeconds = 60;
constexpr QLatin1StringView undoMark(", the undo of a replay");

QList<TaskId> tasksAt(const QList<PlanItem> &items, const QList<qsizetype> &places)
{
    QList<TaskId> tasks;
    for (const qsizetype place : places)
        tasks += items.at(place).task;
    return tasks;
}

/// The items over a tombstone, by the operation that left it.
QHash<QString, QList<PlanItem>> byTombstone(const QList<PlanItem> &items)
{
    QHash<QString, QList<PlanItem>> tombstoned;
    for (const PlanItem &item : items) {
        if (!item.evidence.isEmpty())
            tombstoned[item.evidence] += item;
    }
    return tombstoned;
}

} // namespace

QString undoneReplay(const QString &operation)
{
    return operation + undoMark;
}

bool isUndoneReplay(const QString &operation)
{
    return operation.endsWith(undoMark);
}

Result<QString> tombstoneUnder(OperatorSession &session, const PlanItem &item)
{
    if (!item.taskSeen || item.taskSeen->state != TaskState::Completed
        || !isTombstone(item.taskSeen->type))
        return QString();
    const auto inspector = TRY(session.tasks());
    const auto task = TRY(inspector->find(item.queue, item.task));
    return task ? tombstoneOwner(task->result) : QString();
}

qint64 tombstoneSeconds(const Profile &profile)
{
    return std::max(profile.retentionSeconds, shortestSeconds);
}

Result<QList<PlanItem>> placeTombstone(OperatorSession &session, const QList<PlanItem> &items,
                                       const QString &operation)
{
    QList<PlanItem> refused;
    if (items.isEmpty())
        return refused;
    const auto editor = session.taskEditor();
    if (!editor)
        return withoutEffect(editor);
    const auto byQueue = placesByQueue(items);
    for (auto queue = byQueue.cbegin(); queue != byQueue.cend(); ++queue) {
        const auto answers
            = TRY((*editor)->placeTombstone(queue.key(), tasksAt(items, queue.value()),
                                            tombstoneSeconds(session.profile()), operation));
        for (qsizetype i = 0; i < answers.size(); ++i) {
            if (answers.at(i).kind != TaskAnswer::Kind::Done)
                refused += items.at(queue.value().at(i));
        }
    }
    return refused;
}

Result<void> removeTombstone(OperatorSession &session, const QList<PlanItem> &items,
                             const QString &operation)
{
    if (items.isEmpty())
        return {};
    const auto editor = TRY(session.taskEditor());
    Result<void> done;
    const auto byQueue = placesByQueue(items);
    for (auto queue = byQueue.cbegin(); queue != byQueue.cend(); ++queue) {
        const auto gone
            = editor->removeTombstone(queue.key(), tasksAt(items, queue.value()), operation);
        if (!gone && done)
            done = passOn(gone);
    }
    return done;
}

Result<void> removeTombstones(OperatorSession &session, const QList<PlanItem> &items)
{
    const auto tombstoned = byTombstone(items);
    for (auto operation = tombstoned.cbegin(); operation != tombstoned.cend(); ++operation) {
        TRY(removeTombstone(session, operation.value(), operation.key()));
    }
    return {};
}

void placeTombstonesAgain(OperatorSession &session, const QList<PlanItem> &items)
{
    const auto tombstoned = byTombstone(items);
    for (auto operation = tombstoned.cbegin(); operation != tombstoned.cend(); ++operation)
        static_cast<void>(placeTombstone(session, operation.value(), operation.key()));
}

} // namespace outbox
