// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The servers of bench_scaling: a PostgreSQL with one outbox or several, a Redis, and a Redis
// Cluster of three nodes; and what they hold, counted by plain statements and commands.
#pragma once

#include "models/shape/outboxshape.h"
#include "tests/bench/processload.h"
#include "tests/support/clusterworld.h"
#include "tests/support/plainpostgres.h"

#include <QTemporaryDir>

namespace outbox {

/// Which servers the tasks of a leg go to.
enum class TaskPlace { Redis, Cluster };

/// From how many outboxes to which servers. The rows of one outbox go to the queue "default"; those
/// of each of several are shared out among three queues of its own, of which the Cluster has one on
/// each node.
struct ScalingRoute
{
    int outboxes = 1; ///< 1 to `ScalingServers::mostOutboxes`
    TaskPlace to = TaskPlace::Redis;
};

/// PostgreSQL is durable as it is by default and spoken to over its local socket, Redis and the
/// Cluster keep nothing on disk and are spoken to over TCP: a Cluster has no other way.
/// Errors: those of `PrivateServer`, `ClusterWorld`, `PlainPostgres` and `RedisConnection`; Invalid
/// for a file that cannot be written; Conflict where a count is not what it must be.
class ScalingServers
{
public:
    static constexpr int mostOutboxes = 4;
    static constexpr int nodes = 3; ///< of the Cluster

    /// Starts all servers, and makes `rows` rows to copy from.
    [[nodiscard]] Result<void> start(qint64 rows);
    /// Makes the outboxes of `route` anew, without rows, and empties all queues. What relays knew
    /// of these goes, too, so that none may run.
    [[nodiscard]] Result<void> clear(const ScalingRoute &route);
    /// Shares all rows out evenly among the outboxes of `route`, and lets PostgreSQL settle.
    [[nodiscard]] Result<void> fill(const ScalingRoute &route);

    [[nodiscard]] qint64 rows() const { return m_rows; }
    [[nodiscard]] QString databaseUrl() const { return m_postgres.url(); }
    [[nodiscard]] QString queueUrl(TaskPlace place) const;
    /// Of `outboxctl relay` for this outbox, from 0 on, of `route`.
    [[nodiscard]] QStringList relayArguments(const ScalingRoute &route, int outbox) const;
    [[nodiscard]] static QByteArray tableName(int outbox);
    /// The queues to which the rows of this outbox go.
    [[nodiscard]] QStringList queuesOf(const ScalingRoute &route, int outbox) const;
    /// The id of the task of row `number`, from 1 on.
    [[nodiscard]] static QString taskId(qint64 number);

    /// Of the two servers; nothing is ours.
    [[nodiscard]] CpuSpent cpu(TaskPlace place);
    /// How many tasks wait on each node; a Redis is one node.
    [[nodiscard]] Result<QList<qint64>> waitingTasks(const ScalingRoute &route);
    /// Waits until all that was written to the outboxes so far is committed or undone.
    [[nodiscard]] Result<void> awaitCommits(const ScalingRoute &route);
    [[nodiscard]] Result<qint64> rowsLeft(const ScalingRoute &route);
    /// Fails unless each row is in its outbox, or a task of it waits: in one list only, once, and
    /// with something behind its id. Nothing may work on the servers meanwhile.
    [[nodiscard]] Result<void> expectOnce(const ScalingRoute &route);

private:
    [[nodiscard]] Result<void> makeSeed();
    [[nodiscard]] Result<void> makeMappings();
    /// Queues of which the Cluster has one on each node.
    [[nodiscard]] Result<QueueShards> evenShards(int outbox);
    [[nodiscard]] QString mappingFile(const ScalingRoute &route, int outbox) const;
    [[nodiscard]] int nodeOf(TaskPlace place, const QString &queue) const;
    [[nodiscard]] RedisConnection &handOf(TaskPlace place, int node);

    PrivatePostgres m_postgres;
    PrivateRedis m_redis;
    ClusterWorld m_cluster;
    PlainPostgres m_hand;
    RedisConnection m_redisHand;
    QTemporaryDir m_folder; ///< mappings, and what relays remember
    QList<QueueShards> m_shards; ///< by outbox, where there are several
    quint16 m_redisPort = 0;
    qint64 m_rows = 0;
};

} // namespace outbox
