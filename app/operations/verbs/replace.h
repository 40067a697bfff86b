// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Replace: removes a task and enqueues the same message afresh, in one script.
#pragma once

#include "app/operations/core/taskoperation.h"

namespace outbox {

/// For a task that ran out of retries, or whose work is wanted once more: same id, same message, no
/// retries used. No relay can get between the two halves.
/// Errors: those of `Operation`.
class Replace : public TaskOperation
{
public:
    [[nodiscard]] Verb verb() const override { return Verb::Replace; }
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override;

protected:
    [[nodiscard]] Result<void> prepare(OperatorSession &session, const Plan &plan, Receipt &receipt,
                                       const OperationControl &control) const override;
    [[nodiscard]] Result<QList<TaskAnswer>> send(OperatorSession &session, TaskEditor &editor,
                                                 const QueueName &queue,
                                                 const QList<TaskGuard> &tasks,
                                                 const OperationControl &control) const override;
    [[nodiscard]] bool isUndoable(const Receipt &receipt) const override;
};

} // namespace outbox
