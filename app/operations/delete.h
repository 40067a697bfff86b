// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Delete: removes tasks whole and frees their ids, after an export.
#pragma once

#include "app/operations/taskoperation.h"

namespace outbox {

/// Source: correctness.md 8. A completed task is the memory that refuses its id: it is left alone
/// while its outbox row may still be sent.
class Delete : public TaskOperation
{
public:
    [[nodiscard]] Verb verb() const override { return Verb::Delete; }
    [[nodiscard]] Result<Plan> plan(Workbench &bench, const Selection &selection) const override;

protected:
    [[nodiscard]] Result<void> prepare(Workbench &bench, const Plan &plan, Receipt &receipt,
                                       const OperationControl &control) const override;
    [[nodiscard]] Result<QList<TaskAnswer>> send(Workbench &bench, TaskEditor &editor,
                                                 const QueueName &queue,
                                                 const QList<TaskGuard> &tasks,
                                                 const OperationControl &control) const override;
    [[nodiscard]] Result<QList<ReceiptItem>> act(Workbench &bench, const Plan &plan,
                                                 const Items &chunk,
                                                 const OperationControl &control) const override;
    [[nodiscard]] bool isUndoable(const Receipt &receipt) const override;
};

} // namespace outbox
