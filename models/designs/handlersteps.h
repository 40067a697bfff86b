// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The order in which a handler of incoming messages does its work, design by design, and what
// breaks in another one: pure rules.
#pragma once

#include "models/designs/nextstep.h"

#include <QList>
#include <QString>

namespace outbox {

enum class HandlerStep {
    Load, ///< reads the document
    Check, ///< asks the other store whether the message is done; if so the handler ends
    Persist, ///< runs the business logic and writes its result with the entry, in one write
    CreateTokens, ///< one for each outgoing message that has none
    Checkpoint, ///< writes those tokens into the entry
    Dispatch, ///< sends the messages of the entry
    MarkDone, ///< adds the id to the dedup store, or consumes the incoming token
    CleanUp, ///< makes the entry null, or removes it
};

/// The one order that holds.
[[nodiscard]] QList<HandlerStep> stepsOf(Design design);

/// What `steps` would break, for people; empty for the order that holds.
[[nodiscard]] QString faultOf(const QList<HandlerStep> &steps, Design design);

} // namespace outbox
