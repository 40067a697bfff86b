// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is expected of one message before an operation, and what became of it after.
#pragma once

#include <QList>
#include <QString>

#include <optional>

namespace outbox {

/// A plan says one of these of each message, a receipt says one again; for a message that nobody
/// touched in between they are the same, but that a second execution ends as Done.
enum class Outcome {
    Done, ///< will be carried out; was carried out
    SecondExecution, ///< plan only: accepted though it ran before; needs consent in writing
    NothingToDo, ///< it is already as asked for
    InFlight, ///< its task is on its way: pending, active, scheduled, retry or in a group
    RefusedUntil, ///< its id is retained: a replay would be swallowed
    Dead, ///< archived: run it in the queue instead
    Collision, ///< another message owns the id
    Blocked, ///< a damaged task stands in the way: reconcile first
    Claimed, ///< a session or a live lease holds the row
    Unfinished, ///< purge: its task has not finished
    Gone, ///< no such row, or no such task
    NotOffered, ///< the verb has no meaning for this state
    NotAllowed, ///< the role lacks the right
    Unknown, ///< plan: a source that decides was not read, so it is not run
    Changed, ///< receipt: not as it was seen; left alone
    InDoubt, ///< receipt: sent, but the answer is missing
    Failed, ///< receipt: the server said no
    Cancelled, ///< receipt: its turn did not come
};

[[nodiscard]] QString word(Outcome outcome); ///< for JSON: "second-execution"
[[nodiscard]] QString label(Outcome outcome); ///< for people: "second execution"
[[nodiscard]] std::optional<Outcome> outcomeFromWord(QStringView word);
/// The order in which counts are listed.
[[nodiscard]] QList<Outcome> allOutcomes();
/// True for the two under which a plan's item is carried out.
[[nodiscard]] constexpr bool acts(Outcome outcome)
{
    return outcome == Outcome::Done || outcome == Outcome::SecondExecution;
}

} // namespace outbox
