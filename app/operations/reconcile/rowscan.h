// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of a look that pages through rows, and judges those that do not fit their task, or
// wait for too long, by two more looks.
#pragma once

#include "app/operations/reconcile/scancontext.h"
#include "connectors/asynq/observe/factsread.h"

namespace outbox {

/// Errors: those of the inspector and of the store.
class RowScan
{
public:
    /// Rows that wait, or rows that were delivered.
    enum class Part { Waiting, Processed };

    /// `inspector` is null where the queue is not read. All outlive the look.
    RowScan(ScanContext &run, OutboxStore &rows, AsynqInspector *inspector);

    /// Pages through that part, from `from` where a look stopped, then judges. When it has to end
    /// before, `run.report.position` says where it is.
    [[nodiscard]] Result<void> walk(Part part, const std::optional<ScanPosition> &from);
    /// Judges these rows alone. False: it had to end before, nothing was judged.
    [[nodiscard]] Result<bool> judge(const QList<MessageId> &rows);
    /// Queues that the pages so far named beside the profile's.
    [[nodiscard]] const QSet<QString> &queues() const { return m_queues; }

private:
    struct Seen;
    [[nodiscard]] Result<void> noteUnread(const QueueName &queue, const Error &error);
    [[nodiscard]] Result<void> suspectsIn(const QList<Message> &rows, QStringList &suspects);
    void rememberWindow(const Message &row, const TaskGlance &task);
    [[nodiscard]] bool isSuspect(const Message &row, const TaskGlance &task,
                                 const QHash<MessageId, QString> &status) const;
    [[nodiscard]] Result<Seen> look(const QList<MessageId> &ids);
    [[nodiscard]] Result<void> consider(const Message &row, const Seen &seen);
    [[nodiscard]] Result<void> considerTask(const Message &row, const asynq::TaskFacts &facts,
                                            const Seen &seen);
    void considerWaiting(const Message &row, const asynq::TaskFacts *facts);
    void considerProcessed(const Message &row, const asynq::TaskFacts &facts, const Seen &seen);
    [[nodiscard]] bool isHeldForTooLong(const Message &row) const;
    [[nodiscard]] QString whyPoison(const Message &row) const;
    [[nodiscard]] bool isInWindow(const Message &row) const;
    [[nodiscard]] Finding findingOf(FindingKind kind, const Message &row,
                                    const asynq::TaskFacts *facts) const;
    [[nodiscard]] Result<QHash<MessageId, QString>> statusOf(const QList<MessageId> &ids);

    ScanContext &m_run;
    OutboxStore &m_rows;
    AsynqInspector *m_inspector;
    double m_clockOffset = 0; ///< s, database minus ours
    QSet<QString> m_queues;
};

} // namespace outbox
