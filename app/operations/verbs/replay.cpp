// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Replay: opens a processed row again, so that the relay delivers it once more under the same id.
#include "app/operations/core/rowoperation.h"
#include "app/operations/core/traces.h"
#include "app/operations/transfer/exporting.h"
#include "app/operations/verbs/tombstones.h"
#include "app/operations/verbs/verbs.h"
#include "models/phrases.h"

#include <QHash>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

Judgement byTask(const RowWithTask &row, const VerdictTerms &terms)
{
    if (row.taskError && row.taskError->kind == Error::Kind::Unsupported) {
        return {Outcome::SecondExecution,
                u"The profile names no queue that could refuse it: it runs a second time"_s};
    }
    const IdVerdict facts = row.facts();
    const QString sentence = judged(facts, terms).sentence;
    const bool isRecord = facts.task && isTombstone(facts.task->type);
    switch (forecast(facts, terms)) {
    case Forecast::Accepted:
    case Forecast::SecondExecution:
        return {Outcome::SecondExecution, sentence + u" It runs a second time."_s};
    case Forecast::InFlight:
        return {Outcome::InFlight, sentence};
    case Forecast::RefusedUntil:
    case Forecast::RefusedExpired:
        return {Outcome::RefusedUntil,
                sentence
                    + (isRecord
                           ? u" A replay would be swallowed."_s
                           : u" A replay would be swallowed: run the task again in the queue."_s)};
    case Forecast::Dead:
        return {Outcome::Dead, sentence + u" Run it in the queue instead."_s};
    case Forecast::Collision:
        return {Outcome::Collision, sentence};
    case Forecast::Parked:
        return {Outcome::NothingToDo, sentence};
    case Forecast::Blocked:
        return {Outcome::Blocked, sentence + u" Reconcile first."_s};
    case Forecast::Unknown:
        break;
    }
    return {Outcome::Unknown, sentence};
}

Judgement expectedOfReplaying(const RowWithTask &row, const VerdictTerms &terms)
{
    if (const auto never = notForAnyVerb(row, terms))
        return *never;
    if (row.row->state != MessageState::Processed)
        return {Outcome::NothingToDo, u"Not processed yet: let the relay run now"_s};
    return byTask(row, terms);
}

/// The undo of a replay left a record under the id, which would swallow this one: it goes.
Result<void> liftTombstones(OperatorSession &session, Plan &plan)
{
    for (PlanItem &item : plan.items) {
        if (!item.rowSeen || item.rowSeen->state != MessageState::Processed)
            continue;
        const auto tombstone = TRY(tombstoneUnder(session, item));
        if (!isUndoneReplay(tombstone))
            continue;
        item.evidence = tombstone;
        item.expected = Outcome::SecondExecution;
        item.reason = u"Its replay was undone; the record that this left goes. It runs a second "
                      "time."_s;
    }
    return {};
}

bool hasTombstone(const PlanItem &item)
{
    return !item.evidence.isEmpty();
}

/// Source: correctness.md 8, console.md 8.3. What stands under the task id decides, and it is
/// looked at again while the row is held. What the undo of a replay left there goes.
/// Errors: those of `Operation`.
class Replay : public RowOperation
{
public:
    [[nodiscard]] Verb verb() const override { return Verb::Replay; }
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override
    {
        Plan plan = TRY(planRows(session, selection, {}, expectedOfReplaying));
        TRY(liftTombstones(session, plan));
        const qsizetype again = plan.counts().value(Outcome::SecondExecution);
        if (again > 1)
            plan.warnings += u"%1 messages run a second time"_s.arg(countText(again));
        if (session.shape().processedHow != OutboxShape::ProcessedHow::Deleted
            && !session.shape().canMark()) {
            plan.warnings
                += u"What is delivered is not marked in the row itself: it cannot be reset"_s;
        }
        if (session.shape().processedHow == OutboxShape::ProcessedHow::Deleted) {
            plan.warnings
                += u"The relay of this outbox deletes what it delivered: there is nothing "
                   "processed to replay"_s;
        }
        plan.undo
            = u"Until a relay takes a row, undo marks it processed again, with its original time"_s;
        return plan;
    }

    [[nodiscard]] Result<Judgement> foundRow(OperatorSession &session, const Trace &before,
                                             const RowWithTask &now) const override
    {
        auto found = RowOperation::foundRow(session, before, now);
        if (!found || found->outcome != Outcome::Changed)
            return found;
        if (now.row->state != MessageState::Processed)
            return Judgement{Outcome::Done, {}, now.row->version};
        // Processed anew: a relay has delivered what was reopened.
        const bool asBefore = now.row->processed == before.processed;
        return Judgement{asBefore ? Outcome::Changed : Outcome::Done};
    }

protected:
    [[nodiscard]] Result<void> ready(OperatorSession &session, const Plan &plan) const override
    {
        TRY(RowOperation::ready(session, plan));
        const QList<PlanItem> items = actingItems(plan);
        if (std::none_of(items.begin(), items.end(), hasTombstone))
            return {};
        const auto editor = session.taskEditor();
        return editor ? Result<void>() : passOn(editor);
    }

    [[nodiscard]] Answers write(OperatorSession &session, OutboxEditor &editor,
                                const Plan & /*plan*/, const Items &held,
                                const OperationControl &control) const override
    {
        // The rows are held, so no relay can enqueue them now; what stands under their ids stays or
        // is seen to have changed.
        QHash<MessageId, ReceiptItem> outcomes;
        Items unchanged;
        const auto tasks = readTasksOf(session, held);
        const bool noQueue = !tasks && tasks.error().kind == Error::Kind::Unsupported;
        if (!tasks && !noQueue)
            return withoutEffect(tasks);
        for (qsizetype i = 0; i < held.size(); ++i) {
            const bool isLifted
                = hasTombstone(held.at(i)) && !noQueue && isTombstone(tasks->at(i).type);
            if (noQueue || tasks->at(i).state == TaskState::None || isLifted) {
                unchanged += held.at(i);
                continue;
            }
            outcomes.insert(held.at(i).row,
                            receiptItem(held.at(i), Outcome::Changed,
                                        u"Its task is %1 now"_s.arg(label(tasks->at(i).state))));
        }
        pass(control, "observed");

        const auto reopened = editor.reopen(guardsOf(unchanged));
        if (!reopened)
            return withoutEffect(reopened);
        const auto versions = versionsOf(*reopened);
        Items tombstoned;
        std::copy_if(held.begin(), held.end(), std::back_inserter(tombstoned),
                     [&](const PlanItem &item) {
                         return hasTombstone(item) && versions.contains(item.row);
                     });
        // Before the commit: a relay that sees the row must not meet its tombstone.
        if (auto lifted = removeTombstones(session, tombstoned); !lifted)
            return withoutEffect(lifted);
        QList<ReceiptItem> receipt;
        for (const PlanItem &item : held) {
            if (outcomes.contains(item.row))
                receipt += outcomes.value(item.row);
            else if (versions.contains(item.row))
                receipt += receiptItem(item, Outcome::Done, {}, versions.value(item.row));
            else
                receipt += receiptItem(item, Outcome::Changed, u"It is not as it was seen"_s);
        }
        return receipt;
    }

    void takeBack(OperatorSession &session, const Plan & /*plan*/, const Items &held) const override
    {
        placeTombstonesAgain(session, held);
    }
};

} // namespace

std::unique_ptr<Operation> makeReplay()
{
    return std::make_unique<Replay>();
}

} // namespace outbox
