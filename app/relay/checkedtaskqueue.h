// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A queue whose server is checked before and behind each batch.
#pragma once

#include "connectors/taskqueue.h"

#include <QSet>

#include <functional>

namespace outbox {

/// Stands between the relay and its queue, and hands everything on.
/// Errors: those of the queue, and those of the checks.
class CheckedTaskQueue : public TaskQueue
{
public:
    using Check = std::function<Result<void>()>;

    /// Where `before` fails nothing is sent. Where `behind` fails, the server may be another one
    /// than the one that answered, so that the answers tell nothing. `queue` outlives this one.
    CheckedTaskQueue(TaskQueue &queue, Check before, Check behind)
        : m_queue(queue), m_before(std::move(before)), m_behind(std::move(behind))
    { }

    /// The queues that the requests of the last batch named.
    [[nodiscard]] const QSet<QueueName> &lastQueues() const { return m_queues; }

    [[nodiscard]] Result<QList<EnqueueAnswer>> enqueue(const QList<EnqueueRequest> &batch) override;
    [[nodiscard]] qint64 lastBatch() const override { return m_queue.lastBatch(); }
    void committed(qint64 batch, int rows) override { m_queue.committed(batch, rows); }
    [[nodiscard]] Result<int> replicasThatHaveIt(int replicas, int timeoutMs) override
    {
        return m_queue.replicasThatHaveIt(replicas, timeoutMs);
    }
    [[nodiscard]] Result<qint64> backlog(const QueueName &queue) override
    {
        return m_queue.backlog(queue);
    }

private:
    TaskQueue &m_queue;
    Check m_before;
    Check m_behind;
    QSet<QueueName> m_queues;
};

} // namespace outbox
