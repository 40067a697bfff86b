// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/delete.h"

#include "app/operations/exporting.h"
#include "app/operations/rowlook.h"

#include <QHash>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

Expectation expected(const TaskSeen &task)
{
    if (const auto never = notForAnyVerb(task))
        return *never;
    if (isUnreadable(task))
        return {Outcome::Done, u"Its message cannot be read; the export keeps its bytes"_s};
    if (task.state == TaskState::Completed) {
        return {Outcome::Done,
                u"The record that refuses this id goes: the message could run a second time"_s};
    }
    return {Outcome::Done, u"It will not run"_s};
}

/// For completed tasks: why their record must stay, by their outbox rows. What has no reason may
/// go.
QHash<TaskId, Expectation> whyKept(Workbench &bench, const QList<PlanItem> &items)
{
    QHash<TaskId, Expectation> reasons;
    QHash<MessageId, TaskId> tasks;
    QList<MessageId> ids;
    for (const PlanItem &item : items) {
        if (item.taskSeen->state != TaskState::Completed || !item.isActedOn())
            continue;
        if (bench.profile().design) { // any document may hold any message
            reasons.insert(item.task,
                           {Outcome::Unknown,
                            u"Whether a document still holds its message is not known: without "
                            "this record it could be sent and run a second time. It goes by "
                            "itself when its retention is over"_s});
            continue;
        }
        if (const auto row = bench.shape().keyIn(item.task)) {
            tasks.insert(*row, item.task);
            ids += *row;
        }
    }
    if (ids.isEmpty() || bench.profile().databaseUrl.isEmpty())
        return reasons;
    const auto rows = lookAtRows(bench, ids);
    for (qsizetype i = 0; i < ids.size(); ++i) {
        const TaskId task = tasks.value(ids.at(i));
        if (!rows) {
            reasons.insert(task,
                           {Outcome::Unknown,
                            u"Whether its outbox row may still be sent is not "
                            "known: the database did not answer (%1)"_s.arg(rows.error().text)});
        } else if (rows->at(i).row && bench.shape().isTaskOf(task, rows->at(i).task)
                   && rows->at(i).row->state != MessageState::Processed
                   && rows->at(i).queue == items.first().queue) {
            reasons.insert(task,
                           {Outcome::NotOffered,
                            u"Its outbox row is %1: without this record it would be sent and "
                            "run a second time"_s.arg(label(rows->at(i).row->state).toLower())});
        }
    }
    return reasons;
}

} // namespace

Result<Plan> Delete::plan(Workbench &bench, const Selection &selection) const
{
    auto plan = planTasks(bench, verb(), selection, expected);
    if (!plan)
        return plan;
    const auto reasons = whyKept(bench, plan->items);
    for (PlanItem &item : plan->items) {
        if (const auto reason = reasons.constFind(item.task); reason != reasons.cend()) {
            item.expected = reason->outcome;
            item.reason = reason->reason;
        }
    }
    plan->reopensWindow
        = std::any_of(plan->items.begin(), plan->items.end(), [](const PlanItem &item) {
              return item.isActedOn() && item.taskSeen->state == TaskState::Completed;
          });
    plan->exportsFirst = true;
    plan->commands += u"remove each id from where it stands, with its unique lock where it is its "
                      "own, and its hash, in scripts of at most 500 ids"_s;
    plan->undo = u"Import of the export: the same tasks under the same ids, where they were; those "
                 "that were pending wait behind all others"_s;
    return plan;
}

Result<void> Delete::prepare(Workbench &bench, const Plan &plan, Receipt &receipt,
                             const OperationControl &control) const
{
    return exportTasks(bench, plan, actingItems(plan), receipt, control);
}

Result<QList<TaskAnswer>> Delete::send(Workbench & /*bench*/, TaskEditor &editor,
                                       const QueueName &queue, const QList<TaskGuard> &tasks,
                                       const OperationControl & /*control*/) const
{
    return editor.remove(queue, tasks);
}

Result<QList<ReceiptItem>> Delete::act(Workbench &bench, const Plan &plan, const Items &chunk,
                                       const OperationControl &control) const
{
    // A row may have been replayed since the plan was made.
    const auto reasons = whyKept(bench, chunk);
    Items free;
    std::copy_if(chunk.begin(), chunk.end(), std::back_inserter(free),
                 [&](const PlanItem &item) { return !reasons.contains(item.task); });
    auto answered = TaskOperation::act(bench, plan, free, control);
    if (!answered)
        return answered;
    QList<ReceiptItem> receipt;
    auto next = answered->begin();
    for (const PlanItem &item : chunk) {
        const auto reason = reasons.constFind(item.task);
        if (reason == reasons.cend())
            receipt += *next++;
        else
            receipt += {item.row, item.task, item.queue, Outcome::Changed, reason->reason, {}};
    }
    return receipt;
}

bool Delete::isUndoable(const Receipt &receipt) const
{
    return !receipt.exportFile.isEmpty() && anyDone(receipt);
}

} // namespace outbox
