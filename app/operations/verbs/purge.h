// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Purge: deletes rows, after an export from which they can be put back byte for byte.
#pragma once

#include "app/operations/core/rowoperation.h"

namespace outbox {

/// Source: correctness.md 8. A pending row may have an enqueue on its way: before it is deleted a
/// tombstone takes its task id, so that the message is never delivered later (invariant I5).
/// Errors: those of `Operation`.
class Purge : public RowOperation
{
public:
    [[nodiscard]] Verb verb() const override { return Verb::Purge; }
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override;

protected:
    [[nodiscard]] QString missingRight(const RowRights &rights) const override;
    [[nodiscard]] Result<void> ready(OperatorSession &session, const Plan &plan) const override;
    [[nodiscard]] Result<void> prepare(OperatorSession &session, const Plan &plan, Receipt &receipt,
                                       const OperationControl &control) const override;
    [[nodiscard]] Result<QList<ReceiptItem>> write(OperatorSession &session, OutboxEditor &editor,
                                                   const Plan &plan, const Items &held,
                                                   const OperationControl &control) const override;
    void takeBack(OperatorSession &session, const Plan &plan, const Items &held) const override;
    [[nodiscard]] bool isUndoable(const Receipt &receipt) const override;
};

} // namespace outbox
