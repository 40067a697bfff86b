// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/tombstones.h"

#include "app/operations/operation.h"

#include <QHash>

#include <algorithm>

namespace outbox {

namespace {

constexpr qint64 shortestSeconds = 60;

/// Places of the items, queue by queue.
QHash<QueueName, QList<qsizetype>> placesByQueue(const QList<PlanItem> &items)
{
    QHash<QueueName, QList<qsizetype>> places;
    for (qsizetype place = 0; place < items.size(); ++place)
        places[items.at(place).queue] += place;
    return places;
}

QList<TaskId> tasksAt(const QList<PlanItem> &items, const QList<qsizetype> &places)
{
    QList<TaskId> tasks;
    for (const qsizetype place : places)
        tasks += items.at(place).task;
    return tasks;
}

} // namespace

qint64 tombstoneSeconds(const Profile &profile)
{
    return std::max(profile.retentionSeconds, shortestSeconds);
}

Result<QList<PlanItem>> bury(Workbench &bench, const QList<PlanItem> &items,
                             const QString &operation)
{
    QList<PlanItem> refused;
    if (items.isEmpty())
        return refused;
    const auto editor = bench.taskEditor();
    if (!editor)
        return undone(editor);
    const auto byQueue = placesByQueue(items);
    for (auto queue = byQueue.cbegin(); queue != byQueue.cend(); ++queue) {
        const auto answers = (*editor)->bury(queue.key(), tasksAt(items, queue.value()),
                                             tombstoneSeconds(bench.profile()), operation);
        if (!answers)
            return passOn(answers);
        for (qsizetype i = 0; i < answers->size(); ++i) {
            if (answers->at(i).kind != TaskAnswer::Kind::Done)
                refused += items.at(queue.value().at(i));
        }
    }
    return refused;
}

Result<void> exhume(Workbench &bench, const QList<PlanItem> &items, const QString &operation)
{
    if (items.isEmpty())
        return {};
    const auto editor = bench.taskEditor();
    if (!editor)
        return passOn(editor);
    Result<void> done;
    const auto byQueue = placesByQueue(items);
    for (auto queue = byQueue.cbegin(); queue != byQueue.cend(); ++queue) {
        const auto gone = (*editor)->exhume(queue.key(), tasksAt(items, queue.value()), operation);
        if (!gone && done)
            done = passOn(gone);
    }
    return done;
}

} // namespace outbox
