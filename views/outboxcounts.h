// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the outbox page says about its rows: counts, range, what is new on top, why there are none.
#pragma once

#include "models/outboxmodel.h"
#include "models/snapshots.h"

namespace outbox {

class EmptyPane;
class NoticeBar;
class StateChips;

/// A count that is not known shows no number and says why; one that is not exact shows "~".
void showCounts(StateChips &chips, const OutboxSnapshot &counts);

/// How many rows at the beginning of `rows` the model does not hold; all of them when it holds
/// none.
[[nodiscard]] qsizetype newOnTop(const OutboxModel &model, const QList<OutboxRow> &rows);

/// "rows 501–1,000" for the page after `before` whole pages; empty without rows, and of a search.
[[nodiscard]] QString rangeText(const OutboxPageView &page, qsizetype before);

/// All rows together, "~" before what is not exact; empty where one of the counts is not known.
[[nodiscard]] QString totalText(const OutboxSnapshot &counts);

/// Says how far a search came; clears `bar` where the answer is no search. `total` as `totalText`.
void tellSearch(NoticeBar &bar, const MessagePage &page, const QString &total);

/// The sentence of an empty table, the strongest cause first.
void sayWhyEmpty(EmptyPane &pane, bool connected, bool awaiting, bool filtered);

} // namespace outbox
