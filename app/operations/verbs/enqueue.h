// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Enqueue: one task by hand, under an id where nothing stands.
#pragma once

#include "app/operations/core/operation.h"

namespace outbox {

/// The task is part of the plan; an id that is taken is never written to. Source: asynq-protocol
/// 10.3.
/// Errors: those of `Operation`.
class Enqueue : public Operation
{
public:
    [[nodiscard]] Verb verb() const override { return Verb::Enqueue; }
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override;

protected:
    [[nodiscard]] Result<QList<ReceiptItem>> act(OperatorSession &session, const Plan &plan,
                                                 const Items &chunk,
                                                 const OperationControl &control) const override;
    [[nodiscard]] bool isUndoable(const Receipt &receipt) const override;
};

} // namespace outbox
