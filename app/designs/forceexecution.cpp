// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lets a consumed message run once more: makes its token again, on record.
#include "app/designs/designoperations.h"

#include "app/operations/core/planning.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// A token that is gone says that its message was executed. To make it again is a second execution,
/// which must be asked for as such. The message itself is not sent by this.
/// Errors: those of `Operation`.
class ForceExecution : public Operation
{
public:
    explicit ForceExecution(DesignPlace place) : m_place(std::move(place)) { }

    [[nodiscard]] Verb verb() const override { return Verb::Replay; }
    /// `selection.tasks` are tokens.
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override
    {
        Plan plan = TRY(newPlan(session, verb(), selection));
        DocumentStores stores;
        const std::stop_callback broken(session.stop(), [&stores] { stores.interrupt(); });
        TRY(stores.openOther(m_place, StoreAccess::ReadOnly));
        if (!stores.tokens()) {
            return fail(Error::Kind::Invalid, u"planning a forced execution"_s,
                        u"no store of tokens was named"_s, {},
                        u"Give --done-table NAME, or --done-prefix SET with --redis URL"_s);
        }
        QStringList ids;
        for (const TaskId &token : selection.tasks)
            ids += token.text;
        ids.removeDuplicates(); // one that is named twice is made once
        const auto have = TRY(stores.tokens()->have(ids));
        for (const QString &token : std::as_const(ids)) {
            PlanItem item;
            item.task.text = token;
            const bool isThere = have.contains(token);
            item.expected = isThere ? Outcome::NothingToDo : Outcome::SecondExecution;
            item.reason = isThere
                ? u"It has its token: the message that carries it is executed when it comes"_s
                : u"Forced execution: its token is consumed, so its message was executed, or never "
                  "was ours"_s;
            plan.items += item;
        }
        plan.selection = u"forced execution of %1 messages"_s.arg(ids.size());
        plan.commands += u"make the token again; the message that carries it must come once more"_s;
        plan.warnings += u"A message that was executed will be executed a second time"_s;
        plan.undo = u"It cannot be undone once a message has consumed the token"_s;
        return plan;
    }

protected:
    [[nodiscard]] Result<void> ready(OperatorSession & /*session*/,
                                     const Plan & /*plan*/) const override
    {
        DocumentStores stores;
        return stores.openOther(m_place, StoreAccess::Act);
    }

    [[nodiscard]] Answers act(OperatorSession &session, const Plan &plan, const Items &chunk,
                              const OperationControl &control) const override
    {
        DocumentStores stores;
        if (auto opened = stores.openOther(m_place, StoreAccess::Act); !opened)
            return withoutEffect(opened);
        QStringList ids;
        for (const PlanItem &item : chunk)
            ids += item.task.text;
        const auto have = stores.tokens()->have(ids);
        if (!have)
            return withoutEffect(have);
        QList<Token> tokens;
        QList<ReceiptItem> items;
        for (const PlanItem &item : chunk) {
            const bool isThere = have->contains(item.task.text);
            items += receiptItem(item, isThere ? Outcome::Changed : Outcome::Done,
                                 isThere ? u"somebody made the token meanwhile"_s
                                         : u"forced execution"_s);
            if (!isThere) {
                tokens += Token{item.task.text,
                                u"forced by %1, operation %2"_s.arg(session.who(), plan.operation),
                                {},
                                QDateTime::currentDateTimeUtc()};
            }
        }
        pass(control, "before making tokens");
        TRY(stores.tokens()->create(tokens));
        pass(control, "made tokens");
        TRY(stores.mayCommit());
        return items;
    }

private:
    DesignPlace m_place;
};

} // namespace

std::unique_ptr<Operation> makeForceExecution(DesignPlace place)
{
    return std::make_unique<ForceExecution>(std::move(place));
}

} // namespace outbox
