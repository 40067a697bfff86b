// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Import: puts exported rows and tasks back under their own ids: the undo of purge and delete.
#include "app/operations/core/operation.h"
#include "app/operations/core/planning.h"
#include "app/operations/core/rowoperation.h"
#include "app/operations/core/taskoperation.h"
#include "app/operations/core/traces.h"
#include "app/operations/transfer/exportfile.h"
#include "app/operations/transfer/exporting.h"
#include "app/operations/verbs/importplan.h"
#include "app/operations/verbs/tombstones.h"
#include "app/operations/verbs/verbs.h"
#include "app/settings/opening.h"
#include "connectors/sql/outbox/wholerows.h"

#include <QHash>
#include <QSet>

#include <algorithm>
#include <functional>
#include <optional>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

bool isRow(const PlanItem &item)
{
    return !item.row.isEmpty();
}

/// The same id may stand in two queues.
using TaskKey = std::pair<QueueName, TaskId>;

TaskKey keyOf(const PlanItem &item)
{
    return {item.queue, item.task};
}

qint64 bytesOf(const StoredTask &task)
{
    qint64 bytes = 0;
    for (const auto &field : task.fields)
        bytes += field.second.size();
    return bytes;
}

/// What was read and not written yet, bounded as a page of an export is.
template <typename Item> class Pages
{
public:
    void add(Item item)
    {
        m_bytes += bytesOf(item);
        m_items += std::move(item);
    }
    [[nodiscard]] bool isFull() const
    {
        return m_items.size() >= exportPageItems || m_bytes >= exportPageBytes;
    }
    [[nodiscard]] QList<Item> take()
    {
        m_bytes = 0;
        return std::exchange(m_items, {});
    }
    [[nodiscard]] bool isEmpty() const { return m_items.isEmpty(); }

private:
    QList<Item> m_items;
    qint64 m_bytes = 0;
};

Result<void> record(OperatorSession &session, OutboxEditor &editor, const Plan &plan,
                    const QSet<MessageId> &inserted)
{
    const auto rights = TRY(editor.rights());
    if (!rights.audit)
        return {};
    QList<AuditRow> rows;
    for (const MessageId &row : inserted) {
        rows += AuditRow{plan.operation,      session.who(), session.face(),
                         word(plan.verb),     row.text,      {},
                         word(Outcome::Done), plan.selection};
    }
    return editor.record(rows);
}

/// What exists stays as it is. A row comes back without the tombstone that a purge left: the row is
/// to be delivered.
/// Errors: those of `Operation`.
class Import : public Operation
{
public:
    [[nodiscard]] Verb verb() const override { return Verb::Import; }
    /// Everything that `selection.file` holds.
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override;
    /// From the very file that was written before the act.
    [[nodiscard]] Result<Plan> planUndoing(OperatorSession &session,
                                           const Activity &undone) const override;

    [[nodiscard]] Result<Judgement> foundRow(OperatorSession & /*session*/,
                                             const Trace & /*before*/,
                                             const RowWithTask &now) const override
    {
        return Judgement{now.row ? Outcome::Done : Outcome::Cancelled};
    }
    [[nodiscard]] Judgement foundTask(const Trace & /*before*/, const TaskSeen &now) const override
    {
        return {now.state == TaskState::None ? Outcome::Cancelled : Outcome::Done, {}};
    }

protected:
    [[nodiscard]] Result<void> ready(OperatorSession &session, const Plan &plan) const override;
    [[nodiscard]] Result<void> prepare(OperatorSession &session, const Plan &plan, Receipt &receipt,
                                       const OperationControl &control) const override;
    [[nodiscard]] Answers act(OperatorSession &session, const Plan &plan, const Items &chunk,
                              const OperationControl &control) const override;

private:
    /// What `undone` is on record to have deleted, or may have deleted.
    [[nodiscard]] Result<Plan> planFor(OperatorSession &session, const Activity &undone) const;
    [[nodiscard]] Answers putRows(OperatorSession &session, const Plan &plan, const Items &rows,
                                  const OperationControl &control) const;
    [[nodiscard]] Answers putTasks(OperatorSession &session, const Items &tasks,
                                   const OperationControl &control) const;
    [[nodiscard]] Result<std::optional<ExportItem>> nextOf(const PlanItem &item) const;

    /// Goes through the file once, chunk by chunk: the items of a plan stand in its order.
    mutable std::optional<ExportReader> m_reader;
};

} // namespace

Result<Plan> Import::plan(OperatorSession &session, const Selection &selection) const
{
    if (selection.file.isEmpty()) {
        return fail(Error::Kind::Invalid, u"planning: "_s + label(verb()),
                    u"no export file was named"_s);
    }
    Plan plan = TRY(newPlan(session, verb(), selection));
    TRY(planImport(session, selection.file, plan));
    plan.undo = u"No automatic undo: purge the rows, or delete the tasks"_s;
    return plan;
}

