// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Import: puts exported rows and tasks back under their own ids: the undo of purge and delete.
#pragma once

#include "app/operations/core/operation.h"
#include "app/operations/transfer/exportfile.h"

#include <optional>

namespace outbox {

/// What exists stays as it is. A tombstone that a purge left goes in the same breath: the row that
/// comes back is to be delivered.
/// Errors: those of `Operation`.
class Import : public Operation
{
public:
    [[nodiscard]] Verb verb() const override { return Verb::Import; }
    /// Everything that `selection.file` holds.
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override;
    /// What `undone` is on record to have deleted, or may have deleted.
    [[nodiscard]] Result<Plan> planFor(OperatorSession &session, const Activity &undone) const;

protected:
    [[nodiscard]] Result<void> ready(OperatorSession &session, const Plan &plan) const override;
    [[nodiscard]] Result<void> prepare(OperatorSession &session, const Plan &plan, Receipt &receipt,
                                       const OperationControl &control) const override;
    [[nodiscard]] Result<QList<ReceiptItem>> act(OperatorSession &session, const Plan &plan,
                                                 const Items &chunk,
                                                 const OperationControl &control) const override;

private:
    [[nodiscard]] Result<QList<ReceiptItem>> putRows(OperatorSession &session, const Plan &plan,
                                                     const Items &rows,
                                                     const OperationControl &control) const;
    [[nodiscard]] Result<QList<ReceiptItem>> putTasks(OperatorSession &session, const Items &tasks,
                                                      const OperationControl &control) const;
    [[nodiscard]] Result<std::optional<ExportItem>> nextOf(const PlanItem &item) const;

    /// Goes through the file once, chunk by chunk: the items of a plan stand in its order.
    mutable std::optional<ExportReader> m_reader;
};

} // namespace outbox
