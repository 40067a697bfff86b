// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Wrong relays on purpose, so that a count of losses and duplicates is seen to notice them
// (correctness.md 2.3).
#pragma once

#include "app/relay/parking/parking.h"
#include "app/relay/relayobserver.h"
#include "connectors/taskqueue.h"

#include <QString>

#include <optional>

namespace outbox::crash {

enum class Bug {
    None,
    CommitFirst, ///< a batch is sent after its COMMIT
    ErrorSwallowed, ///< an error of the queue counts as delivered
    ConflictFails, ///< "already there" counts as a failure
    StubAccepted, ///< a hash without a message counts as delivered
    HalfCommitted, ///< of a batch the first half is sent, and the other one committed
    RefusedParts, ///< of a batch that was refused twice the parts of a search count as delivered
    OnlyBehindLast, ///< claims go on behind the largest id seen and never look back
};

[[nodiscard]] QString word(Bug bug);
[[nodiscard]] std::optional<Bug> bugFrom(const QString &word);

/// The bugs that are a matter of what the relay believes of the queue.
class WrongQueue : public TaskQueue
{
public:
    WrongQueue(TaskQueue &queue, Bug bug) : m_queue(queue), m_bug(bug) { }
    [[nodiscard]] Result<QList<EnqueueAnswer>> enqueue(const QList<EnqueueRequest> &batch) override;
    [[nodiscard]] qint64 lastBatch() const override { return m_queue.lastBatch(); }
    [[nodiscard]] QList<RelayLife> livesBy(qint64 batch) const override
    {
        return m_queue.livesBy(batch);
    }
    void committed(qint64 batch, int rows) override { m_queue.committed(batch, rows); }
    [[nodiscard]] Result<void> awaitCopies(const CopyTerms &terms,
                                           const QList<EnqueueRequest> &batch,
                                           QList<EnqueueAnswer> &answers) override
    {
        return m_queue.awaitCopies(terms, batch, answers);
    }
    [[nodiscard]] Result<qint64> backlog(const QueueName &queue) override
    {
        return m_queue.backlog(queue);
    }
    /// Sends what CommitFirst still owes; a clean end must not pass for a loss.
    [[nodiscard]] Result<void> flush();

private:
    TaskQueue &m_queue;
    Bug m_bug;
    bool m_isFirst = true; ///< HalfCommitted, RefusedParts: no such batch came yet
    QList<EnqueueRequest> m_owed;
};

/// OnlyBehindLast: keeps a claim away from every row up to the largest id seen, by calling them
/// parked: those that nobody sees yet, too. For ids that are numbers, and a few of them.
class OnlyBehindLast : public Parking
{
public:
    [[nodiscard]] Result<QList<ParkedRow>> rows() override;
    [[nodiscard]] Result<void> put(const QList<ParkedRow> &rows) override;
    [[nodiscard]] Result<void> release(const QList<MessageId> &ids) override;
    void at(RelayStage moment, const QList<MessageId> &ids);

private:
    qint64 m_last = 0;
};

} // namespace outbox::crash
