// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What an operator can do to messages and queues, by name.
#pragma once

#include <QList>
#include <QString>

#include <optional>

namespace outbox {

/// One verb, one class of the engine, one subcommand of outboxctl (console.md 8.2). The table in
/// verb.cpp has this order; verbs.h of the engine declares a factory for each.
#define OUTBOX_VERBS(VERB)                                                                         \
    VERB(Replay) /* opens a processed row again, for the relay */                                  \
    VERB(Purge) /* deletes rows, after an export */                                                \
    VERB(Release) /* takes a dead owner's lease off a row */                                       \
    VERB(Import) /* puts exported rows and tasks back: the undo of purge and delete */             \
    VERB(Run) /* moves a task to pending */                                                        \
    VERB(Archive) /* moves a task to the archive */                                                \
    VERB(Delete) /* removes a task and frees its id */                                             \
    VERB(Replace) /* removes a task and enqueues the same message afresh, in one script */         \
    VERB(Cancel) /* asks the worker that runs a task to give up; best effort */                    \
    VERB(Pause) /* workers take nothing more from a queue */                                       \
    VERB(Unpause) /* workers take from it again */                                                 \
    VERB(Reconcile) /* repairs inconsistencies, of one kind or of several */                       \
    VERB(Enqueue) /* one task by hand */                                                           \
    VERB(Unreplay) /* marks reopened rows processed again: the undo of replay */                   \
    VERB(Park) /* sets rows aside, so that no relay claims them */                                 \
    VERB(Unpark) /* lets relays have rows that were set aside */                                   \
    VERB(Edit) /* changes what a row sends before a relay takes it; undoes itself */               \
    VERB(EditTask) /* changes what a dead or waiting task holds; undoes itself */

#define OUTBOX_VERB_VALUE(name) name,
enum class Verb { OUTBOX_VERBS(OUTBOX_VERB_VALUE) };
#undef OUTBOX_VERB_VALUE

[[nodiscard]] QString word(Verb verb); ///< the subcommand: "replay"
[[nodiscard]] QString label(Verb verb); ///< for people: "Replay"
[[nodiscard]] std::optional<Verb> verbFromWord(QStringView word);
[[nodiscard]] QList<Verb> allVerbs();

/// True where the verb acts on rows of the outbox, false where it acts on tasks or queues.
/// Import and Reconcile may do both.
[[nodiscard]] bool actsOnRows(Verb verb);

} // namespace outbox
