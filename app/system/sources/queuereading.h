// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The queues of one Redis, read once.
#pragma once

#include "connectors/asynq/observe/inspector.h"
#include "models/shape/queueshards.h"
#include "models/system/snapshots.h"

namespace outbox {

/// What is read; each part costs a few pipelines more.
struct QueueParts
{
    QueueName queue; ///< it is always told, whether anybody knows it or not
    bool others = false; ///< all that exist
    bool dedup = false; ///< what is kept in `queue`
    bool facts = false; ///< about the Redis
    bool servers = false; ///< and their workers
    int retained = 0; ///< so many kept tasks of `queue`, the soonest to expire
    /// What most of the dead tasks died of, in the queue that has the most: a page of the newest.
    bool deadCause = false;
    /// As it was read before. It is not read again where nothing failed or died since.
    std::optional<DeadCause> knownDead{};
};

/// The answer; what was not asked for is not there.
struct QueueReading
{
    QList<QueueSnapshot> queues;
    QueueShards shards; ///< which of `queues` are one; the asker says so
    std::optional<DedupSnapshot> dedup;
    std::optional<RedisFacts> facts;
    std::optional<QList<QueueServer>> servers;
    QList<QueueWorker> workers;
    std::optional<TaskPage> retained;
    double tookMs = 0;
};

/// Blocking; the inspector is open.
/// Errors: those of `AsynqInspector`; the first one ends the reading.
[[nodiscard]] Result<QueueReading> readQueues(AsynqInspector &inspector, const QueueParts &parts);

} // namespace outbox
