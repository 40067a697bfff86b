// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the relay asks of any queue.
#pragma once

#include "models/message/task.h"
#include "models/result.h"
#include "models/system/queuelife.h"

#include <QList>

namespace outbox {

/// Which copies of a batch must be there before its rows are given up.
struct CopyTerms
{
    int replicas = 0; ///< so many replicas of each server that has rows of it
    bool onDisk = false; ///< the disk of each such server: it is synced, not only written
    int timeoutMs = 1000; ///< how long replicas may take, and then the disk; 1 or more

    [[nodiscard]] bool isAny() const { return replicas > 0 || onDisk; }
    /// How long both may take in all.
    [[nodiscard]] int longestMs() const
    {
        return timeoutMs * ((replicas > 0 ? 1 : 0) + (onDisk ? 1 : 0));
    }

    bool operator==(const CopyTerms &) const = default;
};

/// A queue that takes tasks under an id of the sender's choice and says what it found under that
/// id. Lives in one thread, that of its room.
/// Errors: Unreachable, Timeout and Protocol leave it open which tasks were enqueued; Refused and
/// Conflict say that none was.
class TaskQueue
{
public:
    virtual ~TaskQueue() = default;

    /// Sends all requests in one pipeline and reads every answer. The answers stand in the order of
    /// the requests. An error means that the outcome of the whole batch is unknown or that none was
    /// taken: roll back; asking again is safe, what got in is answered `Exists`, same.
    [[nodiscard]] virtual Result<QList<EnqueueAnswer>> enqueue(const QList<EnqueueRequest> &batch)
        = 0;
    /// The number of the last batch that `enqueue` was given; 0 where nobody counts.
    [[nodiscard]] virtual qint64 lastBatch() const { return 0; }
    /// What is true of each queue as soon as the rows of that batch have left the outbox, for the
    /// transaction by which they do; in the order of the queues' names. Empty where nobody counts.
    [[nodiscard]] virtual QList<RelayLife> livesBy(qint64 /*batch*/) const { return {}; }
    /// The `rows` rows of that batch have left the outbox: from now on a queue that does not hold
    /// them has lost them.
    virtual void committed(qint64 /*batch*/, int /*rows*/) { }
    /// Waits until the copies that `terms` ask for are there, of which there is one at least; the
    /// batch is the last one that `enqueue` was given, and `answers` is what it answered. One
    /// server that has fewer copies fails with Timeout, and with Refused where it cannot say it of
    /// its disk. Of several servers each stands for its own queues: where one has fewer, or does
    /// not say, its rows are answered QueueAway from then on, whatever was known of them.
    [[nodiscard]] virtual Result<void> awaitCopies(const CopyTerms &terms,
                                                   const QList<EnqueueRequest> &batch,
                                                   QList<EnqueueAnswer> &answers)
        = 0;
    /// How many tasks wait in `queue` for a worker.
    [[nodiscard]] virtual Result<qint64> backlog(const QueueName &queue) = 0;
};

} // namespace outbox
