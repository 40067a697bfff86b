// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The counts of an outbox on its state chips, and which rows of a page are new on top.
#pragma once

#include "models/outboxmodel.h"
#include "models/snapshots.h"

namespace outbox {

class StateChips;

/// A count that is not known shows no number and says why; one that is not exact shows "~".
void showCounts(StateChips &chips, const OutboxSnapshot &counts);

/// How many rows at the beginning of `rows` the model does not hold; all of them when it holds
/// none.
[[nodiscard]] qsizetype newOnTop(const OutboxModel &model, const QList<OutboxRow> &rows);

} // namespace outbox
