// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Breaks a queue on purpose, one task at a time, in every way that the reconciler knows.
#pragma once

#include "connectors/redis/connection.h"
#include "models/message/task.h"
#include "models/operations/finding.h"

namespace outbox {

/// The kinds that live in single tasks of a queue, so that `damage` can make them.
[[nodiscard]] QList<FindingKind> taskKinds();

/// Puts the task of `request` into the queue with that damage. `number` picks a variant: among the
/// first few numbers each place that the damage can be in is met. With a worker about only variants
/// that it does not take up.
[[nodiscard]] Result<void> damage(RedisConnection &redis, FindingKind kind,
                                  const EnqueueRequest &request, int number);

} // namespace outbox
