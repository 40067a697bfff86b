// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Purge: deletes rows, after an export from which they can be put back byte for byte.
#include "app/operations/core/operatorsession.h"
#include "app/operations/core/rowoperation.h"
#include "app/operations/core/taskoperation.h"
#include "app/operations/core/traces.h"
#include "app/operations/transfer/exporting.h"
#include "app/operations/verbs/tombstones.h"
#include "app/operations/verbs/verbs.h"
#include "models/message/tombstone.h"
#include "models/operations/plan.h"
#include "models/phrases.h"
#include "models/result.h"
#include "models/system/offer.h"

#include <QHash>
#include <QSet>
#include <QString>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Why these rows must stay, by row; those without children are not in it.
using ParentRows = QHash<MessageId, QString>;

constexpr qsizetype rowsOfOneQuestion = 5'000;

QString childText(const ChildRows &children)
{
    const bool isOne = children.rows == 1;
    QString text = u"%1 of %2 "_s.arg(isOne ? u"1 row"_s : countText(children.rows) + u" rows"_s,
                                      children.table.text());
    text += isOne ? u"refers to it"_s : u"refer to it"_s;
    const QString fate
        = children.fate == ChildFate::Deleted ? u"be deleted with it"_s : u"lose it"_s;
    return text + u" and would "_s + fate + u" (ON DELETE "_s + children.rule + u')';
}

/// What a deletion would take along; children that only dangle are no reason to stay.
ParentRows reasonsOf(const QList<ChildRows> &children)
{
    QHash<MessageId, QStringList> texts;
    for (const ChildRows &one : children) {
        if (one.fate != ChildFate::Dangling)
            texts[one.parent] += childText(one);
    }
    ParentRows reasons;
    for (auto row = texts.cbegin(); row != texts.cend(); ++row) {
        reasons.insert(row.key(),
                       row.value().join(u"; "_s)
                           + u". No export holds them, and no undo brings them back: export and "
                             "delete them first, then this row"_s);
    }
    return reasons;
}

void warnOfDangling(const QList<ChildRows> &children, Plan &plan)
{
    QMap<QString, qint64> rows;
    for (const ChildRows &one : children) {
        if (one.fate == ChildFate::Dangling)
            rows[one.table.text()] += one.rows;
    }
    for (auto table = rows.cbegin(); table != rows.cend(); ++table) {
        plan.warnings
            += u"%1 of %2 that refer to these rows stay and refer to nothing until the "
               "undo: SQLite does not enforce foreign keys here"_s.arg(
                   table.value() == 1 ? u"1 row"_s : countText(table.value()) + u" rows"_s,
                   table.key());
    }
}

Result<QList<ChildRows>> childrenOfPlan(OutboxStore &store, const Plan &plan)
{
    QList<MessageId> ids;
    for (const PlanItem &item : plan.items) {
        if (item.isActedOn())
            ids += item.row;
    }
    QList<ChildRows> children;
    for (qsizetype from = 0; from < ids.size(); from += rowsOfOneQuestion) {
        children += TRY(store.childrenOf(ids.mid(from, rowsOfOneQuestion)));
    }
    return children;
}

void setAside(Plan &plan, Outcome outcome, const std::function<QString(const PlanItem &)> &reason)
{
    for (PlanItem &item : plan.items) {
        const QString why = item.isActedOn() ? reason(item) : QString();
        if (why.isEmpty())
            continue;
        item.expected = outcome;
        item.reason = why;
    }
}

/// In a plan: rows that have children are not acted on, and what else happens to other tables is
/// told as a warning. Where children cannot be seen, no row is.
Result<void> keepParents(OperatorSession &session, Plan &plan)
{
    if (plan.acting() == 0)
        return {};
    const auto store = TRY(session.rows());
    const auto triggers = TRY(store->deleteTriggers());
    if (!triggers.isEmpty()) {
        plan.warnings += u"What runs in the database when rows are deleted runs here too, and the "
                         "undo does not revert what it does: %1"_s.arg(triggers.join(u", "_s));
    }
    const auto children = childrenOfPlan(*store, plan);
    if (!children && children.error().kind == Error::Kind::Refused) {
        const QString why = u"Rows of other tables may go with it, and this role may not see "
                            "them. "_s
            + oneLine(children.error());
        setAside(plan, Outcome::NotAllowed,
                 [&why](const PlanItem &) -> const QString & { return why; });
        return {};
    }
    if (!children)
        return passOn(children);
    warnOfDangling(*children, plan);
    const ParentRows parents = reasonsOf(*children);
    setAside(plan, Outcome::Blocked,
             [&parents](const PlanItem &item) { return parents.value(item.row); });
    return {};
}

