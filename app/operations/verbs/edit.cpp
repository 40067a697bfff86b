// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Edit: changes what one row sends, before a relay takes it. What it held is exported first, and
// undo puts it back byte for byte.
#include "app/operations/core/planning.h"
#include "app/operations/core/rowoperation.h"
#include "app/operations/core/taskoperation.h"
#include "app/operations/core/traces.h"
#include "app/operations/transfer/exporting.h"
#include "app/operations/verbs/verbs.h"
#include "models/content/difference.h"
#include "models/message/tombstone.h"
#include "models/phrases.h"
#include "models/system/offer.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QString keptText(const TaskSeen &task, const QDateTime &now)
{
    QString until = u"while it is kept"_s;
    if (task.keptUntil && *task.keptUntil > now)
        until = u"until about "_s + aboutMomentText(*task.keptUntil, now);
    else if (task.keptUntil)
        until = u"until a janitor runs"_s;
    const QString what = isTombstone(task.type)
        ? u"The record of another act has its id"_s
        : u"A task that is done has its id: the message was sent with the old content"_s;
    return what + u". The edited one would be refused as a duplicate "_s + until
        + u"; after that it runs"_s;
}

/// Whether a row may be changed while this stands under its id in a queue.
Judgement editableBeside(const TaskSeen &task, const QDateTime &now)
{
    switch (task.state) {
    case TaskState::None:
        return {Outcome::Done, {}};
    case TaskState::Completed:
        return {Outcome::Done, keptText(task, now)};
    case TaskState::Archived:
        return {Outcome::Dead,
                u"A dead task has its id and the old content: it would keep the edited message "
                "out. Delete the task first, or replace it as it is"_s};
    case TaskState::Stub:
    case TaskState::Orphan:
    case TaskState::WrongType:
        return {Outcome::Blocked, u"A damaged task has its id. Reconcile first."_s};
    case TaskState::Pending:
    case TaskState::Active:
    case TaskState::Scheduled:
    case TaskState::Retry:
    case TaskState::Aggregating:
        break;
    }
    return {Outcome::InFlight,
            u"Its task is %1: the message may be sent with the old content"_s.arg(
                label(task.state).toLower())};
}

Judgement expectedOfEditing(const RowWithTask &row, const VerdictTerms &terms)
{
    if (const auto never = notForAnyVerb(row, terms))
        return *never;
    if (row.row->state == MessageState::Processed) {
        return {Outcome::NotOffered, u"It was delivered: what was sent is not changed any more"_s};
    }
    if (row.taskError && row.taskError->kind != Error::Kind::Unsupported)
        return {Outcome::Unknown, judged(row.facts(), terms).sentence};
    if (row.taskSeen)
        return editableBeside(*row.taskSeen, terms.now);
    return {Outcome::Done,
            u"The profile names no queue: whether the message was sent with the old content cannot "
            "be seen"_s};
}

/// What the row of a plan holds now; nullopt: it went, and the plan says so.
Result<std::optional<RowContent>> contentFor(OperatorSession &session, Plan &plan)
{
    PlanItem &item = plan.items.first();
    const auto store = TRY(session.rows());
    auto content = store->contentOf(item.row);
    if (content && !*content)
        leaveAlone(item, Outcome::Gone, u"The row went at this very moment"_s);
    return content;
}

/// The row's task in the queue that it will go to; nullopt where that is the one it goes to now.
std::optional<PlanItem> inNewQueue(const OperatorSession &session, const Plan &plan,
                                   const PlanItem &item)
{
    const auto cell = std::find_if(plan.edit.begin(), plan.edit.end(), [](const EditedCell &one) {
        return one.part == RowPart::Queue && one.changes();
    });
    if (cell == plan.edit.end())
        return std::nullopt;
    Message row;
    row.task = item.task;
    row.queue = QString::fromUtf8(cell->now->bytes);
    PlanItem moved = item;
    moved.taskSeen.reset();
    moved.queue = queueFor(session, row);
    return moved.queue == item.queue ? std::nullopt : std::optional(moved);
}

