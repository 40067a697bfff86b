// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The table of the Outbox page and the verbs on its rows.
#pragma once

#include "models/filter/pagerequest.h"
#include "models/message/message.h"
#include "models/system/snapshots.h"

class QString;

namespace outbox {

class FilterBar;
class LiveTable;
class OutboxModel;
class SelectionVerbs;

[[nodiscard]] LiveTable *makeRowsTable(OutboxModel *model);
/// Replay, Purge and Release of what is selected in `table`, or of all that match `filter`.
[[nodiscard]] SelectionVerbs *makeRowVerbs(LiveTable *table, const OutboxModel *model,
                                           const FilterBar *filter);
/// How many rows match, where the counts say it: only states are asked for, and each was counted.
[[nodiscard]] QString matchingText(const PageRequest &request, const OutboxSnapshot &counts);

} // namespace outbox
