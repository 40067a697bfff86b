// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A queue that fails in the middle of a batch when the demo asks for it.
#pragma once

#include "connectors/taskqueue.h"

#include <functional>

namespace outbox {

/// Stands between a relay and its queue, and hands everything on. When it is asked to, it drops the
/// next answer after the enqueue, as a network would, or has the relay killed there.
/// Used in the relay's room.
/// Errors: those of the queue; Timeout and Unreachable for what the demo asked for.
class AnswerDroppingQueue : public TaskQueue
{
public:
    /// Cuts off the connections of a relay for the reason that the error tells.
    using CutOff = std::function<void(const Error &)>;

    /// Hands everything on to `queue` from now on, which outlives its use here; what was asked for
    /// before is forgotten. Comes before everything else.
    void setQueue(TaskQueue &queue);
    void dropNextAnswer() { m_isDropping = true; }
    /// Once, when the next batch is in the queue and before its COMMIT; its answer is lost, too.
    void killInNextBatch(CutOff cutOff) { m_cutOff = std::move(cutOff); }

    [[nodiscard]] Result<QList<EnqueueAnswer>> enqueue(const QList<EnqueueRequest> &batch) override;
    [[nodiscard]] qint64 lastBatch() const override { return m_queue->lastBatch(); }
    [[nodiscard]] QList<RelayLife> livesBy(qint64 batch) const override
    {
        return m_queue->livesBy(batch);
    }
    void committed(qint64 batch, int rows) override { m_queue->committed(batch, rows); }
    [[nodiscard]] Result<void> awaitCopies(const CopyTerms &terms,
                                           const QList<EnqueueRequest> &batch,
                                           QList<EnqueueAnswer> &answers) override
    {
        return m_queue->awaitCopies(terms, batch, answers);
    }
    [[nodiscard]] Result<qint64> backlog(const QueueName &queue) override
    {
        return m_queue->backlog(queue);
    }

private:
    TaskQueue *m_queue = nullptr;
    bool m_isDropping = false;
    CutOff m_cutOff;
};

} // namespace outbox
