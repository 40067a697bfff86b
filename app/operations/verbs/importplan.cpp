// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/verbs/importplan.h"

#include "app/operations/core/planning.h"
#include "app/operations/core/rowoperation.h"
#include "app/operations/core/rowselection.h"
#include "app/operations/core/taskoperation.h"
#include "app/operations/core/traces.h"
#include "app/operations/verbs/tombstones.h"
#include "connectors/asynq/edit/storedtasks.h"
#include "models/phrases.h"

#include <QDateTime>
#include <QHash>
#include <QSet>

#include <optional>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

PlanItem itemOf(const WholeRow &row)
{
    PlanItem item;
    item.row = row.id;
    item.task = row.task;
    return item;
}

PlanItem itemOf(const StoredTask &task)
{
    PlanItem item;
    item.task = task.id;
    item.queue = task.queue;
    return item;
}

using TaskKey = std::pair<QueueName, TaskId>;

/// What the payloads of a file say, which are not kept.
struct Content
{
    QSet<MessageId> sentRows; ///< that a relay would take up
    QHash<TaskKey, bool> runTasks; ///< that a worker would; true: one did before the export
    int lockless = 0; ///< unique tasks that come back without their lock
    QHash<TaskKey, QString> obstacles; ///< why a task cannot be put back
};

bool isToBeSent(const WholeRow &row, const OutboxShape &shape)
{
    if (shape.processedHow == OutboxShape::ProcessedHow::Deleted)
        return true;
    const qsizetype place = row.columns.indexOf(shape.processedColumn);
    if (place < 0)
        return true;
    const Cell &mark = row.cells.at(place);
    if (shape.processedHow == OutboxShape::ProcessedHow::Status)
        return !shape.processedValues.contains(QString::fromUtf8(mark.bytes));
    static const QList<QByteArray> untrue{"", "0", "f", "false"};
    return mark.kind == Cell::Kind::Null
        || (shape.processedHow == OutboxShape::ProcessedHow::Flag && untrue.contains(mark.bytes));
}

/// Fails for a row that can be none of this table, or not the one that its line names.
Result<void> note(const ExportItem &item, OperatorSession &session, OutboxStore *&store,
                  Content &content)
{
    if (const auto *row = std::get_if<WholeRow>(&item)) {
        if (!store) { // opened by the first row: a file of tasks needs no database
            store = TRY(session.rows());
        }
        if (isToBeSent(*row, session.shape()))
            content.sentRows += row->id;
        return store->check(*row);
    }
    const auto &task = std::get<StoredTask>(item);
    if (task.state != TaskState::Completed && task.state != TaskState::Archived)
        content.runTasks.insert({task.queue, task.id}, asynq::wasTried(task));
    content.lockless += asynq::lacksLock(task) ? 1 : 0;
    if (const QString obstacle = asynq::restoreObstacle(task); !obstacle.isEmpty())
        content.obstacles.insert({task.queue, task.id}, obstacle);
    return {};
}

/// Ids only: payloads of an export may be larger than memory.
Result<QList<PlanItem>> itemsOf(ExportReader &reader, OperatorSession &session,
                                const std::function<bool(const PlanItem &)> &wanted, Plan &plan,
                                Content &content)
{
    const Profile &profile = session.profile();
    OutboxStore *store = nullptr;
    QList<PlanItem> items;
    while (true) {
        const auto next = TRY(reader.next());
        if (!next)
            return items;
        const PlanItem item = std::visit([](const auto &one) { return itemOf(one); }, *next);
        if (wanted && !wanted(item))
            continue;
        if (items.size() >= profile.mostItems) {
            plan.warnings += cutWarning(profile);
            return items;
        }
        TRY(note(*next, session, store, content));
        items += item;
    }
}

/// Whether an enqueue would still meet the task of the row, and send nothing.
bool isKnownToQueue(const RowWithTask &row)
{
    if (!row.taskSeen || row.taskSeen->state == TaskState::None)
        return false;
    const std::optional<QDateTime> &until = row.taskSeen->keptUntil;
    return row.taskSeen->state != TaskState::Completed || !until
        || *until > QDateTime::currentDateTimeUtc();
}

/// `task` is that of the row in the file.
Judgement expectedRow(const RowWithTask &row, const TaskId &task, bool hasTombstone, bool isSent)
{
    if (row.row && !task.isEmpty() && row.row->task != task) {
        return {Outcome::NotOffered,
                u"Another row has this key by now: it stays, and this one cannot come back"_s};
    }
    if (row.row) {
        return hasTombstone
            ? Judgement{Outcome::Done,
                        u"Already there; the tombstone under its id goes, so that it can be "
                        "delivered"_s}
            : Judgement{Outcome::NothingToDo, u"Already there"_s};
    }
    if (hasTombstone)
        return {Outcome::Done, u"The tombstone under its id goes with it"_s};
    if (isSent && !isKnownToQueue(row)) {
        return {Outcome::SecondExecution,
                u"It will be delivered, and nothing tells whether it was since the export"_s};
    }
    return {Outcome::Done, {}};
}

