// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sizes of queues and of their retained ids, by reads whose cost does not grow with the queue.
// Errors: those of `RedisConnection`.
#pragma once

#include "connectors/redis/cluster/clusterlink.h"
#include "models/system/snapshots.h"

namespace outbox::asynq {

/// Every name in asynq:queues, sorted.
[[nodiscard]] Result<QList<QueueName>> readQueueNames(RedisConnection &connection);
/// One step of a walk through all keys for queues that hold anything or are paused, whether or not
/// asynq:queues names them. `cursor` is "0" at first, is moved, and is "0" again at the end.
[[nodiscard]] Result<QList<QueueName>> scanQueueNames(RedisConnection &connection,
                                                      QByteArray &cursor);
/// At most three pipelines, whatever the number of queues; of a Cluster so many for each of them.
/// Times are by Redis's clock.
[[nodiscard]] Result<QList<QueueSnapshot>> readSnapshots(ClusterLink &link,
                                                         const QList<QueueName> &names);
[[nodiscard]] Result<DedupSnapshot> readDedup(RedisConnection &connection, const QueueName &queue);

/// The names of a queue's groups, sorted; nullopt when there are too many to look at cheaply.
[[nodiscard]] Result<std::optional<QByteArrayList>> readGroups(RedisConnection &connection,
                                                               const QueueName &queue);

} // namespace outbox::asynq
