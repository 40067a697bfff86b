// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The counts of an outbox on the chips of its states.
#pragma once

#include "models/system/exactcount.h"
#include "models/system/snapshots.h"

#include <optional>

namespace outbox {

class StateChips;

/// A count that is not known shows no number and says why; one that is not exact shows "~".
/// The last whole count stands in the tooltips.
void showCounts(StateChips &chips, const OutboxSnapshot &counts,
                const std::optional<ExactCount> &counted = {});

} // namespace outbox
