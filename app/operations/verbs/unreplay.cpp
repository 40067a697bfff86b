// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Unreplay: marks reopened rows processed again, where no relay has taken them: the undo of replay.
#include "app/operations/core/rowoperation.h"
#include "app/operations/core/traces.h"
#include "app/operations/verbs/tombstones.h"
#include "app/operations/verbs/verbs.h"
#include "models/phrases.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// What a replay did to one row.
struct Reopened
{
    MessageId row;
    QString version; ///< that the row had afterwards
    std::optional<QDateTime> processed; ///< that it had before
    QString processedText; ///< as its column held it
};

QList<Reopened> reopenedBy(const Activity &replay)
{
    QList<Reopened> rows;
    for (const AuditedItem &item : replay.items) {
        if (outcomeOf(item) != Outcome::Done || item.row.isEmpty())
            continue;
        const Trace before = Trace::fromText(item.before);
        rows += Reopened{{item.row}, afterOf(item), before.processed, before.processedText};
    }
    return rows;
}

/// Nothing, or the tombstone of an undo that did not come to its end.
bool isFree(const TaskSeen &task, bool hasTombstone)
{
    return task.state == TaskState::None || (hasTombstone && isTombstone(task.type));
}

Judgement expectedOfUnreplaying(const RowWithTask &row, const Reopened &was, bool hasTombstone,
                                const VerdictTerms &terms)
{
    if (const auto never = notForAnyVerb(row, terms))
        return *never;
    if (was.processedText.isEmpty())
        return {Outcome::NotOffered, u"The record does not say when it was processed before"_s};
    if (row.row->version != was.version) {
        return {Outcome::NotOffered,
                row.row->state == MessageState::Processed ? u"A relay has delivered it since"_s
                                                          : u"The row was changed since"_s};
    }
    if (row.taskError && row.taskError->kind != Error::Kind::Unsupported)
        return {Outcome::Unknown, judged(row.facts(), terms).sentence};
    if (row.taskSeen && !isFree(*row.taskSeen, hasTombstone))
        return {Outcome::InFlight, judged(row.facts(), terms).sentence};
    return {Outcome::Done, {}};
}

/// Its plans are made from the record of a replay, which alone knows the old processed times. An
/// enqueue of a relay that had the reopened row in hand may be on its way: a tombstone takes the
/// task id, so that the message is not delivered behind the undo.
/// Errors: those of `Operation`.
class Unreplay : public RowOperation
{
public:
    [[nodiscard]] Verb verb() const override { return Verb::Unreplay; }
    /// Fails with Unsupported and says where undo begins.
    [[nodiscard]] Result<Plan> plan(OperatorSession & /*session*/,
                                    const Selection & /*selection*/) const override
    {
        return fail(Error::Kind::Unsupported, u"planning: "_s + label(verb()),
                    u"only the record of a replay knows what to put back"_s, {},
                    u"Undo the replay from its entry in the activity"_s);
    }

    /// Row by row.
    [[nodiscard]] Result<Plan> planUndoing(OperatorSession &session,
                                           const Activity &undone) const override
    {
        const QList<Reopened> reopened = reopenedBy(undone);
        Selection selection;
        for (const Reopened &row : reopened)
            selection.rows += row.row;
        Plan plan = TRY(newPlan(session, verb(), selection));
        const auto rows = TRY(readRowsOf(session, selection.rows));
        TRY(describeRows(session, plan));
        const VerdictTerms terms = verdictTermsOf(session);
        for (qsizetype i = 0; i < reopened.size(); ++i) {
            PlanItem item = rows.at(i).item();
            if (item.rowSeen) { // what the act puts back
                item.rowSeen->processed = reopened.at(i).processed;
                item.rowSeen->processedText = reopened.at(i).processedText;
            }
            const auto tombstone = TRY(tombstoneUnder(session, item));
            if (isUndoneReplay(tombstone))
                item.evidence = tombstone;
            const Judgement expect = expectedOfUnreplaying(rows.at(i), reopened.at(i),
                                                           !item.evidence.isEmpty(), terms);
            item.expected = expect.outcome;
            item.reason = expect.reason;
            plan.items += item;
        }
        plan.undoOf = undone.operation;
        if (!session.profile().redisUrl.isEmpty() && plan.acting() > 0) {
            plan.commands
                += u"leave a completed record without payload under the task id of each row, "
                   "kept %1, so that an enqueue on its way is refused; then mark the row"_s.arg(
                       spanText(static_cast<double>(tombstoneSeconds(session.profile()))));
        }
        plan.undo = u"Replay the rows again, which takes the records away"_s;
        return plan;
    }

    [[nodiscard]] Result<Judgement> foundRow(OperatorSession &session, const Trace &before,
                                             const RowWithTask &now) const override
    {
        auto found = RowOperation::foundRow(session, before, now);
        if (!found || found->outcome != Outcome::Changed)
            return found;
        if (now.row->state != MessageState::Processed)
            return found;
        return Judgement{Outcome::Done, {}, now.row->version};
    }

protected:
    [[nodiscard]] Result<void> ready(OperatorSession &session, const Plan &plan) const override
    {
        TRY(RowOperation::ready(session, plan));
        const auto editor = session.taskEditor();
        const bool noQueue = !editor && editor.error().kind == Error::Kind::Unsupported;
        return editor || noQueue ? Result<void>() : passOn(editor);
    }

    [[nodiscard]] Answers write(OperatorSession &session, OutboxEditor &editor, const Plan &plan,
                                const Items &held, const OperationControl &control) const override
    {
        // A relay whose commit got lost may have left a task: marking its row processed would be
        // right, but it would not be an undo.
        const auto tasks = readTasksOf(session, held);
        const bool noQueue = !tasks && tasks.error().kind == Error::Kind::Unsupported;
        if (!tasks && !noQueue)
            return withoutEffect(tasks);
        Items untouched;
        Items needTombstones;
        for (qsizetype i = 0; i < held.size(); ++i) {
            if (!noQueue && !isFree(tasks->at(i), !held.at(i).evidence.isEmpty()))
                continue;
            untouched += held.at(i);
            if (!noQueue && tasks->at(i).state == TaskState::None)
                needTombstones += held.at(i);
        }
        pass(control, "observed");

        const QString mark = undoneReplay(plan.operation);
        const auto taken = TRY(placeTombstone(session, needTombstones, mark));
        if (!needTombstones.isEmpty())
            pass(control, "tombstoned");
        untouched.removeIf([&](const PlanItem &item) { return taken.contains(item); });
        QStringList times;
        for (const PlanItem &item : std::as_const(untouched))
            times += item.rowSeen->processedText;
        const auto marked = editor.markProcessed(guardsOf(untouched), times);
        if (!marked)
            return withoutEffect(marked);
        const auto versions = versionsOf(*marked);
        Items leftTombstoned;
        std::copy_if(needTombstones.begin(), needTombstones.end(),
                     std::back_inserter(leftTombstoned),
                     [&](const PlanItem &item) { return !versions.contains(item.row); });
        static_cast<void>(removeTombstone(session, leftTombstoned, mark));
        return receiptsOf(held, versions, u"A relay has taken it meanwhile"_s);
    }

    void takeBack(OperatorSession &session, const Plan &plan, const Items &held) const override
    {
        static_cast<void>(removeTombstone(session, held, undoneReplay(plan.operation)));
    }
};

} // namespace

std::unique_ptr<Operation> makeUnreplay()
{
    return std::make_unique<Unreplay>();
}

} // namespace outbox