Result<void> expectRows(OperatorSession &session, const Content &content, QList<PlanItem *> &items)
{
    QList<MessageId> ids;
    QHash<MessageId, TaskId> tasks;
    for (const PlanItem *item : items) {
        ids += item->row;
        if (!item->task.isEmpty())
            tasks.insert(item->row, item->task);
    }
    const auto rows = TRY(readRowsOf(session, ids, tasks));
    for (qsizetype i = 0; i < items.size(); ++i) {
        const RowWithTask &row = rows.at(i);
        PlanItem &item = *items.at(i);
        item = row.item();
        const auto tombstone = TRY(tombstoneUnder(session, item));
        if (!isUndoneReplay(tombstone)) // which is no purge to be undone
            item.evidence = tombstone;
        const Judgement expected = expectedRow(row, tasks.value(row.id), !item.evidence.isEmpty(),
                                               content.sentRows.contains(row.id));
        item.expected = expected.outcome;
        item.reason = expected.reason;
    }
    return {};
}

/// An id is free, or holds what a Replace put there, or something else that stays.
Judgement expectedTask(const TaskSeen &seen, const QString &replaced, std::optional<bool> tried)
{
    if (seen.state == TaskState::None && tried) {
        return {Outcome::SecondExecution,
                *tried ? u"It was tried before the export, and runs again"_s
                       : u"It will run, and nothing tells whether it did since the export"_s};
    }
    if (seen.state == TaskState::None)
        return {Outcome::Done, {}};
    if (seen.state == TaskState::Pending && replaced == taskAfter(seen.state, seen.stamp))
        return {Outcome::Done, u"The fresh task goes, the old one comes back"_s};
    return {Outcome::NothingToDo,
            replaced.isEmpty() ? u"Already there"_s : u"The fresh task has moved on: it stays"_s};
}

/// `undoes`: what an operation took away is put back. `replaced` as of `planImport`.
Result<void> expectTasks(OperatorSession &session, bool undoes,
                         const std::function<QString(const PlanItem &)> &replaced,
                         const Content &content, QList<PlanItem *> &items)
{
    QList<PlanItem> asked;
    for (const PlanItem *item : items)
        asked += *item;
    const auto seen = TRY(readTasksOf(session, asked));
    for (qsizetype i = 0; i < items.size(); ++i) {
        PlanItem &item = *items.at(i);
        item.taskSeen = seen.at(i);
        const TaskKey key(item.queue, item.task);
        // What is undone was not there to run meanwhile.
        const auto run = content.runTasks.constFind(key);
        const std::optional<bool> tried
            = !undoes && run != content.runTasks.cend() ? std::optional(*run) : std::nullopt;
        const QString obstacle = content.obstacles.value(key);
        const Judgement expected = obstacle.isEmpty()
            ? expectedTask(seen.at(i), replaced ? replaced(item) : QString(), tried)
            : Judgement{Outcome::NotOffered, u"It cannot be put back: "_s + obstacle};
        item.expected = expected.outcome;
        item.reason = expected.reason;
    }
    return {};
}

} // namespace

Result<void> planImport(OperatorSession &session, const QString &file, Plan &plan,
                        const std::function<bool(const PlanItem &item)> &wanted,
                        const std::function<QString(const PlanItem &task)> &replaced)
{
    auto reader = TRY(ExportReader::open(file));
    const QString table = reader.head().table;
    if (!table.isEmpty() && table != session.shape().table.text()) {
        return fail(Error::Kind::Refused, u"planning: "_s + label(plan.verb),
                    u"the file holds rows of %1, and this outbox is %2"_s.arg(
                        table, session.shape().table.text()));
    }
    const QString target = reader.head().target;
    if (!target.isEmpty() && target != session.target()) {
        return fail(
            Error::Kind::Refused, u"planning: "_s + label(plan.verb),
            u"the file was exported from %1, and this is %2"_s.arg(target, session.target()), {},
            u"Open that system first"_s);
    }
    Content content;
    plan.items = TRY(itemsOf(reader, session, wanted, plan, content));
    plan.file = file;
    plan.fileChecksum = reader.checksum();

    QList<PlanItem *> rows;
    QList<PlanItem *> tasks;
    for (PlanItem &item : plan.items)
        (item.row.isEmpty() ? tasks : rows) += &item;
    if (!rows.isEmpty()) {
        TRY(describeRows(session, plan));
        TRY(expectRows(session, content, rows));
    }
    if (!tasks.isEmpty()) {
        plan.commands
            += u"write each task's hash and put its id back to where it was, a pending one behind "
               "all that wait, where nothing stands under it; take its unique lock again for the "
               "rest of its time, where that is free"_s;
        if (content.lockless > 0) {
            plan.warnings
                += u"%1 of the tasks in the file are unique, and their locks are over or not in "
                   "the file: the same work can be enqueued beside them"_s.arg(
                       countText(content.lockless));
        }
        TRY(expectTasks(session, bool(wanted), replaced, content, tasks));
    }
    return {};
}

} // namespace outbox
