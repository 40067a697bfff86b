// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The table of the tasks of a queue, the verbs on them, and what is said of a search through them.
#pragma once

#include "models/filter/tasksearch.h"
#include "models/system/snapshots.h"

#include <functional>
#include <optional>

class QString;

namespace outbox {

class EmptyPane;
class FilterBar;
class LiveTable;
class NoticeBar;
class SelectionVerbs;
class StateChips;
class TaskModel;

[[nodiscard]] LiveTable *makeTasksTable(TaskModel *model);
/// Run, Archive, Delete, Replace and Cancel of what is selected in `table`, or of all tasks of
/// `queue` that match `filter`.
[[nodiscard]] SelectionVerbs *makeTaskVerbs(LiveTable *table, const TaskModel *model,
                                            const FilterBar *filter,
                                            const std::function<QueueName()> &queue);

/// The states in which tasks may be that match; all sound ones where the filter names none.
[[nodiscard]] QList<TaskState> statesOf(const QString &filter);
/// The one of this name; nullopt: there is none.
[[nodiscard]] std::optional<QueueSnapshot> snapshotOf(const QueueName &queue,
                                                      const QList<QueueSnapshot> &queues);
/// How many tasks of the queue are in one of these states; nullopt where one was not counted.
[[nodiscard]] std::optional<qint64> countOf(const QList<TaskState> &states,
                                            const QueueSnapshot &counts);

/// The counts of the chosen queue; nullopt: none is chosen.
void showCounts(StateChips &chips, const std::optional<QueueSnapshot> &counts);

/// The sentence of an empty table: of a list, and of what a search has found.
void sayWhyNone(EmptyPane &pane, const TaskRequest &request, bool isAwaiting);
void sayWhyNoneFound(EmptyPane &pane, const TaskSearchView &search, bool isAwaiting);

/// Says how far a search is, of `total` tasks, and offers to stop it or to go on.
void tellSearch(NoticeBar &bar, const TaskSearchView &search, std::optional<qint64> total);

} // namespace outbox
