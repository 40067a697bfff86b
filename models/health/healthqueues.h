// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Queues in which tasks do not run: paused, served by nobody, slow, failing, with dead tasks.
#pragma once

#include "models/health/health.h"

namespace outbox {

/// Looks at every queue. `input.ownQueue` is told of although nothing waits in it yet. Pure.
[[nodiscard]] QList<HealthFinding> queueFindings(const QList<QueueSnapshot> &queues,
                                                 const HealthInput &input,
                                                 const HealthLimits &limits);

} // namespace outbox