/// Ids count in each queue apart: a message goes to another one only where nothing stands under its
/// id, neither there nor in the queue that it leaves.
Result<void> judgeNewQueue(OperatorSession &session, Plan &plan)
{
    PlanItem &item = plan.items.first();
    const auto moved = inNewQueue(session, plan, item);
    if (!moved || !item.isActedOn())
        return {};
    if (item.taskSeen && item.taskSeen->state != TaskState::None) {
        leaveAlone(item, Outcome::NotOffered,
                   u"A task that is done has its id in the queue %1: in another one the message "
                   "runs a second time"_s.arg(item.queue.text));
        return {};
    }
    const auto tasks = readTasksOf(session, {*moved});
    if (!tasks && tasks.error().kind == Error::Kind::Unsupported)
        return {};
    if (!tasks)
        return passOn(tasks);
    const Judgement there = editableBeside(tasks->first(), plan.at);
    if (tasks->first().state != TaskState::None) {
        leaveAlone(item, there.outcome == Outcome::Done ? Outcome::RefusedUntil : there.outcome,
                   u"In the queue %1: %2"_s.arg(moved->queue.text, there.reason));
    }
    warnOfUnservedQueue(session, moved->queue, plan);
    return {};
}

/// What a relay or a receiver would make of it.
void warnOfContent(const RowContent &content, Plan &plan)
{
    for (const EditedCell &cell : std::as_const(plan.edit)) {
        const RowPartContent *part = content.part(cell.part);
        if (!part || !cell.changes())
            continue;
        if (const QString why = whyNotSent(*part, cell.now->bytes); !why.isEmpty())
            plan.warnings += capital(word(cell.part)) + u": "_s + why;
        if (part->isRewritten) {
            plan.warnings
                += u"The database keeps %1 in a form of its own: the order of members, the blanks "
                   "between them and names that are there twice are not kept. The changes show "
                   "what it will hold"_s.arg(part->type);
        }
    }
}

/// Completes a plan whose row was looked at: what is changed, how it is guarded, what is to be
/// known of it.
Result<void> addEdit(OperatorSession &session, const RowContent &content,
                     const QList<EditedCell> &cells, Plan &plan)
{
    PlanItem &item = plan.items.first();
    plan.edit = cells;
    plan.difference = differenceOf(cells, session.profile().masks);
    item.intended = digestOf(cells);
    plan.exportsFirst = true;
    plan.undo = u"Until a relay takes the row, undo puts its old content back, byte for byte"_s;
    if (!item.rowSeen || item.rowSeen->version != content.version)
        leaveAlone(item, Outcome::NotOffered, u"It was changed at this very moment: plan again"_s);
    if (std::none_of(cells.begin(), cells.end(),
                     [](const EditedCell &cell) { return cell.changes(); })) {
        leaveAlone(item, Outcome::NothingToDo, u"It holds this already"_s);
        return {};
    }
    const auto store = TRY(session.rows());
    plan.statements = store->statementsOf(cells);
    TRY(judgeNewQueue(session, plan));
    warnOfContent(content, plan);
    if (!item.isActedOn())
        return {};
    if (item.rowSeen->state == MessageState::Failed)
        addReason(item, u"It stays failed: no relay takes it before that is reset"_s);
    const auto parked = TRY(parkedRowsOf(session));
    if (parked.contains(item.row))
        addReason(item, u"It stays parked: unpark it, and a relay sends it"_s);
    return {};
}

/// The row in the export of the act that is undone.
Result<WholeRow> exportedRow(const Activity &undone, const MessageId &id)
{
    auto reader = TRY(exportOf(undone));
    while (true) {
        const auto next = TRY(reader.next());
        if (!next)
            return cannotUndo(undone, u"the export does not hold the row"_s);
        if (const auto *row = std::get_if<WholeRow>(&*next); row && row->id == id)
            return *row;
    }
}

/// Why the row stays as it is, where its task is not what the plan told of; empty: it is.
QString whyNotAsPlanned(const TaskSeen &now, const PlanItem &item)
{
    const TaskState planned = item.taskSeen ? item.taskSeen->state : TaskState::None;
    if (now.state == planned)
        return {};
    const Judgement judgement = editableBeside(now, QDateTime::currentDateTimeUtc());
    return judgement.reason.isEmpty() ? u"Its task is %1 now"_s.arg(label(now.state).toLower())
                                      : judgement.reason;
}