/// Of the rows that the open transaction of `editor` holds.
Result<ParentRows> parentsAmong(OutboxEditor &editor, const QList<PlanItem> &held)
{
    QList<MessageId> ids;
    for (const PlanItem &item : held)
        ids += item.row;
    const auto children = TRY(editor.childrenOf(ids));
    return reasonsOf(children);
}

/// For a role that deletes without being able to lock: fails with Conflict where one of the rows
/// had children when the deletion, which is not committed yet, took it.
Result<void> checkNoParents(OperatorSession &session, const QList<MessageId> &deleted)
{
    const auto store = TRY(session.rows());
    const auto children = TRY(store->childrenOf(deleted));
    const ParentRows parents = reasonsOf(children);
    if (parents.isEmpty())
        return {};
    return fail(Error::Kind::Conflict, u"deleting %1 rows"_s.arg(deleted.size()),
                u"row %1 came to be referred to meanwhile. %2"_s.arg(parents.cbegin().key().text,
                                                                     parents.cbegin().value()),
                {}, u"Nothing of this part was deleted. Plan again"_s);
}

bool isProcessed(const PlanItem &item)
{
    return item.rowSeen && item.rowSeen->state == MessageState::Processed;
}

/// No task, or one whose work is over.
bool isFinished(const TaskSeen &task)
{
    return !isDamaged(task)
        && (task.state == TaskState::None || task.state == TaskState::Completed);
}

bool wantsTombstone(const PlanItem &item, const TaskSeen &now)
{
    return !isProcessed(item) && now.state == TaskState::None;
}

/// Of a row that is not processed, by what stands under its task id.
QString sentenceOfOpen(const TaskSeen &task)
{
    if (task.state == TaskState::None)
        return u"No task stands under its id; it will not be delivered later"_s;
    if (isTombstone(task.type)) {
        return u"It was undone before, and the record of that stays; it will not be delivered "
               "later"_s;
    }
    return u"Its message was delivered already, and its task has run; only the row goes"_s;
}

Judgement expectedOfPurging(const RowWithTask &row, const VerdictTerms &terms, bool byId)
{
    if (const auto never = notForAnyVerb(row, terms))
        return *never;
    const bool processed = row.row->state == MessageState::Processed;
    const QString sentence = judged(row.facts(), terms).sentence;
    if (!processed && !byId) {
        return {Outcome::NotOffered,
                u"Not processed: such rows are purged only when they are named one by one"_s};
    }
    if (row.taskError) {
        const bool noQueue = row.taskError->kind == Error::Kind::Unsupported;
        if (noQueue && processed)
            return {Outcome::Done, {}};
        return {Outcome::Unknown,
                noQueue
                    ? u"The profile names no queue: whether its task is on its way cannot be seen"_s
                    : sentence};
    }
    if (isFinished(*row.taskSeen))
        return {Outcome::Done, processed ? QString() : sentenceOfOpen(*row.taskSeen)};
    if (isDamaged(*row.taskSeen))
        return {Outcome::Blocked, sentence + u" Reconcile first."_s};
    return {Outcome::Unfinished, sentence + u" Delete the task first, then the row."_s};
}

/// A child may come between the look and the deletion where this role cannot lock rows.
Result<void> checkNotLocked(OperatorSession &session, OutboxEditor &editor,
                            const QList<MessageId> &deleted)
{
    const auto rights = TRY(editor.rights());
    return rights.lock ? Result<void>() : checkNoParents(session, deleted);
}

/// Source: correctness.md 8. A pending row may have an enqueue on its way: before it is deleted a
/// tombstone takes its task id, so that the message is never delivered later (invariant I5).
/// Errors: those of `Operation`.
class Purge : public RowOperation
{
public:
    [[nodiscard]] Verb verb() const override { return Verb::Purge; }
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override
    {
        if (const QString why = whyNotForShape(verb(), session.shape()); !why.isEmpty())
            return fail(Error::Kind::Unsupported, u"planning: "_s + label(verb()), why);
        const bool byId = !selection.rows.isEmpty();
        Plan plan = TRY(planRows(session, selection, {MessageState::Processed},
                                 [byId](const RowWithTask &row, const VerdictTerms &terms) {
                                     return expectedOfPurging(row, terms, byId);
                                 }));
        TRY(keepParents(session, plan));
        plan.exportsFirst = true;
        plan.undo = u"Undo imports the export: the same rows, with the same ids"_s;
        const bool tombstones
            = std::any_of(plan.items.begin(), plan.items.end(), [](const auto &item) {
                  return item.isActedOn() && item.taskSeen && wantsTombstone(item, *item.taskSeen);
              });
        if (tombstones) {
            plan.commands
                += u"leave a completed record without payload under the task id of each "
                   "pending row, kept %1, where nothing stands; then delete the row"_s.arg(
                       spanText(static_cast<double>(tombstoneSeconds(session.profile()))));
        }
        return plan;
    }

