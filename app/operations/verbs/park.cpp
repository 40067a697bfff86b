// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Park and unpark: an operator sets rows aside, or lets relays have them again.
#include "app/operations/core/rowoperation.h"
#include "app/operations/core/traces.h"
#include "app/operations/verbs/verbs.h"
#include "app/relay/parking/outboxparking.h"
#include "models/filter/pagerequest.h"
#include "models/filter/rowfilter.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// The rows a filter means among those that are parked.
Result<Selection> matching(OperatorSession &session, const Selection &selection)
{
    PageRequest base;
    base.newestFirst = false;
    base.limit = mostParkedRows;
    base.payloadPrefixBytes = 0;
    auto request = TRY(pageRequestFromFilter(selection.filter, base, QDateTime::currentDateTime()));
    request.states = {MessageState::Parked};
    const auto store = TRY(session.rows());
    const auto parking = TRY(session.parking());
    const auto parked = TRY(parking->rows());
    const auto page = TRY(store->page(request, parked));
    Selection found = selection;
    for (const Message &row : page.rows)
        found.rows += row.id;
    return found;
}

ReceiptItem done(const PlanItem &item)
{
    return receiptItem(item, Outcome::Done, {}, item.rowSeen ? item.rowSeen->version : QString());
}

/// Where rows are parked nothing is written to the row itself, only beside it: the table
/// outbox_parked in the transaction that holds the row, or else a file of this user. A running
/// relay hears of it within seconds.
/// Errors: those of `Operation`.
class ParkingOperation : public RowOperation
{
public:
    /// Rows that were set aside go back, or the other way round.
    [[nodiscard]] Result<Plan> planUndoing(OperatorSession &session,
                                           const Activity &undone) const override
    {
        Selection selection;
        for (const AuditedItem &item : undone.items) {
            if (outcomeOf(item) == Outcome::Done)
                selection.rows += MessageId{item.row};
        }
        if (selection.rows.isEmpty())
            return cannotUndo(undone, u"none of its rows was changed"_s);
        return plan(session, selection);
    }

    /// The row itself was not written to: where it is parked tells.
    [[nodiscard]] Result<Judgement> foundRow(OperatorSession &session, const Trace & /*before*/,
                                             const RowWithTask &now) const override
    {
        const auto parked = TRY(parkedRowsOf(session));
        const bool done = parked.contains(now.id) == (verb() == Verb::Park);
        return Judgement{done ? Outcome::Done : Outcome::Cancelled};
    }

protected:
    /// Refused where a table is there that this role may not write to: a relay that may would not
    /// see a file.
    [[nodiscard]] Result<void> ready(OperatorSession &session, const Plan &plan) const override
    {
        TRY(RowOperation::ready(session, plan));
        const auto editor = TRY(session.rowEditor());
        const ParkedTableAccess &table = editor->parkedTable();
        if (table.obstacle().isEmpty())
            return {};
        return fail(Error::Kind::Refused, u"carrying out: "_s + label(verb()),
                    u"%1 is not used: %2"_s.arg(table.tableText(), table.obstacle()), {},
                    u"Ask the owner of the table for it"_s);
    }

    /// Adds what is written where, after the rows are held.
    [[nodiscard]] Result<void> describe(OperatorSession &session, Plan &plan) const
    {
        const auto parking = TRY(session.parking());
        const ParkedTableAccess &table = parking->table();
        if (table.isReadable()) {
            const QString text = verb() == Verb::Park ? table.putText() : table.releaseText();
            plan.statements.insert(qMin<qsizetype>(2, plan.statements.size()), text);
        } else {
            plan.warnings
                += u"No outbox_parked table: the rows are kept in %1, which only relays of "
                   "this user on this host read"_s.arg(parking->inFile().file());
        }
        return {};
    }
};

