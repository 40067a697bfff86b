// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What an operator can do to messages and queues, by name.
#pragma once

#include <QList>
#include <QString>

#include <optional>

namespace outbox {

/// One verb, one class of the engine, one subcommand of outboxctl (console.md 8.2).
enum class Verb {
    Replay, ///< opens a processed row again, for the relay
    Purge, ///< deletes rows, after an export
    Release, ///< takes a dead owner's lease off a row
    Import, ///< puts exported rows and tasks back: the undo of purge and delete
    Run, ///< moves a task to pending
    Archive, ///< moves a task to the archive
    Delete, ///< removes a task and frees its id
    Replace, ///< removes a task and enqueues the same message afresh, in one script
    Cancel, ///< asks the worker that runs a task to give up; best effort
    Pause, ///< workers take nothing more from a queue
    Unpause,
    Reconcile, ///< repairs one kind of inconsistency
    Enqueue, ///< one task by hand
    Unreplay, ///< marks reopened rows processed again: the undo of replay
    Park, ///< sets rows aside, so that no relay claims them
    Unpark, ///< lets relays have rows that were set aside
};

[[nodiscard]] QString word(Verb verb); ///< the subcommand: "replay"
[[nodiscard]] QString label(Verb verb); ///< for people: "Replay"
[[nodiscard]] std::optional<Verb> verbFromWord(QStringView word);
[[nodiscard]] QList<Verb> allVerbs();

/// True where the verb acts on rows of the outbox, false where it acts on tasks or queues.
/// Import and Reconcile may do both.
[[nodiscard]] bool actsOnRows(Verb verb);

} // namespace outbox
