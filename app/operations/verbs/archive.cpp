// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Archive: moves tasks to the archive, which never loses one in silence.
#include "app/operations/core/taskoperation.h"
#include "app/operations/core/traces.h"
#include "app/operations/transfer/exporting.h"
#include "app/operations/verbs/verbs.h"
#include "connectors/asynq/edit/storedtasks.h"
#include "connectors/asynq/wire/keys.h"
#include "models/phrases.h"

#include <QHash>
#include <QList>

#include <algorithm>
#include <functional>

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using asynq::archiveLimit;

namespace {

constexpr qint64 nearlyFull = 8'000;

Judgement expectedOfArchiving(const TaskSeen &task)
{
    if (const auto never = notForAnyVerb(task))
        return *never;
    if (task.state == TaskState::Archived)
        return {Outcome::NothingToDo, u"It is in the archive already"_s};
    if (task.state == TaskState::Completed)
        return {Outcome::NotOffered, u"It is done: only what has not ended can be archived"_s};
    return {Outcome::Done, {}};
}

Result<qint64> archivedNow(OperatorSession &session, const QueueName &queue)
{
    const auto inspector = TRY(session.tasks());
    const auto sizes = TRY(inspector->snapshot({queue}));
    return sizes.value(0).archived;
}

TaskGuard guardOf(const PlanItem &item)
{
    return {item.task, item.taskSeen->state, item.taskSeen->stamp};
}

/// Source: asynq-protocol 13.1: an archive holds 9,999 tasks. Where more come, the oldest must go:
/// they are exported first, recorded like everything that is acted on, and removed whole, hash and
/// all, before the chunk that needs their place.
/// Errors: those of `Operation`.
class Archive : public TaskOperation
{
public:
    [[nodiscard]] Verb verb() const override { return Verb::Archive; }
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override
    {
        return planNarrowed(session, selection, [](Plan &) {});
    }

    /// Tasks that were run from the archive go back there, as long as they are pending as they were
    /// left.
    [[nodiscard]] Result<Plan> planUndoing(OperatorSession &session,
                                           const Activity &undone) const override
    {
        Selection selection;
        QHash<TaskId, QString> left;
        QList<PlanItem> others;
        for (const AuditedItem &item : undone.items) {
            if (outcomeOf(item) != Outcome::Done)
                continue;
            const Trace before = Trace::fromText(item.before);
            if (before.task == TaskState::Archived) {
                selection.queue.text = item.queue;
                selection.tasks += TaskId{item.task};
                left.insert({item.task}, afterOf(item));
                continue;
            }
            PlanItem other;
            other.task.text = item.task;
            other.queue.text = item.queue;
            other.expected = Outcome::NotOffered;
            other.reason = u"It was %1 before: its former place cannot be restored"_s.arg(
                before.task ? label(*before.task).toLower() : u"elsewhere"_s);
            others += other;
        }
        if (selection.tasks.isEmpty())
            return cannotUndo(undone, u"none of its tasks came from the archive"_s);
        auto plan
            = planNarrowed(session, selection, [&left](Plan &all) { keepUnmoved(all, left); });
        if (!plan)
            return plan;
        plan->items += others;
        return plan;
    }

    /// What stood in the archive had to leave it.
    [[nodiscard]] Judgement foundTask(const Trace &before, const TaskSeen &now) const override
    {
        const bool leaves = before.task == TaskState::Archived;
        if (now.state == (leaves ? TaskState::None : TaskState::Archived))
            return {Outcome::Done, {}, taskAfter(now.state, now.stamp)};
        return TaskOperation::foundTask(before, now);
    }

protected:
    [[nodiscard]] Result<void> prepare(OperatorSession &session, const Plan &plan, Receipt &receipt,
                                       const OperationControl &control) const override
    {
        if (plan.trimmed == 0)
            return {};
        const Items coming = actingItems(plan);
        const QueueName queue = coming.first().queue;
        const auto inspector = TRY(session.tasks());
        const auto oldest = TRY(inspector->oldestArchived(queue, plan.trimmed));
        Items leaving;
        for (const TaskGuard &task : oldest) {
            PlanItem item;
            item.task = task.id;
            item.queue = queue;
            item.taskSeen.emplace();
            item.taskSeen->state = task.state;
            item.taskSeen->stamp = task.stamp;
            leaving += item;
        }
        // When more come than an archive holds, the first of them must leave again.
        leaving += coming.mid(0, plan.trimmed - leaving.size());
        TRY(exportTasks(session, plan, leaving, receipt, control));
        if (receipt.exportFile.isEmpty())
            return {};
        // What moved while it was exported stays.
        QHash<TaskId, PlanItem> seen;
        for (const PlanItem &item : std::as_const(leaving))
            seen.insert(item.task, item);
        return eachExported(receipt.exportFile, [&](const StoredTask &task) {
            const auto item = seen.constFind(task.id);
            if (item != seen.cend() && asynq::guardOf(task) == guardOf(*item))
                m_leaving += *item;
        });
    }

