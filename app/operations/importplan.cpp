// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/importplan.h"

#include "app/operations/planning.h"
#include "app/operations/rowlook.h"
#include "app/operations/rowoperation.h"
#include "app/operations/tasklook.h"
#include "app/operations/traces.h"
#include "models/phrases.h"

#include <QHash>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

PlanItem itemOf(const WholeRow &row)
{
    PlanItem item;
    item.row = row.id;
    return item;
}

PlanItem itemOf(const StoredTask &task)
{
    PlanItem item;
    item.task = task.id;
    item.queue = task.queue;
    return item;
}

/// Ids only: payloads of an export may be larger than memory.
Result<QList<PlanItem>> itemsOf(ExportReader &reader, const Profile &profile,
                                const ImportTerms &terms, Plan &plan)
{
    QList<PlanItem> items;
    while (true) {
        const auto next = reader.next();
        if (!next)
            return passOn(next);
        if (!*next)
            return items;
        const PlanItem item = std::visit([](const auto &one) { return itemOf(one); }, **next);
        if (terms.wanted && !terms.wanted(item.row, item.task))
            continue;
        if (items.size() >= profile.mostItems) {
            plan.warnings += cutWarning(profile);
            return items;
        }
        items += item;
    }
}

/// The operation whose tombstone stands under this id; empty where none does.
Result<QString> tombstoneOf(Workbench &bench, const SeenRow &row)
{
    if (!row.taskSeen || row.taskSeen->state != TaskState::Completed
        || !isTombstone(row.taskSeen->type))
        return QString();
    const auto inspector = bench.tasks();
    if (!inspector)
        return passOn(inspector);
    const auto task = (*inspector)->find(row.queue, row.task);
    if (!task)
        return passOn(task);
    return *task ? buriedBy((*task)->result) : QString();
}

Result<void> expectRows(Workbench &bench, QList<PlanItem *> &items)
{
    QList<MessageId> ids;
    for (const PlanItem *item : items)
        ids += item->row;
    const auto rows = lookAtRows(bench, ids);
    if (!rows)
        return passOn(rows);
    for (qsizetype i = 0; i < items.size(); ++i) {
        const SeenRow &row = rows->at(i);
        PlanItem &item = *items.at(i);
        item = row.item();
        const auto tombstone = tombstoneOf(bench, row);
        if (!tombstone)
            return passOn(tombstone);
        item.evidence = *tombstone;
        item.expected = row.row && tombstone->isEmpty() ? Outcome::NothingToDo : Outcome::Done;
        if (row.row) {
            item.reason = tombstone->isEmpty()
                ? u"Already there"_s
                : u"Already there; the tombstone under its id goes, so that it can be delivered"_s;
        } else if (!tombstone->isEmpty()) {
            item.reason = u"The tombstone under its id goes with it"_s;
        }
    }
    return {};
}

/// An id is free, or holds what a Replace put there, or something else that stays.
Expectation expectedTask(const TaskSeen &seen, const QString &replaced)
{
    if (seen.state == TaskState::None)
        return {Outcome::Done, {}};
    if (seen.state == TaskState::Pending && replaced == taskAfter(seen.state, seen.stamp))
        return {Outcome::Done, u"The fresh task goes, the old one comes back"_s};
    return {Outcome::NothingToDo,
            replaced.isEmpty() ? u"Already there"_s : u"The fresh task has moved on: it stays"_s};
}

Result<void> expectTasks(Workbench &bench, const ImportTerms &terms, QList<PlanItem *> &items)
{
    const auto inspector = bench.tasks();
    if (!inspector)
        return passOn(inspector);
    QHash<QueueName, QList<qsizetype>> byQueue;
    for (qsizetype place = 0; place < items.size(); ++place)
        byQueue[items.at(place)->queue] += place;
    for (auto queue = byQueue.cbegin(); queue != byQueue.cend(); ++queue) {
        QList<TaskId> ids;
        for (const qsizetype place : queue.value())
            ids += items.at(place)->task;
        const auto seen = (*inspector)->observe(queue.key(), ids);
        if (!seen)
            return passOn(seen);
        for (qsizetype i = 0; i < ids.size(); ++i) {
            PlanItem &item = *items.at(queue.value().at(i));
            item.taskSeen = seen->at(i);
            const Expectation expected
                = expectedTask(seen->at(i), terms.replaced ? terms.replaced(item.task) : QString());
            item.expected = expected.outcome;
            item.reason = expected.reason;
        }
    }
    return {};
}

} // namespace

Result<void> planImport(Workbench &bench, const QString &file, const ImportTerms &terms, Plan &plan)
{
    auto reader = ExportReader::open(file);
    if (!reader)
        return passOn(reader);
    const QString table = reader->head().table;
    if (!table.isEmpty() && table != bench.shape().table.text()) {
        return fail(Error::Kind::Refused, u"planning: "_s + label(plan.verb),
                    u"the file holds rows of %1, and this outbox is %2"_s.arg(
                        table, bench.shape().table.text()));
    }
    auto items = itemsOf(*reader, bench.profile(), terms, plan);
    if (!items)
        return passOn(items);
    plan.items = std::move(*items);
    plan.file = file;
    plan.fileChecksum = reader->checksum();

    QList<PlanItem *> rows;
    QList<PlanItem *> tasks;
    for (PlanItem &item : plan.items)
        (item.row.isEmpty() ? tasks : rows) += &item;
    if (!rows.isEmpty()) {
        if (auto described = describeRows(bench, plan); !described)
            return described;
        if (auto expected = expectRows(bench, rows); !expected)
            return expected;
    }
    if (!tasks.isEmpty()) {
        plan.commands
            += u"write each task's hash and put its id back to where it was, where nothing "
               "stands under it"_s;
        if (auto expected = expectTasks(bench, terms, tasks); !expected)
            return expected;
    }
    return {};
}

} // namespace outbox
