// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Queues in which tasks do not run: paused, served by nobody, slow, with dead tasks.
#pragma once

#include "models/health.h"

namespace outbox {

/// Looks at every queue. `own` is the one that the outbox is sent to: it is told of although
/// nothing waits in it yet. Pure.
[[nodiscard]] QList<HealthFinding> queueFindings(const QList<QueueSnapshot> &queues,
                                                 const QString &own, const HealthLimits &limits);

} // namespace outbox
