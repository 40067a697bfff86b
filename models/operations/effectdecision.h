// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether an effect (a mail) happened, as far as the receiver's status, the queue and the provider
// tell together, and what may be done about it: one answer for each of their 72 combinations.
#pragma once

#include "models/message/messagestate.h"

#include <QString>

namespace outbox {

/// What the receiver noted before and after the effect.
enum class EffectStatus { Queued, Processing, Failed, Sent };

/// Where the task is.
enum class EffectTask { Absent, Waiting, Active, Retry, Archived, Completed };

/// What the provider says of the message.
enum class ProviderAnswer { Delivered, Unknown, NotFound };

enum class EffectDecision {
    Wait, ///< the queue owns it
    HandsOff, ///< a worker is at it, or its lease has to end first
    Fine,
    AlarmNeverSent, ///< the status says sent, the provider never saw it
    AlarmNoEffect, ///< the handler ended well without an effect
    SetSent, ///< the queue or the provider proves it; nothing is sent
    AskOperator, ///< sending again could be a second effect: never automatic
    EnqueueAgain, ///< nothing was sent, nothing is on its way
    RunArchived, ///< nothing was sent, and the task is there to be run
};

[[nodiscard]] EffectDecision decideEffect(EffectStatus status, EffectTask task,
                                          ProviderAnswer provider);
/// A sentence for people.
[[nodiscard]] QString textOf(EffectDecision decision);

/// A damaged task proves nothing: it counts as absent.
[[nodiscard]] EffectTask effectTaskOf(TaskState state);

} // namespace outbox
