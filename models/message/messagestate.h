// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The states of an outbox row and of a queue task, with the words people and scripts read.
#pragma once

#include <QList>
#include <QString>

#include <optional>

namespace outbox {

/// Where an outbox row stands; every row is in exactly one of these (first match wins, in this
/// order: processed, failed, parked, locked, waiting, pending, unknown).
enum class MessageState { Pending, Waiting, Locked, Processed, Failed, Parked, Unknown };

/// Where a task stands in the queue. `None`: no hash. `Stub`: a hash without a message. `Orphan`: a
/// message whose id is in none of the containers. `WrongType`: the key is no hash.
enum class TaskState {
    None,
    Pending,
    Active,
    Scheduled,
    Retry,
    Archived,
    Completed,
    Aggregating,
    Stub,
    Orphan,
    WrongType,
};

[[nodiscard]] QString word(MessageState state); ///< lower case, for JSON and filters
[[nodiscard]] QString label(MessageState state); ///< for people
[[nodiscard]] std::optional<MessageState> messageStateFromWord(QStringView word);
[[nodiscard]] QList<MessageState> allMessageStates();

[[nodiscard]] QString
word(TaskState state); ///< asynq's own word; "none", "stub", "orphan", "wrong-type"
[[nodiscard]] QString
label(TaskState state); ///< for people: archived is "Dead", completed is "Done"
/// Knows asynq's words and the console's `dead` and `done`.
[[nodiscard]] std::optional<TaskState> taskStateFromWord(QStringView word);
/// The seven states a sound task can be in, in the order the console lists them.
[[nodiscard]] QList<TaskState> soundTaskStates();
/// Those, the damaged ones, and `None`.
[[nodiscard]] QList<TaskState> allTaskStates();

} // namespace outbox
