// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What all verbs on rows have in common: one transaction a chunk, every row held and still as it
// was seen, the record beside the change.
#pragma once

#include "app/operations/core/operation.h"
#include "app/operations/core/planning.h"
#include "app/operations/core/rowselection.h"

#include <functional>

namespace outbox {

/// What would become of this row now.
using ExpectRow = std::function<Judgement(const RowWithTask &row, const VerdictTerms &terms)>;

/// A subclass says what it expects of rows and writes to those that are held.
/// Errors: those of `Operation`.
class RowOperation : public Operation
{
protected:
    /// A plan with every row of the selection as it is seen now and what `expect` says of it.
    /// `states` are those that a filter means when it names none; empty = all.
    [[nodiscard]] Result<Plan> planRows(OperatorSession &session, const Selection &selection,
                                        const QList<MessageState> &states,
                                        const ExpectRow &expect) const;

    /// Writes to rows that the open transaction holds; an answer for each. Whatever fails is rolled
    /// back by the caller; hand it through `withoutEffect` unless something stays outside the
    /// database.
    [[nodiscard]] virtual Answers write(OperatorSession &session, OutboxEditor &editor,
                                        const Plan &plan, const Items &held,
                                        const OperationControl &control) const = 0;
    /// After a failed or refused commit: what `write` left outside the database goes.
    virtual void takeBack(OperatorSession & /*session*/, const Plan & /*plan*/,
                          const Items & /*held*/) const
    { }
    /// After the commit: what is kept outside the database follows it. Where that fails the answers
    /// say so.
    virtual void follow(OperatorSession & /*session*/, QList<ReceiptItem> & /*answers*/) const { }

    [[nodiscard]] Result<void> ready(OperatorSession &session, const Plan &plan) const override;
    /// As the verb's row says: what was done, or the export of it, can be undone.
    [[nodiscard]] bool isUndoable(const Receipt &receipt) const override
    {
        return leavesUndo(receipt);
    }
    [[nodiscard]] Answers act(OperatorSession &session, const Plan &plan, const Items &chunk,
                              const OperationControl &control) const final;
};

/// Adds the statements of the plan's verb and says where they leave no record in the database.
[[nodiscard]] Result<void> describeRows(OperatorSession &session, Plan &plan);
/// Gone, claimed or of unknown state: what no verb writes to; nullopt where the row may be judged.
[[nodiscard]] std::optional<Judgement> notForAnyVerb(const RowWithTask &row,
                                                     const VerdictTerms &terms);

/// What the acting role may do; opens its session, anew where it had ended.
[[nodiscard]] Result<RowRights> rightsOf(OperatorSession &session);
/// Nothing can be done for want of `right`; the hint gives its GRANT.
[[nodiscard]] Failure lacksRight(OperatorSession &session, Verb verb, RowRight right);
[[nodiscard]] QList<RowGuard> guardsOf(const QList<PlanItem> &items);
/// The versions that rows have now, by their ids.
[[nodiscard]] QHash<MessageId, QString> versionsOf(const QList<RowWritten> &rows);
/// For each item: Done where its row has a version now, else Changed, for the reason `otherwise`.
[[nodiscard]] QList<ReceiptItem> receiptsOf(const QList<PlanItem> &held,
                                            const QHash<MessageId, QString> &versions,
                                            const QString &otherwise);

} // namespace outbox
