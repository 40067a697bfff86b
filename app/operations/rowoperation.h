// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What all verbs on rows have in common: one transaction a chunk, every row held and still as it
// was seen, the record beside the change.
#pragma once

#include "app/operations/operation.h"
#include "app/operations/planning.h"
#include "app/operations/rowlook.h"

namespace outbox {

/// A subclass judges rows and writes to those that are held.
class RowOperation : public Operation
{
public:
    [[nodiscard]] Result<Plan> plan(Workbench &bench, const Selection &selection) const override;

protected:
    /// What would become of this row now. `byId`: it was named, not matched by a filter.
    [[nodiscard]] virtual Expectation expect(const SeenRow &row, const VerdictTerms &terms,
                                             bool byId) const = 0;
    /// Adds what the verb has to say about a plan: commands, warnings, the way back.
    virtual void describe(Workbench &bench, Plan &plan) const = 0;
    /// States that a filter means when it names none; empty = all.
    [[nodiscard]] virtual QList<MessageState> defaultStates() const;
    /// The right that is missing, in words; empty when all are there.
    [[nodiscard]] virtual QString missingRight(const RowRights &rights) const = 0;
    /// Writes to rows that the open transaction holds; an answer for each. Whatever fails is rolled
    /// back by the caller; hand it through `undone` unless something stays outside the database.
    [[nodiscard]] virtual Result<QList<ReceiptItem>>
    write(Workbench &bench, OutboxEditor &editor, const Plan &plan, const Items &held,
          const OperationControl &control) const = 0;
    /// After a failed or refused commit: what `write` left outside the database goes.
    virtual void takeBack(Workbench &bench, const Plan &plan, const Items &held) const;

    [[nodiscard]] Result<void> ready(Workbench &bench, const Plan &plan) const override;
    [[nodiscard]] Result<QList<ReceiptItem>> act(Workbench &bench, const Plan &plan,
                                                 const Items &chunk,
                                                 const OperationControl &control) const final;
};

/// A failure before COMMIT was sent: nothing was done, so nothing is in doubt.
[[nodiscard]] Failure undone(const Error &error);
template <typename T> [[nodiscard]] Failure undone(const Result<T> &result)
{
    return undone(result.error());
}

[[nodiscard]] QList<RowGuard> guardsOf(const QList<PlanItem> &items);
/// A receipt item with the ids of `item`.
[[nodiscard]] ReceiptItem receiptItem(const PlanItem &item, Outcome outcome,
                                      const QString &reason = {}, const QString &after = {});

} // namespace outbox
