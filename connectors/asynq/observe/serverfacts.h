// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The few facts of INFO that decide what a Redis may be trusted with.
// Errors: those of `RedisConnection`.
#pragma once

#include "connectors/redis/connection.h"
#include "models/system/snapshots.h"

namespace outbox::asynq {

[[nodiscard]] Result<RedisFacts> readFacts(RedisConnection &connection);

/// What the primaries of a Cluster are together: sums of what can be added, and of the rest the
/// worst of any node. Memory and its limit are those of one node where that may evict tasks, or is
/// nearly full: sums would hide it. Those of one server are its own; of none, nothing.
[[nodiscard]] RedisFacts ofAllNodes(const QList<RedisFacts> &nodes);

} // namespace outbox::asynq
