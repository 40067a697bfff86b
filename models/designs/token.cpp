// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/designs/token.h"

#include "models/enumtext.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr auto tokenReaches = enumTexts<TokenReach>({
    {TokenReach::Held, u"held", "Held"},
    {TokenReach::Carried, u"carried", "Carried"},
    {TokenReach::Attempt, u"attempt", "Attempt"},
    {TokenReach::Losing, u"losing", "Losing"},
    {TokenReach::Garbage, u"garbage", "Garbage"},
    {TokenReach::Unknown, u"unknown", "Unknown"},
});

} // namespace

QString word(TokenReach reach)
{
    return tokenReaches.word(reach);
}

QString label(TokenReach reach)
{
    return tokenReaches.label(reach, "outbox::TokenModel");
}

TokenReach reachOf(const Token &token, const TokenReferences &references)
{
    if (references.entries.contains(token.id))
        return TokenReach::Held;
    if (references.carried.contains(token.id))
        return TokenReach::Carried;
    const auto entry = token.attempt.isEmpty() ? references.unfinished.constEnd()
                                               : references.unfinished.constFind(token.incoming);
    if (entry != references.unfinished.constEnd())
        return entry->isEmpty() ? TokenReach::Attempt : TokenReach::Losing;
    return references.isComplete ? TokenReach::Garbage : TokenReach::Unknown;
}

QString reachText(const Token &token, TokenReach reach, const TokenReferences &references)
{
    switch (reach) {
    case TokenReach::Held:
        return u"The entry %1 names it: its message is still to be sent"_s.arg(
            references.entries.value(token.id));
    case TokenReach::Carried:
        return u"A message in a queue carries it"_s;
    case TokenReach::Attempt:
        return u"Its attempt on message %1 is not decided yet"_s.arg(token.incoming);
    case TokenReach::Losing:
        return u"Its attempt on message %1 lost: the entry has another one's tokens"_s.arg(
            token.incoming);
    case TokenReach::Garbage:
        return u"No document, no queue and no undecided attempt that was read here refers to it. A "
               "message that is elsewhere would be discarded with it: look again later"_s;
    case TokenReach::Unknown:
        break;
    }
    return u"Not everything was read, so nothing is said of it"_s;
}

} // namespace outbox
