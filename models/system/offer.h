// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which verbs have a meaning for what is on screen. Only an offer: the plan decides.
#pragma once

#include "models/operations/verb.h"
#include "models/shape/outboxshape.h"
#include "models/system/systemview.h"

#include <QList>
#include <QString>

namespace outbox {

/// Why `verb` means nothing for a row in this state; empty: it may.
[[nodiscard]] QString whyNotInState(Verb verb, MessageState state);
/// The same for a task (console.md 5.3).
[[nodiscard]] QString whyNotInState(Verb verb, TaskState state);
/// Why the verb is for none of these states; empty where it is for one of them: the plan tells of
/// the others.
template <typename State> [[nodiscard]] QString whyNotInAny(Verb verb, const QList<State> &states)
{
    QString why;
    for (const State state : states) {
        why = whyNotInState(verb, state);
        if (why.isEmpty())
            break;
    }
    return why;
}
/// Why an outbox of this shape knows no such verb; empty: it does.
[[nodiscard]] QString whyNotForShape(Verb verb, const OutboxShape &shape);
/// What may ever be offered for one id, the likeliest first.
[[nodiscard]] QList<Verb> offerableVerbs();
/// What can be done about one id, the likeliest first.
[[nodiscard]] QList<Verb> offeredVerbs(const IdVerdict &facts);

} // namespace outbox
