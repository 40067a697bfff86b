// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rules of the judgement that fill a source of their own. Pure.
#pragma once

#include "models/health/health.h"

namespace outbox {

/// Queues in which tasks do not run: paused, served by nobody, slow, failing, with dead tasks.
/// `input.ownQueue` is told of although nothing waits in it yet.
[[nodiscard]] QList<HealthCause> queueFindings(const QList<QueueSnapshot> &queues,
                                               const HealthInput &input,
                                               const HealthLimits &limits);

/// A relay of any host that sends nothing while rows wait, though it was at work within the hour;
/// and, as a note, several versions of the program at work at once. `outbox` is null where its
/// numbers are not known.
[[nodiscard]] QList<HealthCause> relayListFindings(const QList<QueueSnapshot> &queues,
                                                   const OutboxSnapshot *outbox,
                                                   const HealthInput &input,
                                                   const HealthLimits &limits);

/// A server that refuses writes, or may lose what it has accepted. `redis` is null where its facts
/// are not known, or too old.
[[nodiscard]] QList<HealthCause> redisFindings(const HealthInput &input, const RedisFacts *redis,
                                               const HealthLimits &limits);

} // namespace outbox
