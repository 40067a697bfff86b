// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Delete: removes tasks whole and frees their ids, after an export.
#pragma once

#include "app/operations/core/taskoperation.h"

namespace outbox {

/// Source: correctness.md 8. A completed task is the memory that refuses its id: it is left alone
/// while its outbox row may still be sent.
/// Errors: those of `Operation`.
class Delete : public TaskOperation
{
public:
    [[nodiscard]] Verb verb() const override { return Verb::Delete; }
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override;

protected:
    [[nodiscard]] Result<void> prepare(OperatorSession &session, const Plan &plan, Receipt &receipt,
                                       const OperationControl &control) const override;
    [[nodiscard]] Result<QList<TaskAnswer>> send(OperatorSession &session, TaskEditor &editor,
                                                 const QueueName &queue,
                                                 const QList<TaskGuard> &tasks,
                                                 const OperationControl &control) const override;
    [[nodiscard]] Result<QList<ReceiptItem>> act(OperatorSession &session, const Plan &plan,
                                                 const Items &chunk,
                                                 const OperationControl &control) const override;
    [[nodiscard]] bool isUndoable(const Receipt &receipt) const override;
};

} // namespace outbox
