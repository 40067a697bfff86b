// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What running asynq servers and workers say of themselves in Redis.
// Errors: those of `RedisConnection`; Protocol for bytes that are no such message.
#pragma once

#include "connectors/redis/cluster/clusterlink.h"
#include "models/system/snapshots.h"

namespace outbox::asynq {

/// Fail with Protocol when the bytes are no such message. The texts of a QueueServer and
/// QueueWorker that are encoded must be valid UTF-16.
[[nodiscard]] Result<QueueServer> decodeServer(const QByteArray &bytes);
[[nodiscard]] Result<QueueWorker> decodeWorker(const QByteArray &bytes);
[[nodiscard]] Result<SchedulerEntry> decodeScheduled(const QByteArray &bytes);
[[nodiscard]] QByteArray encodeServer(const QueueServer &server);
[[nodiscard]] QByteArray encodeWorker(const QueueServer &server, const QueueWorker &worker,
                                      const QByteArray &payload);

/// At most this many servers are looked at; a deployment with more is seen in part.
inline constexpr int mostServers = 256;

/// Servers whose heartbeat has not run out. Keys of the dead are skipped, never removed.
[[nodiscard]] Result<QList<QueueServer>> readServers(ClusterLink &link);
/// What their workers run: up to about a thousand a server.
[[nodiscard]] Result<QList<QueueWorker>> readWorkers(ClusterLink &link);

/// What live schedulers enqueue: up to a thousand entries a scheduler.
[[nodiscard]] Result<QList<SchedulerEntry>> readSchedulers(ClusterLink &link);

} // namespace outbox::asynq
