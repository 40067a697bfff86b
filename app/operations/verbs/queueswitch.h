// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pause and unpause: whether workers take tasks from a queue.
#pragma once

#include "app/operations/core/operation.h"

namespace outbox {

/// Only taking is stopped: producers go on filling the queue, what runs goes on running, and what
/// is scheduled becomes pending.
/// Errors: those of `Operation`.
class QueueSwitch : public Operation
{
public:
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override;

protected:
    [[nodiscard]] Result<QList<ReceiptItem>> act(OperatorSession &session, const Plan &plan,
                                                 const Items &chunk,
                                                 const OperationControl &control) const override;
    [[nodiscard]] bool isUndoable(const Receipt &receipt) const override;
};

/// Errors: those of `Operation`.
class Pause : public QueueSwitch
{
public:
    [[nodiscard]] Verb verb() const override { return Verb::Pause; }
};

/// Errors: those of `Operation`.
class Unpause : public QueueSwitch
{
public:
    [[nodiscard]] Verb verb() const override { return Verb::Unpause; }
};

} // namespace outbox