    [[nodiscard]] Result<Items> inTheWayOf(OperatorSession &session, const Items &chunk,
                                           const OperationControl & /*control*/) const override
    {
        if (m_leaving.isEmpty())
            return Items();
        const auto archived = archivedNow(session, chunk.first().queue);
        if (!archived)
            return withoutEffect(archived);
        const qint64 missing
            = std::min<qint64>(*archived + chunk.size() - archiveLimit, chunk.size());
        Items next;
        while (next.size() < missing && !m_leaving.isEmpty()) {
            PlanItem item = m_leaving.takeFirst();
            if (item.taskSeen->state != TaskState::Archived) {
                if (!m_stamps.contains(item.task))
                    continue; // it did not come
                item.taskSeen->state = TaskState::Archived;
                item.taskSeen->stamp = m_stamps.value(item.task);
            }
            next += item;
        }
        return next;
    }

    [[nodiscard]] Answers clear(OperatorSession &session, const Items &items,
                                const OperationControl &control) const override
    {
        const auto editor = session.taskEditor();
        if (!editor)
            return withoutEffect(editor);
        QList<TaskGuard> guards;
        for (const PlanItem &item : items)
            guards += guardOf(item);
        const auto answers = TRY((*editor)->remove(items.first().queue, guards));
        pass(control, "trimmed");
        QList<ReceiptItem> receipt;
        for (qsizetype i = 0; i < items.size(); ++i) {
            receipt += receiptOf(items.at(i), answers.at(i));
            if (receipt.last().outcome == Outcome::Done)
                receipt.last().reason = u"One of the oldest archived: it made room"_s;
        }
        return receipt;
    }

    [[nodiscard]] Result<QList<TaskAnswer>>
    send(OperatorSession & /*session*/, TaskEditor &editor, const QueueName &queue,
         const QList<TaskGuard> &tasks, const OperationControl & /*control*/) const override
    {
        auto answers = editor.archive(queue, tasks);
        const bool mustLeaveAgain
            = !m_leaving.isEmpty() && m_leaving.last().taskSeen->state != TaskState::Archived;
        for (qsizetype i = 0; answers && mustLeaveAgain && i < answers->size(); ++i) {
            if (answers->at(i).kind == TaskAnswer::Kind::Done)
                m_stamps.insert(tasks.at(i).id, answers->at(i).stamp);
        }
        return answers;
    }

    [[nodiscard]] bool isUndoable(const Receipt &receipt) const override
    {
        return receipt.trimmedCounts().contains(Outcome::Done);
    }

private:
    /// As `plan`, but `narrow` first leaves items alone: room is made for the others only.
    [[nodiscard]] Result<Plan> planNarrowed(OperatorSession &session, const Selection &selection,
                                            const std::function<void(Plan &)> &narrow) const
    {
        Plan plan = TRY(planTasks(session, verb(), selection, expectedOfArchiving));
        narrow(plan);
        const auto archived = TRY(archivedNow(session, queueOf(session, selection)));
        const qint64 after = archived + plan.acting();
        plan.commands
            += u"take each id out of where it stands, add it to archived and set its state, "
               "in scripts of at most 500 ids"_s;
        plan.undo = u"Their former place cannot be restored: run them to make them pending again"_s;
        if (plan.acting() > 0 && after > archiveLimit) {
            plan.trimmed = static_cast<int>(after - archiveLimit);
            plan.exportsFirst = true;
            plan.commands
                += u"before that, remove the %1 oldest archived tasks, which are exported "
                   "first: from archived, with their hashes"_s.arg(countText(plan.trimmed));
            plan.undo
                = u"What made room is imported from the export, as far as the archive takes it "
                  "then. The former place of the others cannot be restored: run them"_s;
        } else if (plan.acting() > 0 && after > nearlyFull) {
            plan.warnings += u"The archive holds %1 of %2 tasks then"_s.arg(
                countText(after), countText(archiveLimit));
        }
        return plan;
    }

    /// What the export holds, as it stands there and in the order in which it goes; nothing else
    /// may. Filled by `prepare` for the chunks after it.
    mutable Items m_leaving;
    /// Of what came with this operation and may have to leave again: its stamps in the archive.
    mutable QHash<TaskId, QByteArray> m_stamps;
};

} // namespace

std::unique_ptr<Operation> makeArchive()
{
    return std::make_unique<Archive>();
}

} // namespace outbox
