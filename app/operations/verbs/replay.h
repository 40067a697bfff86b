// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Replay: opens a processed row again, so that the relay delivers it once more under the same id.
#pragma once

#include "app/operations/core/rowoperation.h"

namespace outbox {

/// Source: correctness.md 8, console.md 8.3. What stands under the task id decides, and it is
/// looked at again while the row is held. What the undo of a replay left there goes.
/// Errors: those of `Operation`.
class Replay : public RowOperation
{
public:
    [[nodiscard]] Verb verb() const override { return Verb::Replay; }
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override;

protected:
    [[nodiscard]] QString missingRight(const RowRights &rights) const override;
    [[nodiscard]] Result<void> ready(OperatorSession &session, const Plan &plan) const override;
    [[nodiscard]] Result<QList<ReceiptItem>> write(OperatorSession &session, OutboxEditor &editor,
                                                   const Plan &plan, const Items &held,
                                                   const OperationControl &control) const override;
    void takeBack(OperatorSession &session, const Plan &plan, const Items &held) const override;
    [[nodiscard]] bool isUndoable(const Receipt &receipt) const override;
};

} // namespace outbox
