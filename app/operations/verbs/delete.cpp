// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Delete: removes tasks whole and frees their ids, after an export.
#include "app/operations/core/rowselection.h"
#include "app/operations/core/taskoperation.h"
#include "app/operations/core/traces.h"
#include "app/operations/transfer/exporting.h"
#include "app/operations/verbs/verbs.h"

#include <QHash>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

Judgement expectedOfDeleting(const TaskSeen &task)
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

/// What the outbox row of a task means for its deletion.
struct Behind
{
    std::optional<Outcome> kept; ///< why a completed task must stay; nullopt: it may go
    QString reason;
};

Behind behind(const TaskSeen &task, MessageState row)
{
    const QString state = label(row).toLower();
    if (task.state == TaskState::Completed) {
        return {Outcome::NotOffered,
                u"Its outbox row is %1: without this record it would be sent and "
                "run a second time"_s.arg(state)};
    }
    const bool isSent = row == MessageState::Pending || row == MessageState::Waiting
        || row == MessageState::Locked;
    if (!isSent)
        return {std::nullopt, u"It will not run. Its outbox row is %1"_s.arg(state)};
    return {std::nullopt,
            u"Its outbox row is %1: a relay sends it again, and it runs then. Park or purge the "
            "row first if it must not"_s.arg(state)};
}

Behind behindUnknown(const TaskSeen &task, const QString &why)
{
    if (task.state == TaskState::Completed)
        return {Outcome::Unknown,
                u"Whether its outbox row may still be sent is not known: "_s + why};
    return {std::nullopt, u"Whether its outbox row will be sent again is not known: "_s + why};
}

Behind behindDocuments(const TaskSeen &task)
{
    if (task.state == TaskState::Completed) {
        return {Outcome::Unknown,
                u"Whether a document still holds its message is not known: without "
                "this record it could be sent and run a second time. It goes by "
                "itself when its retention is over"_s};
    }
    return {std::nullopt, u"It will not run, unless a document sends its message again"_s};
}

/// Of the tasks whose message may come again from where it came from.
QHash<TaskId, Behind> behindTasks(OperatorSession &session, const QList<PlanItem> &items)
{
    QHash<TaskId, Behind> found;
    QList<const PlanItem *> asked;
    QList<MessageId> ids;
    for (const PlanItem &item : items) {
        if (!item.isActedOn())
            continue;
        if (session.profile().design) { // any document may hold any message
            found.insert(item.task, behindDocuments(*item.taskSeen));
        } else if (const auto row = session.shape().keyIn(item.task)) {
            asked += &item;
            ids += *row;
        }
    }
    if (ids.isEmpty() || session.profile().databaseUrl.isEmpty())
        return found;
    const auto rows = readRowsOf(session, ids);
    const auto parked = parkedRowsOf(session); // where it is not known they count as what they seem
    for (qsizetype i = 0; i < ids.size(); ++i) {
        const PlanItem &item = *asked.at(i);
        if (!rows) {
            found.insert(
                item.task,
                behindUnknown(*item.taskSeen,
                              u"the database did not answer (%1)"_s.arg(rows.error().text)));
            continue;
        }
        const RowWithTask &seen = rows->at(i);
        if (seen.row && session.shape().isTaskOf(item.task, seen.task)
            && seen.row->state != MessageState::Processed && seen.queue == item.queue)
            found.insert(item.task,
                         behind(*item.taskSeen,
                                parked && parked->contains(seen.row->id) ? MessageState::Parked
                                                                         : seen.row->state));
    }
    return found;
}

/// Source: correctness.md 8. A completed task is the memory that refuses its id: it is left alone
/// while its outbox row may still be sent.
/// Errors: those of `Operation`.
class Delete : public TaskOperation
{
public:
    [[nodiscard]] Verb verb() const override { return Verb::Delete; }
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override
    {
        Plan plan = TRY(planTasks(session, verb(), selection, expectedOfDeleting));
        const auto found = behindTasks(session, plan.items);
        for (PlanItem &item : plan.items) {
            if (const auto one = found.constFind(item.task); one != found.cend()) {
                item.expected = one->kept.value_or(item.expected);
                item.reason = one->reason;
            }
        }
        plan.reopensWindow
            = std::any_of(plan.items.begin(), plan.items.end(), [](const PlanItem &item) {
                  return item.isActedOn() && item.taskSeen->state == TaskState::Completed;
              });
        plan.exportsFirst = true;
        plan.commands
            += u"remove each id from where it stands, with its unique lock where it is its "
               "own, and its hash, in scripts of at most 500 ids"_s;
        plan.undo
            = u"Undo imports the export: the same tasks, with the same ids, where they were; those "
              "that were pending wait behind all others"_s;
        return plan;
    }

    /// Tasks that were made by hand go, as long as no worker has taken them.
    [[nodiscard]] Result<Plan> planUndoing(OperatorSession &session,
                                           const Activity &undone) const override
    {
        Selection selection;
        QHash<TaskId, QString> left;
        for (const AuditedItem &item : undone.items) {
            if (outcomeOf(item) != Outcome::Done)
                continue;
            selection.queue.text = item.queue;
            selection.tasks += TaskId{item.task};
            left.insert({item.task}, afterOf(item));
        }
        if (selection.tasks.isEmpty())
            return cannotUndo(undone, u"no task was made"_s);
        auto plan = this->plan(session, selection);
        if (plan)
            keepUnmoved(*plan, left);
        return plan;
    }

    [[nodiscard]] Judgement foundTask(const Trace &before, const TaskSeen &now) const override
    {
        if (now.state == TaskState::None)
            return {Outcome::Done, {}};
        return TaskOperation::foundTask(before, now);
    }

protected:
    [[nodiscard]] Result<void> prepare(OperatorSession &session, const Plan &plan, Receipt &receipt,
                                       const OperationControl &control) const override
    {
        return exportTasks(session, plan, actingItems(plan), receipt, control);
    }

    [[nodiscard]] Result<QList<TaskAnswer>>
    send(OperatorSession & /*session*/, TaskEditor &editor, const QueueName &queue,
         const QList<TaskGuard> &tasks, const OperationControl & /*control*/) const override
    {
        return editor.remove(queue, tasks);
    }

    [[nodiscard]] Answers act(OperatorSession &session, const Plan &plan, const Items &chunk,
                              const OperationControl &control) const override
    {
        // A row may have been replayed since the plan was made.
        Items completed;
        std::copy_if(
            chunk.begin(), chunk.end(), std::back_inserter(completed),
            [](const PlanItem &item) { return item.taskSeen->state == TaskState::Completed; });
        const auto found = behindTasks(session, completed);
        const auto isKept
            = [&found](const PlanItem &item) { return found.value(item.task).kept.has_value(); };
        Items free;
        std::copy_if(chunk.begin(), chunk.end(), std::back_inserter(free),
                     [&](const PlanItem &item) { return !isKept(item); });
        auto answered = TRY(TaskOperation::act(session, plan, free, control));
        QList<ReceiptItem> receipt;
        auto next = answered.begin();
        for (const PlanItem &item : chunk) {
            if (isKept(item)) {
                receipt += receiptItem(item, Outcome::Changed, found.value(item.task).reason);
            } else {
                receipt += *next++;
            }
        }
        return receipt;
    }
};

} // namespace

std::unique_ptr<Operation> makeDelete()
{
    return std::make_unique<Delete>();
}

} // namespace outbox
