// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which queues are broken or away, and until when their rows wait.
#pragma once

#include "models/ids.h"
#include "models/message/task.h"
#include "models/relay/relaystep.h"
#include "models/result.h"

#include <QHash>
#include <QList>
#include <QSet>
#include <QStringList>

#include <chrono>
#include <optional>

namespace outbox {

/// What the answers to a batch say of queues that cannot take rows.
struct QueueTrouble
{
    std::optional<Error> broken; ///< Constraint; the batch must be rolled back
    QList<WaitingRows> away; ///< by node; the error of each is Unreachable
};

/// A queue is broken where a key that all its tasks share holds something else, and away where the
/// node of a Redis Cluster that has it cannot take tasks now. The relay leaves out the rows of such
/// a queue for a while; the rows of other queues go on.
/// Used in the relay's room.
class BrokenQueues
{
public:
    using Time = std::chrono::steady_clock::time_point;
    static constexpr qsizetype mostRows = 5'000; ///< their keys go with each claim

    /// The rows of a broken queue wait `restMs` milliseconds, then twice as long each time, but
    /// never longer than a minute; those of a queue that is away 50 ms at first, and never longer
    /// than a second. Rows that name no queue go to `usual`.
    BrokenQueues(QueueName usual, int restMs) : m_usual(std::move(usual)), m_restMs(restMs) { }

    /// Takes note of the answers of the queue to `batch`, which stand in the order of its requests
    /// and came after `took`. All queues that are away take up about half of the time together at
    /// most: where that asks for it one rests longer than it else would, a minute at most.
    [[nodiscard]] QueueTrouble judge(const QList<EnqueueRequest> &batch,
                                     const QList<EnqueueAnswer> &answers, Time now,
                                     std::chrono::milliseconds took = {});
    /// The texts of the queue's column whose rows wait; the empty text stands for rows that name no
    /// queue.
    [[nodiscard]] QStringList leftOut(Time now) const;

    /// Where no column names the queue of a row (see `OutboxShape::hasShards`) rows are left out
    /// one by one. True where this row has to wait for `queue`; it is among `rowsLeftOut` from now
    /// on, unless `mostRows` are.
    [[nodiscard]] bool letWait(const QueueName &queue, const MessageId &row, Time now);
    /// The rows that wait so; each as long as its queue rests.
    [[nodiscard]] QList<MessageId> rowsLeftOut(Time now) const;
    /// Unreachable where as many rows wait so as may: one more would be claimed again and again.
    [[nodiscard]] std::optional<Error> tooManyRows(Time now) const;

    /// A queue has not answered well since it was broken or away.
    [[nodiscard]] bool isAny() const { return !m_rests.isEmpty(); }
    /// One of them was away.
    [[nodiscard]] bool isAnyAway() const;
    /// A queue that was away has just rested: the next rows of it show whether it is still away.
    [[nodiscard]] bool isAnyDue(Time now) const;
    /// The rows of one that is away were left out at `before`, and are not from so many
    /// milliseconds behind `now` on; nullopt where none was left out.
    [[nodiscard]] std::optional<qint64> leftMs(Time before, Time now) const;
    /// A claim that was sent then has found no row in the whole table: of queues that were not left
    /// out none waits any more.
    void foundNothing(Time sent);

private:
    struct Rest
    {
        Time until; ///< the rows of the queue wait until then
        int ms = 0; ///< the length of this rest, but for what `least` added
        bool isAway = false; ///< and not broken
        QSet<MessageId> rows; ///< known to wait; no statement finds them all
    };

    /// Of a queue that is away, for `least` at least, or else broken.
    void putToRest(const QueueName &queue, bool isAway, Time now, std::chrono::milliseconds least);
    [[nodiscard]] qsizetype countWaiting(Time now) const;

    QueueName m_usual;
    int m_restMs;
    QHash<QueueName, Rest> m_rests; ///< of each queue that has not answered well since
};

} // namespace outbox
