// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The table of the Outbox page, the verbs on its rows, and what is said about these: counts, range,
// what is new on top, why there are none.
#pragma once

#include "models/filter/pagerequest.h"
#include "models/message/message.h"
#include "models/profile/profile.h"
#include "models/system/snapshots.h"
#include "models/tables/outboxmodel.h"

#include <functional>

class QToolButton;

namespace outbox {

class EmptyPane;
class ExactCountBar;
class FilterBar;
class LiveTable;
class SearchBar;
class SelectionVerbs;

[[nodiscard]] LiveTable *makeRowsTable(OutboxModel *model);
/// The ids of these rows of the model, in their order.
[[nodiscard]] QList<MessageId> idsOf(const OutboxModel &model, const QList<int> &rows);
/// What rows of `shape`, the table of `profile`, can tell and be copied as; `keyList` as in
/// OutboxView.
void showRowsOf(LiveTable &table, const OutboxModel &model, const Profile &profile,
                const OutboxShape &shape,
                const std::function<QString(const QList<MessageId> &keys)> &keyList);
/// Neither is known.
void showRowsOfNone(LiveTable &table);
/// Replay, Purge and Release of what is selected in `table`, or of all that match `filter`.
[[nodiscard]] SelectionVerbs *makeRowVerbs(LiveTable *table, const OutboxModel *model,
                                           const FilterBar *filter);
/// How many rows match, where the counts say it: only states are asked for, and each was counted.
[[nodiscard]] QString matchingText(const PageRequest &request, const OutboxSnapshot &counts);

/// The menu of the chips, opened at `where`.
void openCountMenu(ExactCountBar &bar, const QPoint &where);

/// What keeps the rows as they are while it is off; `held`: everything is paused anyway.
[[nodiscard]] QToolButton *makeLiveButton();
void showLive(QToolButton &live, bool held);

/// How many rows at the beginning of `rows` the model does not hold; all of them when it holds
/// none.
[[nodiscard]] qsizetype newOnTop(const OutboxModel &model, const QList<OutboxRow> &rows);

/// "rows 501–1,000"; where it is not known how many stand above, the times of the first and the
/// last. Empty without rows.
[[nodiscard]] QString rangeText(const QList<OutboxRow> &rows, std::optional<qint64> above);

/// "400 match": how many rows a filter has. `known`: those that were read; `isAll`: there are no
/// others; else as `counted`, or "at least 500 match" where that is empty. Nothing is counted for
/// it.
[[nodiscard]] QString matchText(qint64 known, bool isAll, const QString &counted);

/// All rows together, "~" before what is not exact; empty where one of the counts is not known.
[[nodiscard]] QString totalText(const OutboxSnapshot &counts);

/// What is so while the table is empty.
struct EmptyTable
{
    bool isConnected = false;
    bool isFailing = false; ///< the reason stands above the table
    bool isAwaiting = false; ///< no answer came yet
    bool isFiltered = false;
};
/// The sentence of an empty table, the strongest cause first.
void sayWhyEmpty(EmptyPane &pane, const SearchBar &search, const EmptyTable &empty);

} // namespace outbox