Result<Plan> Import::planUndoing(OperatorSession &session, const Activity &undone) const
{
    if (undone.verb == Verb::Archive) {
        if (std::any_of(undone.items.begin(), undone.items.end(), wasTrimmed))
            return planFor(session, undone);
        return cannotUndo(undone, u"the former place of a task cannot be restored"_s,
                          u"Run the tasks to make them pending again"_s);
    }
    if (undone.exportFile.isEmpty())
        return cannotUndo(undone, u"nothing was exported"_s);
    auto plan = planFor(session, undone);
    if (plan && plan->fileChecksum != undone.exportChecksum) {
        return notTheExport(
            undone, u"Put the exported file back in its place, or import this one by itself"_s);
    }
    return plan;
}

Result<Plan> Import::planFor(OperatorSession &session, const Activity &undone) const
{
    QHash<MessageId, Outcome> rows;
    QHash<TaskKey, QString> tasks; // with what the act left under the id
    for (const AuditedItem &item : undone.items) {
        if (undone.verb == Verb::Archive && !wasTrimmed(item))
            continue;
        const Outcome outcome = outcomeOf(item).value_or(Outcome::InDoubt);
        const bool done = outcome == Outcome::Done || outcome == Outcome::InDoubt;
        if (item.row.isEmpty() && done)
            tasks.insert({{item.queue}, {item.task}}, afterOf(item));
        else if (!item.row.isEmpty() && (done || outcome == Outcome::Cancelled))
            rows.insert({item.row}, outcome);
    }
    Selection selection;
    selection.file = undone.exportFile;
    Plan plan = TRY(newPlan(session, verb(), selection));
    const auto wanted = [&](const PlanItem &item) {
        return isRow(item) ? rows.contains(item.row) : tasks.contains(keyOf(item));
    };
    std::function<QString(const PlanItem &)> replaced;
    if (undone.verb == Verb::Replace)
        replaced = [&](const PlanItem &task) { return tasks.value(keyOf(task)); };
    TRY(planImport(session, undone.exportFile, plan, wanted, replaced));
    // A row that a crash saved from the purge is there, perhaps under a tombstone. If it is not,
    // then somebody else deleted it.
    for (PlanItem &item : plan.items) {
        if (!item.row.isEmpty() && !item.rowSeen && rows.value(item.row) == Outcome::Cancelled) {
            item.expected = Outcome::NotOffered;
            item.reason = u"It was not deleted by what is undone"_s;
        }
    }
    plan.undoOf = undone.operation;
    plan.undo = u"No automatic undo: purge the rows, or delete the tasks"_s;
    return plan;
}

Result<void> Import::ready(OperatorSession &session, const Plan &plan) const
{
    const QList<PlanItem> items = actingItems(plan);
    if (std::any_of(items.begin(), items.end(), isRow)) {
        TRY(mayWrite(session.shape(), u"carrying out: "_s + label(verb())));
        const auto rights = TRY(rightsOf(session));
        if (!rights.insert)
            return lacksRight(session, verb(), RowRight::Insert);
    }
    const bool needsQueue = std::any_of(items.begin(), items.end(), [](const PlanItem &item) {
        return !isRow(item) || !item.evidence.isEmpty();
    });
    if (!needsQueue)
        return {};
    const auto editor = session.taskEditor();
    return editor ? Result<void>() : passOn(editor);
}

Result<void> Import::prepare(OperatorSession & /*session*/, const Plan &plan, Receipt & /*receipt*/,
                             const OperationControl & /*control*/) const
{
    auto reader = TRY(ExportReader::open(plan.file));
    if (reader.checksum() != plan.fileChecksum) {
        return fail(Error::Kind::Conflict, u"importing "_s + plan.file,
                    u"the file is not the one that was planned for"_s, {}, u"Plan again"_s);
    }
    m_reader.emplace(std::move(reader));
    return {};
}

Result<std::optional<ExportItem>> Import::nextOf(const PlanItem &item) const
{
    while (true) {
        auto next = m_reader->next();
        if (!next || !*next)
            return next;
        const auto *row = std::get_if<WholeRow>(&**next);
        const auto *task = std::get_if<StoredTask>(&**next);
        const bool found = row
            ? row->id == item.row
            : item.row.isEmpty() && task->id == item.task && task->queue == item.queue;
        if (found)
            return next;
    }
}

Answers Import::act(OperatorSession &session, const Plan &plan, const Items &chunk,
                    const OperationControl &control) const
{
    // Rows stand before tasks or behind them, as the file has them; each run keeps its order.
    QList<ReceiptItem> receipt;
    for (qsizetype from = 0; from < chunk.size();) {
        qsizetype to = from;
        while (to < chunk.size() && isRow(chunk.at(to)) == isRow(chunk.at(from)))
            ++to;
        const Items run = chunk.mid(from, to - from);
        const auto put = isRow(run.first()) ? putRows(session, plan, run, control)
                                            : putTasks(session, run, control);
        if (!put) {
            // What an earlier run of this chunk did is done: all of it counts as in doubt.
            return from == 0 ? put : withUnknownEffect(put.error());
        }
        receipt += *put;
        from = to;
    }
    return receipt;
}