/// One row a plan, since what is wanted of it is wanted of no other.
/// Errors: those of `Operation`.
class Edit : public RowOperation
{
public:
    [[nodiscard]] Verb verb() const override { return Verb::Edit; }
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override
    {
        const QString doing = u"planning: "_s + label(verb());
        if (const QString why = whyNotForShape(verb(), session.shape()); !why.isEmpty())
            return fail(Error::Kind::Unsupported, doing, why);
        if (selection.rows.size() != 1 || !selection.edit || selection.edit->isEmpty()) {
            return fail(Error::Kind::Invalid, doing,
                        u"one row is needed, and what is to change of it"_s);
        }
        Plan plan = TRY(planRows(session, selection, {}, expectedOfEditing));
        const auto content = TRY(contentFor(session, plan));
        if (!content)
            return plan;
        const auto store = TRY(session.rows());
        const auto cells = TRY(store->cellsOf(*content, *selection.edit));
        TRY(addEdit(session, *content, cells, plan));
        const auto &seen = selection.edit->seen;
        if (const auto other = seen ? content->firstOther(*seen) : std::nullopt) {
            leaveAlone(plan.items.first(), Outcome::NotOffered,
                       u"Its %1 was changed since it was shown: look again"_s.arg(word(*other)));
        }
        return plan;
    }

    /// The old content of each part that may be changed, where the row is as the act left it.
    [[nodiscard]] Result<Plan> planUndoing(OperatorSession &session,
                                           const Activity &undone) const override
    {
        const auto done
            = std::find_if(undone.items.begin(), undone.items.end(), [](const AuditedItem &item) {
                  return outcomeOf(item) == Outcome::Done;
              });
        if (done == undone.items.end())
            return cannotUndo(undone, u"none of its rows was changed"_s);
        Selection selection;
        selection.rows = {MessageId{done->row}};
        const auto old = TRY(exportedRow(undone, selection.rows.first()));
        Plan plan = TRY(planRows(session, selection, {}, expectedOfEditing));
        plan.undoOf = undone.operation;
        const auto content = TRY(contentFor(session, plan));
        if (!content)
            return plan;
        QList<EditedCell> cells;
        for (const RowPartContent &part : content->parts) {
            const qsizetype place = old.columns.indexOf(part.column);
            if (!part.mayChange())
                continue;
            cells += EditedCell{part.part, part.column, part.cell,
                                place < 0 ? std::nullopt : std::optional(old.cells.at(place))};
        }
        TRY(addEdit(session, *content, cells, plan));
        if (content->version != afterOf(*done)) {
            leaveAlone(plan.items.first(), Outcome::NotOffered,
                       u"The row was changed since, by somebody else"_s);
        }
        return plan;
    }

    /// A row that holds what was intended was written to by this act.
    [[nodiscard]] Result<Judgement> foundRow(OperatorSession &session, const Trace &before,
                                             const RowWithTask &now) const override
    {
        auto found = RowOperation::foundRow(session, before, now);
        if (!found || found->outcome != Outcome::Changed || before.intended.isEmpty())
            return found;
        const auto store = TRY(session.rows());
        const auto content = TRY(store->contentOf(now.id));
        if (!content || digestOf(*content) != before.intended)
            return found;
        return Judgement{Outcome::Done, {}, content->version};
    }

protected:
    [[nodiscard]] Result<void> prepare(OperatorSession &session, const Plan &plan, Receipt &receipt,
                                       const OperationControl &control) const override
    {
        return exportRows(session, plan, receipt, control);
    }

    [[nodiscard]] Answers write(OperatorSession &session, OutboxEditor &editor, const Plan &plan,
                                const Items &held, const OperationControl &control) const override
    {
        if (held.isEmpty())
            return QList<ReceiptItem>();
        if (held.size() != 1) {
            return fail(Error::Kind::Invalid, u"editing"_s,
                        u"the plan is about more than one row"_s);
        }
        // The row is held, so no relay can enqueue it now: what stands under its id stays, or is
        // seen to have changed.
        const PlanItem &item = held.first();
        Items places{item};
        if (const auto moved = inNewQueue(session, plan, item))
            places += *moved;
        const auto tasks = readTasksOf(session, places);
        const bool noQueue = !tasks && tasks.error().kind == Error::Kind::Unsupported;
        if (!tasks && !noQueue)
            return withoutEffect(tasks);
        pass(control, "observed");
        if (!noQueue) {
            for (qsizetype i = 0; i < places.size(); ++i) {
                const QString why = whyNotAsPlanned(tasks->at(i), places.at(i));
                if (!why.isEmpty())
                    return QList<ReceiptItem>{receiptItem(item, Outcome::Changed, why)};
            }
        }
        const auto edited = editor.edit(guardsOf(held).first(), plan.edit);
        if (!edited)
            return withoutEffect(edited);
        return receiptsOf(held, versionsOf(*edited), u"It is not as it was seen"_s);
    }
};

} // namespace

std::unique_ptr<Operation> makeEdit()
{
    return std::make_unique<Edit>();
}

} // namespace outbox