/// Refuses rows that a relay holds: what it does with them is done.
/// Errors: those of `Operation`.
class Park : public ParkingOperation
{
public:
    [[nodiscard]] Verb verb() const override { return Verb::Park; }
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override
    {
        const auto parked = TRY(parkedRowsOf(session));
        Plan plan = TRY(planRows(
            session, selection, {MessageState::Pending},
            [&](const RowWithTask &row, const VerdictTerms &terms) -> Judgement {
                if (const auto never = notForAnyVerb(row, terms))
                    return *never;
                if (row.row->state == MessageState::Processed)
                    return {Outcome::NothingToDo, u"No relay claims it any more"_s};
                if (const auto known = parked.constFind(row.id); known != parked.constEnd())
                    return {Outcome::NothingToDo, u"It is parked: "_s + parkedText(*known)};
                return {Outcome::Done, {}};
            }));
        TRY(describe(session, plan));
        plan.undo = u"Unpark the rows"_s;
        return plan;
    }

protected:
    [[nodiscard]] Answers write(OperatorSession &session, OutboxEditor &editor,
                                const Plan & /*plan*/, const Items &held,
                                const OperationControl & /*control*/) const override
    {
        QList<ParkedRow> rows;
        QList<ReceiptItem> receipt;
        for (const PlanItem &item : held) {
            rows += ParkedRow{item.row, ParkedRow::byHand + u", by "_s + session.who(), 0,
                              QDateTime::currentDateTimeUtc()};
            receipt += done(item);
        }
        if (editor.parkedTable().isWritable()) {
            if (auto parked = editor.park(rows); !parked)
                return withoutEffect(parked);
            return receipt;
        }
        const auto parking = session.parking();
        if (!parking)
            return withoutEffect(parking);
        if (auto kept = (*parking)->inFile().put(rows); !kept)
            return withoutEffect(kept);
        return receipt;
    }

    void takeBack(OperatorSession &session, const Plan & /*plan*/, const Items &held) const override
    {
        QList<MessageId> ids;
        for (const PlanItem &item : held)
            ids += item.row;
        // The rows were free and not parked before; where this fails too they are parked, and
        // listed.
        if (const auto parking = session.parking())
            static_cast<void>((*parking)->inFile().release(ids));
    }
};

/// Refuses rows that are not parked. A filter means the parked rows that match it.
/// Errors: those of `Operation`.
class Unpark : public ParkingOperation
{
public:
    [[nodiscard]] Verb verb() const override { return Verb::Unpark; }
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override
    {
        const auto parked = TRY(parkedRowsOf(session));
        const bool byFilter = selection.rows.isEmpty() && !selection.filter.isEmpty();
        const auto meant
            = TRY(byFilter ? matching(session, selection) : Result<Selection>(selection));
        if (byFilter && meant.rows.isEmpty())
            return newPlan(session, verb(), selection); // nothing matched
        Plan plan
            = TRY(planRows(session, meant, {},
                           [&](const RowWithTask &row, const VerdictTerms &terms) -> Judgement {
                               if (const auto never = notForAnyVerb(row, terms))
                                   return *never;
                               const auto known = parked.constFind(row.id);
                               if (known == parked.constEnd())
                                   return {Outcome::NothingToDo, u"It is not parked"_s};
                               return {Outcome::Done, parkedText(*known)};
                           }));
        TRY(describe(session, plan));
        plan.undo = u"Until a relay takes a row, undo parks it again"_s;
        return plan;
    }

protected:
    [[nodiscard]] Answers write(OperatorSession &session, OutboxEditor &editor,
                                const Plan & /*plan*/, const Items &held,
                                const OperationControl & /*control*/) const override
    {
        const auto parked = parkedRowsOf(session);
        if (!parked)
            return withoutEffect(parked);
        QList<MessageId> ids;
        QList<ReceiptItem> receipt;
        for (const PlanItem &item : held) {
            if (!parked->contains(item.row)) {
                receipt += receiptItem(item, Outcome::Changed, u"Somebody else let it go"_s);
                continue;
            }
            ids += item.row;
            receipt += done(item);
        }
        if (editor.parkedTable().isWritable()) {
            if (auto released = editor.unpark(ids); !released)
                return withoutEffect(released);
        }
        return receipt;
    }

    /// The file lets the rows go when nothing can take it back any more.
    void follow(OperatorSession &session, QList<ReceiptItem> &answers) const override
    {
        QList<MessageId> ids;
        for (const ReceiptItem &item : std::as_const(answers)) {
            if (item.outcome == Outcome::Done)
                ids += item.row;
        }
        const auto parking = session.parking();
        const auto released
            = parking ? (*parking)->inFile().release(ids) : Result<void>(passOn(parking));
        if (released)
            return;
        const auto left = parking ? (*parking)->inFile().rows() : Result<QList<ParkedRow>>();
        const bool isKnown = parking && left;
        const ParkedById parked = isKnown ? parkedById(*left) : ParkedById();
        for (ReceiptItem &item : answers) {
            if (item.outcome != Outcome::Done || (isKnown && !parked.contains(item.row)))
                continue;
            item.outcome = Outcome::Failed;
            item.reason = (isKnown ? u"It is parked still, whatever outbox_audit says: "_s
                                   : u"Whether it is parked still cannot be told: "_s)
                + oneLine(released.error());
        }
    }
};

} // namespace

std::unique_ptr<Operation> makePark()
{
    return std::make_unique<Park>();
}

std::unique_ptr<Operation> makeUnpark()
{
    return std::make_unique<Unpark>();
}

} // namespace outbox
