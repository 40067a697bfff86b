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

} // namespace outbox::asynq
