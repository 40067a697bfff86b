// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/operations/outcome.h"

#include "models/enumtext.h"

namespace outbox {

namespace {

constexpr auto outcomeTexts = enumTexts<Outcome>({
    {Outcome::Done, u"done", "done"},
    {Outcome::SecondExecution, u"second-execution", "second execution"},
    {Outcome::NothingToDo, u"nothing-to-do", "nothing to do"},
    {Outcome::InFlight, u"in-flight", "in flight"},
    {Outcome::RefusedUntil, u"refused", "would be swallowed"},
    {Outcome::Dead, u"dead", "dead in queue"},
    {Outcome::Collision, u"collision", "id taken by another message"},
    {Outcome::Blocked, u"blocked", "blocked by a damaged task"},
    {Outcome::Claimed, u"claimed", "claimed"},
    {Outcome::Unfinished, u"unfinished", "task not finished"},
    {Outcome::Gone, u"gone", "not there"},
    {Outcome::NotOffered, u"not-offered", "not possible in this state"},
    {Outcome::NotAllowed, u"not-allowed", "not allowed"},
    {Outcome::Unknown, u"unknown", "not known"},
    {Outcome::Changed, u"changed", "changed meanwhile"},
    {Outcome::InDoubt, u"in-doubt", "in doubt"},
    {Outcome::Failed, u"failed", "failed"},
    {Outcome::Cancelled, u"cancelled", "cancelled before its turn"},
});

} // namespace

QString word(Outcome outcome)
{
    return outcomeTexts.word(outcome);
}

QString label(Outcome outcome)
{
    return outcomeTexts.label(outcome, "outbox::Outcome");
}

std::optional<Outcome> outcomeFromWord(QStringView text)
{
    return outcomeTexts.fromWord(text);
}

QList<Outcome> allOutcomes()
{
    return outcomeTexts.all();
}

} // namespace outbox
