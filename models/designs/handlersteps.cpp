// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/designs/handlersteps.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

QList<HandlerStep> stepsOf(Design design)
{
    using enum HandlerStep;
    switch (design) {
    case Design::EntityState:
        return {Load, Persist, Dispatch, CleanUp};
    case Design::DedupStore:
        return {Load, Check, Persist, Dispatch, MarkDone, CleanUp};
    case Design::Tokens:
        break;
    }
    return {Load, Check, Persist, CreateTokens, Checkpoint, Dispatch, MarkDone, CleanUp};
}

QString faultOf(const QList<HandlerStep> &steps, Design design)
{
    using enum HandlerStep;
    const auto comesBefore = [&steps](HandlerStep first, HandlerStep second) {
        const qsizetype at = steps.indexOf(first);
        return at >= 0 && at < steps.indexOf(second);
    };
    if (steps == stepsOf(design))
        return {};
    if (comesBefore(Check, Load)) {
        return u"The check comes before the document is read: a copy that passed it early works on "
               "a document that was cleaned up since, and changes the state twice"_s;
    }
    if (comesBefore(MarkDone, Dispatch)) {
        return u"The message is marked done before its output is sent: a crash in between loses "
               "the output"_s;
    }
    if (comesBefore(CleanUp, MarkDone)) {
        return u"The entry goes before the other store knows the message: a crash in between "
               "changes the state twice"_s;
    }
    if (design == Design::Tokens && !steps.contains(Checkpoint)) {
        return u"Tokens are not written into the entry: a repeated attempt sends the message with "
               u"a "
               "new token, and the receiver executes it twice"_s;
    }
    return u"These are not the steps of this design"_s;
}

} // namespace outbox
