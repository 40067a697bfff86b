// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One chunk of repairs: rows locked first, tasks repaired by a script, rows written, then COMMIT.
#pragma once

#include "app/operations/core/operation.h"
#include "models/operations/finding.h"

#include <QHash>
#include <QSet>

namespace outbox {

/// Errors: those of the editors, with what is known of the effect.
class RepairBatch
{
public:
    using Exported = QSet<std::pair<QueueName, TaskId>>;

    /// Of tasks with a hash only those that were `exported` are removed.
    RepairBatch(OperatorSession &session, const Plan &plan, const QList<PlanItem> &chunk,
                const Exported &exported, const OperationControl &control);

    /// An answer for each item, in their order.
    [[nodiscard]] Result<QList<ReceiptItem>> carryOut();

private:
    void refuseUnexported();
    [[nodiscard]] Result<void> holdRows();
    void refuseUnheld(const QList<qsizetype> &places);
    [[nodiscard]] Result<void> refuseRunning();
    [[nodiscard]] Result<void> repairTasks();
    [[nodiscard]] Result<void> repairQueues();
    [[nodiscard]] Result<void> writeRows();
    [[nodiscard]] Result<void> reopenRows();
    [[nodiscard]] Result<void> releaseRows();
    [[nodiscard]] Result<void> writeStatus();
    [[nodiscard]] Result<void> record();
    [[nodiscard]] Result<void> letGo();
    [[nodiscard]] QList<qsizetype> open(std::initializer_list<Repair> repairs) const;
    [[nodiscard]] QList<RowGuard> guardsOf(const QList<qsizetype> &places) const;
    void answer(qsizetype place, Outcome outcome, const QString &reason = {},
                const QString &after = {});

    OperatorSession &m_session;
    const Plan &m_plan;
    const QList<PlanItem> &m_chunk;
    const Exported &m_exported;
    const OperationControl &m_control;
    QList<RepairGuard> m_guards;
    QList<ReceiptItem> m_answers;
    QSet<qsizetype> m_answered;
    OutboxEditor *m_editor = nullptr; ///< with an open transaction; null: no row is concerned
    bool m_touchedQueue = false; ///< from here on a failure does not unsay everything
};

} // namespace outbox
