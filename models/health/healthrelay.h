// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the relay that was started here says of itself.
#pragma once

#include "models/health/health.h"

namespace outbox {

/// "the relay here was stopped at 22:50:17"; empty: it is at work, or there is none.
[[nodiscard]] QString stoppedHere(const HealthInput &input);

/// That it failed, tries again, or that nothing leaves since it was stopped. `outbox` is nullptr
/// where its numbers are not known.
[[nodiscard]] QList<HealthFinding> relayFindings(const HealthInput &input,
                                                 const OutboxSnapshot *outbox);

} // namespace outbox
