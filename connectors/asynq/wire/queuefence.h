// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a relay remembers of its queues, so that it notices a Redis that has lost what it was given.
#pragma once

#include "connectors/redis/reply.h"
#include "models/message/task.h"
#include "models/result.h"
#include "models/system/queuelife.h"

#include <QHash>
#include <QMap>
#include <QSet>

namespace outbox::asynq {

/// Each queue has a hash beside its keys, `asynq:{<queue>}:outboxdeck`. Its field `life` is written
/// once, by whoever comes first: another one, or none, means that this Redis was emptied, or is
/// another. A field of each relay holds the number of the last batch of that relay that was
/// executed there. Replicas, the append-only file and snapshots keep the order of writes. So where
/// the last batch is that the relay has committed, all batches before it are there, too; where an
/// older one stands, this Redis went back to older data. The enqueue script checks both before it
/// writes anything, and writes the number in every call (it makes WAIT mean something: asynq's own
/// writes may be none where all tasks are there already).
///
/// A second field of each relay, `h:<relay>`, says who it is, for whoever looks at the queue.
/// Nothing is decided by it, so that it may go: the numbers of batches are never removed. Without
/// its number a relay that comes back could not be told from one whose batches Redis has lost.
class QueueFence
{
public:
    /// The words of one call.
    struct Stamp
    {
        QByteArray relay; ///< empty: no relay; nothing is checked
        QByteArray life; ///< that must be found; empty: what is there is taken
        QByteArray newLife; ///< where there is none and none is known
        qint64 batch = 0;
        qint64 committed = 0; ///< of this queue
        QByteArray about{}; ///< who the relay is; empty: it need not be written now
    };

    /// Begins to check, as the relay `relay`, with what it knows from an earlier run.
    void watch(const QByteArray &relay, const QList<QueueLife> &known);
    [[nodiscard]] bool isWatching() const { return !m_relay.isEmpty(); }
    /// Behind `watch`: writes from now on to each queue who this relay is (`relayValue`), with the
    /// first call, and again after `everyUs` microseconds.
    void introduce(const QByteArray &about, qint64 everyUs = 60'000'000);
    /// The queues that were told.
    [[nodiscard]] QList<QueueName> told() const { return m_told.keys(); }
    [[nodiscard]] const QByteArray &relay() const { return m_relay; }
    /// The number of the next batch: microseconds since 1970, larger each time.
    qint64 begin();
    [[nodiscard]] qint64 batch() const { return m_batch; }
    [[nodiscard]] Stamp stampFor(const QueueName &queue) const;
    /// The first parts of the script's answer to the batch in hand. Fails with Conflict and the
    /// code `lostCode` where Redis has lost something of this queue: what, and since when.
    [[nodiscard]] Result<void> take(const QueueName &queue, const QList<RedisReply> &answer);
    /// No row of this queue leaves the outbox by the batch in hand, so that its node may forget it.
    void setAside(const QueueName &queue);
    /// The rows of that batch have left the outbox. It counts for the queues that `take` heard of:
    /// where Redis refused all of a queue's rows, the number of the batch was not written there.
    void committed(qint64 batch, int rows);
    /// What is true of those queues once they have; in the order of their names.
    [[nodiscard]] QList<RelayLife> livesBy(qint64 batch) const;
    /// For the next run.
    [[nodiscard]] QList<QueueLife> known() const;

    static const QString lostCode;

private:
    /// Whether the calls of the batch in hand tell the queue who this relay is.
    [[nodiscard]] bool isDueToTell(const QueueName &queue) const;

    QByteArray m_relay;
    QByteArray m_about; ///< empty: nothing is told
    qint64 m_tellEveryUs = 0;
    QHash<QueueName, qint64> m_told; ///< by which batch last
    QByteArray m_newLife;
    qint64 m_batch = 0;
    QHash<QueueName, QueueLife> m_queues;
    QMap<qint64, QSet<QueueName>> m_executed; ///< by batch, of those that may yet be committed
    QMap<qint64, int> m_lately; ///< rows by batch, to tell how many a loss may be
};

} // namespace outbox::asynq
