// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where a relay of these tests stands still: the moments it tells, and the gaps between single
// enqueues.
#pragma once

#include "connectors/taskqueue.h"
#include "tests/crash/eventlog.h"
#include "tests/crash/stoppoint.h"

#include <functional>

namespace outbox::crash {

/// Calls `stand` once, when the first batch comes to the point; writes the diary first.
class Milestones
{
public:
    struct Place
    {
        int rows = 10;
        int point = -1; ///< of `stopPoints(rows)`; -1: nowhere
        bool answersAtOnce = false; ///< the database, to COMMIT
    };

    /// `log` may be missing.
    Milestones(Place place, EventLog *log, std::function<void()> stand)
        : m_place(place), m_log(log), m_stand(std::move(stand))
    { }
    void at(RelayStage moment, const QList<MessageId> &ids)
    {
        if (m_log)
            m_log->at(moment, ids);
        pass(pointOf(moment, m_place.rows, m_place.answersAtOnce));
    }
    void pass(int point)
    {
        if (point < 0 || point != m_place.point)
            return;
        m_place.point = -1;
        m_stand();
    }

private:
    Place m_place;
    EventLog *m_log;
    std::function<void()> m_stand;
};

/// Sends a batch one request after the other, so that there are gaps to stand in. The requests, the
/// script and the answers are those of the queue behind it.
class SteppingQueue : public TaskQueue
{
public:
    SteppingQueue(TaskQueue &queue, Milestones &milestones)
        : m_queue(queue), m_milestones(milestones)
    { }
    [[nodiscard]] Result<QList<EnqueueAnswer>> enqueue(const QList<EnqueueRequest> &batch) override
    {
        QList<EnqueueAnswer> answers;
        for (int row = 0; row < batch.size(); ++row) {
            m_milestones.pass(beforeEnqueue(row));
            auto answer = m_queue.enqueue({batch.at(row)});
            if (!answer)
                return answer;
            m_milestones.pass(afterEnqueue(row));
            answers += *answer;
        }
        return answers;
    }
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

private:
    TaskQueue &m_queue;
    Milestones &m_milestones;
};

} // namespace outbox::crash
