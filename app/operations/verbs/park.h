// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Park and unpark: an operator sets rows aside, or lets relays have them again.
#pragma once

#include "app/operations/core/rowoperation.h"
#include "app/relay/parking/outboxparking.h"

namespace outbox {

/// The rows that are parked now, as the looking role sees them.
[[nodiscard]] Result<ParkedById> parkedRowsOf(OperatorSession &session);

/// Where rows are parked nothing is written to the row itself, only beside it: the table
/// outbox_parked in the transaction that holds the row, or else a file of this user. A running
/// relay hears of it within seconds.
/// Errors: those of `Operation`.
class ParkingOperation : public RowOperation
{
protected:
    /// Refused where a table is there that this role may not write to: a relay that may would not
    /// see a file.
    [[nodiscard]] Result<void> ready(OperatorSession &session, const Plan &plan) const override;
    [[nodiscard]] QString missingRight(const RowRights &rights) const override;
    /// Adds what is written where, after the rows are held.
    [[nodiscard]] Result<void> describe(OperatorSession &session, Plan &plan) const;
};

/// Refuses rows that a relay holds: what it does with them is done.
/// Errors: those of `Operation`.
class Park : public ParkingOperation
{
public:
    [[nodiscard]] Verb verb() const override { return Verb::Park; }
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override;

protected:
    [[nodiscard]] Result<QList<ReceiptItem>> write(OperatorSession &session, OutboxEditor &editor,
                                                   const Plan &plan, const Items &held,
                                                   const OperationControl &control) const override;
    void takeBack(OperatorSession &session, const Plan &plan, const Items &held) const override;
    [[nodiscard]] bool isUndoable(const Receipt &receipt) const override;
};

/// Refuses rows that are not parked. A filter means the parked rows that match it.
/// Errors: those of `Operation`.
class Unpark : public ParkingOperation
{
public:
    [[nodiscard]] Verb verb() const override { return Verb::Unpark; }
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override;

protected:
    [[nodiscard]] Result<QList<ReceiptItem>> write(OperatorSession &session, OutboxEditor &editor,
                                                   const Plan &plan, const Items &held,
                                                   const OperationControl &control) const override;
    /// The file lets the rows go when nothing can take it back any more.
    void follow(OperatorSession &session, QList<ReceiptItem> &answers) const override;
    [[nodiscard]] bool isUndoable(const Receipt &receipt) const override;
};

} // namespace outbox