    /// A purge that came through leaves the task of a processed row as it was, and its own
    /// tombstone under a pending one: another task than the one that was seen is a relay's.
    [[nodiscard]] Result<Judgement> foundRow(OperatorSession &session, const Trace &before,
                                             const RowWithTask &now) const override
    {
        if (now.row)
            return RowOperation::foundRow(session, before, now);
        const bool wasDelivered = now.taskSeen && now.taskSeen->state != TaskState::None
            && before.task.value_or(TaskState::None) == TaskState::None
            && !isTombstone(now.taskSeen->type);
        return Judgement{wasDelivered ? Outcome::Changed : Outcome::Done};
    }

protected:
    [[nodiscard]] Result<void> ready(OperatorSession &session, const Plan &plan) const override
    {
        TRY(RowOperation::ready(session, plan));
        const QList<PlanItem> items = actingItems(plan);
        if (std::all_of(items.begin(), items.end(), isProcessed))
            return {};
        const auto editor = session.taskEditor();
        return editor ? Result<void>() : passOn(editor);
    }

    [[nodiscard]] Result<void> prepare(OperatorSession &session, const Plan &plan, Receipt &receipt,
                                       const OperationControl &control) const override
    {
        return exportRows(session, plan, receipt, control);
    }

    [[nodiscard]] Answers write(OperatorSession &session, OutboxEditor &editor, const Plan &plan,
                                const Items &held, const OperationControl &control) const override
    {
        const auto tasks = readTasksOf(session, held);
        const bool noQueue = !tasks && tasks.error().kind == Error::Kind::Unsupported;
        if (!tasks && !noQueue)
            return withoutEffect(tasks);
        pass(control, "observed");

        auto refused = parentsAmong(editor, held); // with the reason
        if (!refused)
            return withoutEffect(refused);
        Items needTombstones;
        for (qsizetype i = 0; !noQueue && i < held.size(); ++i) {
            if (refused->contains(held.at(i).row))
                continue;
            if (!isFinished(tasks->at(i)))
                refused->insert(held.at(i).row,
                                u"Its task is %1 now"_s.arg(label(tasks->at(i).state)));
            else if (wantsTombstone(held.at(i), tasks->at(i)))
                needTombstones += held.at(i);
        }
        const auto taken = TRY(placeTombstone(session, needTombstones, plan.operation));
        if (!needTombstones.isEmpty())
            pass(control, "tombstoned");
        for (const PlanItem &item : taken)
            refused->insert(item.row, u"A task came under its id meanwhile"_s);

        Items deletable;
        std::copy_if(held.begin(), held.end(), std::back_inserter(deletable),
                     [&](const PlanItem &item) { return !refused->contains(item.row); });
        const auto removed = editor.remove(guardsOf(deletable));
        if (!removed)
            return withoutEffect(removed);
        if (auto alone = checkNotLocked(session, editor, *removed); !alone)
            return withoutEffect(alone);
        const QSet<MessageId> gone(removed->begin(), removed->end());
        Items leftTombstoned;
        for (const PlanItem &item : std::as_const(needTombstones)) {
            if (!gone.contains(item.row))
                leftTombstoned += item;
        }
        static_cast<void>(removeTombstone(session, leftTombstoned, plan.operation));

        QList<ReceiptItem> receipt;
        for (const PlanItem &item : held) {
            receipt += gone.contains(item.row)
                ? receiptItem(item, Outcome::Done)
                : receiptItem(item, Outcome::Changed,
                              refused->value(item.row, u"It is not as it was seen"_s));
        }
        return receipt;
    }

    void takeBack(OperatorSession &session, const Plan &plan, const Items &held) const override
    {
        Items pending;
        std::copy_if(held.begin(), held.end(), std::back_inserter(pending),
                     [](const PlanItem &item) { return !isProcessed(item); });
        static_cast<void>(removeTombstone(session, pending, plan.operation));
    }
};

} // namespace

std::unique_ptr<Operation> makePurge()
{
    return std::make_unique<Purge>();
}

} // namespace outbox
