// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A Redis server that refuses writes, or may lose what it has accepted.
#pragma once

#include "models/health/health.h"

namespace outbox {

/// Half of the keys or more; where there were a few, all: workers that leave take theirs along.
[[nodiscard]] bool isOfMost(const RedisLoss &loss);

/// `redis` is null where its facts are not known, or too old. Pure.
[[nodiscard]] QList<HealthFinding> redisFindings(const HealthInput &input, const RedisFacts *redis,
                                                 const HealthLimits &limits);

} // namespace outbox
