// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sessions of the database that stand in the way of others for too long.
#pragma once

#include "models/health/health.h"

namespace outbox {

/// Whoever holds rows, and whoever holds an old snapshot; the same session is told of once. Pure.
[[nodiscard]] QList<HealthFinding> holderFindings(const OutboxSnapshot &outbox,
                                                  const HealthLimits &limits);

} // namespace outbox
