// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Release: takes a lease that is over off its row, so that relays see it as free again.
#include "app/operations/core/rowoperation.h"
#include "app/operations/core/traces.h"
#include "app/operations/verbs/verbs.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

Judgement expectedOfReleasing(const RowWithTask &row, const VerdictTerms &terms)
{
    if (const auto never = notForAnyVerb(row, terms))
        return *never;
    if (!row.row->leaseUntil || row.row->state == MessageState::Processed)
        return {Outcome::NothingToDo, u"It carries no lease"_s};
    const QString owner = row.row->lockedBy ? row.row->lockedBy->application : QString();
    return {Outcome::Done,
            owner.isEmpty() ? row.row->note : u"%1; its owner was %2"_s.arg(row.row->note, owner)};
}

/// Lease columns only: a row lock ends with its session, and ending a session is not ours to do.
/// Errors: those of `Operation`.
class Release : public RowOperation
{
public:
    [[nodiscard]] Verb verb() const override { return Verb::Release; }
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override
    {
        if (session.shape().lockedHow != OutboxShape::LockedHow::Until) {
            return fail(Error::Kind::Unsupported, u"planning: "_s + label(verb()),
                        u"%1 has no lease columns: a row lock ends with its session"_s.arg(
                            session.shape().table.text()),
                        {}, u"Its holder is named beside the row"_s);
        }
        const auto rows = TRY(session.rows());
        if (const QString why = rows->shape().whyTimesUntold(); !why.isEmpty())
            return fail(Error::Kind::Refused, u"planning: "_s + label(verb()), why, {},
                        timeZoneHint);
        auto plan = planRows(session, selection, {}, expectedOfReleasing);
        if (plan)
            plan->undo = u"It cannot be undone: relays are free to take the rows"_s;
        return plan;
    }

    [[nodiscard]] Result<Judgement> foundRow(OperatorSession &session, const Trace &before,
                                             const RowWithTask &now) const override
    {
        auto found = RowOperation::foundRow(session, before, now);
        if (!found || found->outcome != Outcome::Changed)
            return found;
        return now.row->leaseUntil ? found : Judgement{Outcome::Done};
    }

protected:
    [[nodiscard]] Answers write(OperatorSession & /*session*/, OutboxEditor &editor,
                                const Plan & /*plan*/, const Items &held,
                                const OperationControl & /*control*/) const override
    {
        const auto released = editor.release(guardsOf(held));
        if (!released)
            return withoutEffect(released);
        return receiptsOf(held, versionsOf(*released), u"Its lease was taken up again"_s);
    }
};

} // namespace

std::unique_ptr<Operation> makeRelease()
{
    return std::make_unique<Release>();
}

} // namespace outbox
