// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A queue of any size, and what commands have cost its server.
#pragma once

#include "connectors/redis/connection.h"

namespace outbox {

/// Half of the tasks pending, half completed; beside them `orphans`, archived by their word and in
/// no list. False when Redis refused.
[[nodiscard]] bool fillQueue(RedisConnection &redis, int tasks, int orphans);
/// Milliseconds of the server's time that all commands have taken so far, but for this question.
[[nodiscard]] double queueSpentMs(RedisConnection &redis);

} // namespace outbox