Answers Import::putRows(OperatorSession &session, const Plan &plan, const Items &rows,
                        const OperationControl &control) const
{
    const auto opened = session.rowEditor();
    if (!opened)
        return withoutEffect(opened);
    OutboxEditor &editor = **opened;
    if (auto begun = editor.begin(); !begun)
        return withoutEffect(begun);
    const auto giveUp = [&editor](const Error &error) {
        static_cast<void>(editor.rollback());
        return withoutEffect(error);
    };
    QSet<MessageId> inserted;
    Pages<WholeRow> page;
    const auto insert = [&]() -> Result<void> {
        const auto done = TRY(editor.insert(page.take()));
        for (const MessageId &row : done)
            inserted += row;
        return {};
    };
    for (const PlanItem &item : rows) {
        auto next = nextOf(item);
        if (!next)
            return giveUp(next.error());
        if (!*next || item.rowSeen)
            continue; // only the tombstone of a row that is there goes
        page.add(std::get<WholeRow>(std::move(**next)));
        if (page.isFull()) {
            if (auto done = insert(); !done)
                return giveUp(done.error());
        }
    }
    if (!page.isEmpty()) {
        if (auto done = insert(); !done)
            return giveUp(done.error());
    }
    pass(control, "written");
    if (auto recorded = record(session, editor, plan, inserted); !recorded)
        return giveUp(recorded.error());
    Items back;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(back),
                 [&](const PlanItem &item) { return item.rowSeen || inserted.contains(item.row); });
    // Before the commit: a relay that sees the row must not meet its tombstone.
    if (auto freed = removeTombstones(session, back); !freed) {
        placeTombstonesAgain(session, back);
        return giveUp(freed.error());
    }
    pass(control, "tombstonesRemoved");
    // Whether a commit without an answer happened is not known: a tombstone over a row that is back
    // would be worse than none over one that is not.
    if (auto committed = editor.commit(); !committed) {
        if (!mayHaveHappened(committed.error()))
            placeTombstonesAgain(session, back);
        return passOn(committed);
    }
    pass(control, "committed");
    QList<ReceiptItem> receipt;
    for (const PlanItem &item : rows) {
        const bool done = item.rowSeen || inserted.contains(item.row);
        receipt += receiptItem(item, done ? Outcome::Done : Outcome::Changed,
                               done ? QString() : u"A row came under its key meanwhile"_s);
    }
    return receipt;
}

Answers Import::putTasks(OperatorSession &session, const Items &tasks,
                         const OperationControl &control) const
{
    const auto opened = session.taskEditor();
    if (!opened)
        return withoutEffect(opened);
    TaskEditor &editor = **opened;
    QHash<TaskKey, TaskAnswer> answers;
    QHash<TaskId, QByteArray> fresh; // what a Replace put under the ids of the page
    Pages<StoredTask> page;
    QueueName queue; // of the page
    const auto giveUp = [&answers](const Error &error) {
        return answers.isEmpty() ? Failure(error) : withUnknownEffect(error);
    };
    const auto restore = [&]() -> Result<void> {
        const QList<StoredTask> stored = page.take();
        const auto done = editor.restore(queue, stored, std::exchange(fresh, {}));
        if (!done)
            return giveUp(done.error());
        for (qsizetype i = 0; i < stored.size(); ++i)
            answers.insert({stored.at(i).queue, stored.at(i).id}, done->at(i));
        return {};
    };
    for (const PlanItem &item : tasks) {
        auto next = nextOf(item);
        if (!next)
            return giveUp(next.error());
        if (!*next)
            continue;
        const bool otherQueue = !page.isEmpty() && queue != item.queue;
        if (page.isFull() || otherQueue) {
            TRY(restore());
        }
        queue = item.queue;
        if (item.taskSeen->state != TaskState::None)
            fresh.insert(item.task, item.taskSeen->stamp);
        page.add(std::get<StoredTask>(std::move(**next)));
    }
    if (!page.isEmpty()) {
        TRY(restore());
    }
    pass(control, "written");
    QList<ReceiptItem> receipt;
    for (const PlanItem &item : tasks) {
        receipt += answers.contains(keyOf(item))
            ? receiptOf(item, answers.value(keyOf(item)))
            : receiptItem(item, Outcome::Failed, u"The file does not hold it"_s);
    }
    return receipt;
}

std::unique_ptr<Operation> makeImport()
{
    return std::make_unique<Import>();
}

} // namespace outbox
