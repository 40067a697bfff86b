// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether a Redis keeps what is put into it, and answers with the newest of it.
// Errors: those of `RedisConnection`.
#pragma once

#include "connectors/redis/connection.h"
#include "models/designs/donestore.h"

namespace outbox {

/// By INFO. Keys that expire may be evicted before their time under most policies.
[[nodiscard]] Result<StoreDurability> durabilityOf(RedisConnection &connection, bool keysExpire);

} // namespace outbox
