// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The verb that repairs what a look found, some kinds or some ids at a time.
#pragma once

#include "app/operations/core/operation.h"
#include "app/operations/reconcile/scancontext.h"
#include "models/operations/finding.h"
#include "models/operations/scanreport.h"

#include <QHash>
#include <QSet>

namespace outbox {

using ExportedTasks = QSet<std::pair<QueueName, TaskId>>;

/// A plan looks again by itself: at the ids of the selection, or at everything of its kind. Each
/// repair is checked once more where it happens: the row is locked as it was seen, then a script
/// compares the task inside Redis and repairs it, then the database commits; so no relay can be in
/// between. What takes a task away is exported first.
/// Errors: those of `Operation`; Cancelled where it was stopped.
class Reconcile : public Operation
{
public:
    /// `terms` carry the patience, and what the look before watched: without it a task that lacks
    /// its lease is watched for the whole patience before a plan may name it. Their budget is that
    /// of a look, not of a plan: after `budgetMs` a plan is made of what was found so far; 0 is no
    /// limit. `progressed` is called in the operator's thread and may be empty; after `stop` there
    /// is no plan, but Cancelled.
    explicit Reconcile(ScanOptions terms = {}, qint64 budgetMs = 0,
                       ScanContext::Progressed progressed = {}, std::stop_token stop = {});

    [[nodiscard]] Verb verb() const override { return Verb::Reconcile; }
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override;

    [[nodiscard]] Result<Judgement> foundRow(OperatorSession &session, const Trace &before,
                                             const RowWithTask &now) const override;
    [[nodiscard]] Judgement foundTask(const Trace &before, const TaskSeen &now) const override;
    /// A queue is repaired by its name in the list of queues.
    [[nodiscard]] Judgement foundQueue(const QueueSnapshot &now) const override;

protected:
    [[nodiscard]] Result<void> ready(OperatorSession &session, const Plan &plan) const override;
    [[nodiscard]] Result<void> prepare(OperatorSession &session, const Plan &plan, Receipt &receipt,
                                       const OperationControl &control) const override;
    [[nodiscard]] Answers act(OperatorSession &session, const Plan &plan, const Items &chunk,
                              const OperationControl &control) const override;

private:
    [[nodiscard]] Result<void> readExport(const QList<PlanItem> &removed,
                                          const QString &file) const;

    ScanOptions m_terms;
    /// Tasks that the export of this operation holds exactly as they were seen: no other is
    /// removed.
    mutable ExportedTasks m_exported;
    qint64 m_budgetMs;
    ScanContext::Progressed m_progressed;
    std::stop_token m_stop;
};

/// Carries out the repairs of `chunk`, a part of `plan`: an answer for each item, in their order.
/// Of tasks with a hash only those that were `exported` are removed. Errors: those of the editors,
/// with what is known of the effect.
[[nodiscard]] Answers repairChunk(OperatorSession &session, const Plan &plan,
                                  const QList<PlanItem> &chunk, const ExportedTasks &exported,
                                  const OperationControl &control);

} // namespace outbox
