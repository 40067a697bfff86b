// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Enqueues outbox rows as asynq tasks: TaskID = row id, Retention = dedup window (asynq-protocol
// 10).
#pragma once

#include "connectors/asynq/shardrecord.h"
#include "connectors/redis/connection.h"
#include "connectors/taskqueue.h"
#include "models/system/queuelife.h"
#include "models/system/relayentry.h"
#include "models/system/snapshots.h"

#include <QSet>

#include <functional>
#include <memory>
#include <optional>

namespace outbox {

/// Writes to Redis through our own enqueue script. Lives in the relay's room.
/// Errors: those of `TaskQueue`; Conflict where Redis lost data of the queue, Refused where its
/// server must not be given tasks.
class AsynqQueue : public TaskQueue
{
public:
    AsynqQueue();
    ~AsynqQueue() override;

    /// Opens the connection with write access and loads the script; of a Cluster learns its nodes.
    /// What a node of a Cluster cannot do now, or refuses, concerns its queues: their rows are
    /// answered QueueAway, and the others are not concerned.
    [[nodiscard]] Result<void> open(const RedisEndpoint &endpoint, const QString &clientName,
                                    std::chrono::milliseconds timeout = std::chrono::seconds(3));
    void close();
    [[nodiscard]] bool isOpen() const;
    /// Of a Cluster one that is never open.
    [[nodiscard]] RedisConnection &connection();
    /// Payloads are rows of tables as JSON, read anew at each try: one that was written to since an
    /// earlier try is the same message while it agrees in all of these columns that it has. Empty:
    /// payloads never change.
    void setRowKeys(const QStringList &columns);

    /// Notices from now on when Redis has lost what it was given: `enqueue` fails then with
    /// Conflict and the code `LOST`, and writes nothing. `relay` is a name that no other relay has,
    /// at no time; `known` is what `lives` gave to its last run.
    void watchLives(const QByteArray &relay, const QList<QueueLife> &known);
    [[nodiscard]] QList<QueueLife> lives() const;
    /// Those of `kept`, lines that relays left with the database, which this Redis does not hold
    /// any more: see `asynq::lostAmong`. Nothing is written.
    [[nodiscard]] Result<QList<RelayLife>> lostAmong(const QList<RelayLife> &kept);
    /// Behind `watchLives`: tells each queue who this relay is, with what is sent there anyway.
    /// `goneAfterSeconds`: `meet` removes what relays said of themselves that have delivered
    /// nothing for so long, where the user may.
    void introduce(const RelayAbout &about, qint64 goneAfterSeconds);
    /// Tells them that it ended, where they can be told within half a second; a queue that does not
    /// hear of it will find the relay silent.
    void tellEnd();
    /// Why a server must not be given tasks; empty = it may.
    using ServerRule = std::function<QString(const RedisFacts &facts)>;
    /// Judges from now on the server by `rule` before a batch is sent to it: where that was asked
    /// for (`judge`, `judgeBeforeBatch`), and whenever the connection was made anew. Where it was
    /// made anew within a batch, the server may be another one than the one that answered, and
    /// `enqueue` fails with Unreachable. Of a Cluster each node is judged, as soon as it can be
    /// reached.
    void checkServer(ServerRule rule);
    /// Connects where that is needed, and judges what it is connected to; behind `checkServer`.
    [[nodiscard]] Result<void> judge();
    void judgeBeforeBatch();
    /// What the server said of itself when it was judged; of a Cluster see `ofAllNodes`.
    [[nodiscard]] const RedisFacts &facts() const;
    /// The same, once for each server that was met anew since `checkServer`.
    [[nodiscard]] std::optional<RedisFacts> takeNewFacts();

    /// Asks each server that can be reached whether `awaitCopies` may be asked for its disk.
    /// Refused where it does not know WAITAOF, keeps no append-only file, or the user may not ask.
    [[nodiscard]] Result<void> tryDisk();

    /// See `asynq::agreeOnShards`; before the queues are met.
    [[nodiscard]] Result<void> agreeOnShards(const QueueShards &shards, const QString &outbox,
                                             bool isVouchedFor);
    /// Meets `queue` before anything is enqueued; fails as `enqueue` does. What `introduce` asks
    /// for beside it fails without a word.
    [[nodiscard]] Result<void> meet(const QueueName &queue);

    [[nodiscard]] Result<QList<EnqueueAnswer>> enqueue(const QList<EnqueueRequest> &batch) override;
    [[nodiscard]] qint64 lastBatch() const override;
    /// The queues that the requests of the last batch named.
    [[nodiscard]] const QSet<QueueName> &lastQueues() const;
    [[nodiscard]] QList<RelayLife> livesBy(qint64 batch) const override;
    void committed(qint64 batch, int rows) override;
    [[nodiscard]] Result<void> awaitCopies(const CopyTerms &terms,
                                           const QList<EnqueueRequest> &batch,
                                           QList<EnqueueAnswer> &answers) override;
    [[nodiscard]] Result<qint64> backlog(const QueueName &queue) override;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace outbox
