// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Unreplay: marks reopened rows processed again, where no relay has taken them: the undo of replay.
#pragma once

#include "app/operations/core/rowoperation.h"

namespace outbox {

/// Its plans are made from the record of a replay, which alone knows the old processed times. An
/// enqueue of a relay that had the reopened row in hand may be on its way: a tombstone takes the
/// task id, so that the message is not delivered behind the undo.
/// Errors: those of `Operation`.
class Unreplay : public RowOperation
{
public:
    [[nodiscard]] Verb verb() const override { return Verb::Unreplay; }
    /// Fails with Unsupported and says where undo begins.
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override;
    /// The plan that takes `replay` back, row by row.
    [[nodiscard]] Result<Plan> planFor(OperatorSession &session, const Activity &replay) const;

protected:
    [[nodiscard]] QString missingRight(const RowRights &rights) const override;
    [[nodiscard]] Result<void> ready(OperatorSession &session, const Plan &plan) const override;
    [[nodiscard]] Result<QList<ReceiptItem>> write(OperatorSession &session, OutboxEditor &editor,
                                                   const Plan &plan, const Items &held,
                                                   const OperationControl &control) const override;
    void takeBack(OperatorSession &session, const Plan &plan, const Items &held) const override;
};

} // namespace outbox
