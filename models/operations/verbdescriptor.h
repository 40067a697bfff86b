// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is known of each verb, one row a verb. The table is in verb.cpp.
#pragma once

#include "models/message/messagestate.h"
#include "models/operations/verb.h"
#include "models/shape/outboxshape.h"
#include "models/translation.h"

#include <optional>
#include <span>

namespace outbox {

/// What a verb changes; its noun in sentences.
enum class VerbSubject { Row, Task, Queue, Finding };
/// What a person points it at. `Other`: a form, a kind of finding, or the record of another act.
enum class VerbTarget { Rows, Tasks, Queue, File, Other };
/// What it writes to a row of the outbox. `Hold`: what is written then stands beside the row.
enum class RowChange { None, Hold, Reopen, MarkProcessed, Remove, Release, Edit, Insert };
/// For which ids it is offered beside what is said of one id; the likeliest offer first.
enum class VerbOffer { Never, RowWithoutTask, ParkedRow, Task, DeadTask, OpenRow, FinishedRow };

/// An entry of the menu of messages; several verbs share one where a page has only one of them.
struct VerbMenu
{
    int place; ///< from 0, without gaps
    const char *id;
    const char *text;
    std::optional<QKeyCombination> key;
    bool separated = false; ///< a line stands before it
};

/// Texts are English; those for the window are translated by `verbTexts`. A text that is nullptr is
/// not needed.
struct VerbDescriptor
{
    Verb verb;
    const char *word;
    const char *label;
    VerbSubject subject;
    VerbTarget target;
    RowChange change = RowChange::None;
    const char *future; ///< "will be …"
    const char *expected; ///< of one message, before
    const char *done; ///< of one message, after
    const char *summary = nullptr; ///< of its command; nullptr: none, or a command of its own
    const char *tip = nullptr; ///< of its button
    const char *icon = "tick"; ///< of its button
    std::optional<VerbMenu> menu = std::nullopt;
    VerbOffer offer = VerbOffer::Never;
    const char *offeredAs = nullptr; ///< its label where it is offered for one id; nullptr: `label`
    bool alwaysTyped = false; ///< is confirmed by typing, whatever the system
    bool runsAgain = false; ///< may execute what ran before, or may have run
    bool trims = false; ///< may remove what is in its way
    bool onRunning = false; ///< means tasks that a worker runs
    std::optional<Verb> undoneBy = std::nullopt;
    const char *noUndo = "there is no way back"; ///< why, where no verb undoes it
    const char *insteadOfUndo = ""; ///< what to do then
    /// Why it means nothing in this state or for this shape; nullptr: it may mean something. "%1"
    /// stands for the verb, "%2" for the state.
    const char *(*whyNotRow)(MessageState state) = nullptr;
    const char *(*whyNotTask)(TaskState state) = nullptr;
    const char *(*whyNotShape)(const OutboxShape &shape) = nullptr;
};

inline constexpr Translation verbTexts("outbox::Verb");

[[nodiscard]] const VerbDescriptor &descriptorOf(Verb verb);
/// In the order of the enum.
[[nodiscard]] std::span<const VerbDescriptor> verbDescriptors();
/// The verbs that a person points at such things, in the order of the enum.
[[nodiscard]] QList<Verb> verbsFor(VerbTarget target);

} // namespace outbox
