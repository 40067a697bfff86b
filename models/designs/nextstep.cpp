// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/designs/nextstep.h"

#include "models/enumtext.h"
#include "models/phrases.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

using Act = NextStep::Act;
using EntryState = OutboxEntry::State;

NextStep undispatched(const OutboxEntry &entry)
{
    return {Act::Dispatch, FindingKind::Undispatched,
            entry.messages.size() == 1
                ? u"1 message inside: dispatched under the id it has"_s
                : u"%1 messages inside: dispatched under the ids they have"_s.arg(
                    countText(entry.messages.size()))};
}

NextStep besideStore(const OutboxEntry &entry, bool isDone)
{
    if (isDone) {
        return {Act::Remove, FindingKind::LeakedEntry,
                u"The dedup store has the id: its messages went out before it was added"_s};
    }
    if (entry.state == EntryState::Dispatched) {
        return {Act::LeaveAlone,
                {},
                u"Dispatched, but the dedup store has not the id: without the entry the message "
                "could run again"_s};
    }
    return undispatched(entry);
}

NextStep besideTokens(const OutboxEntry &entry, bool isDone)
{
    if (isDone) {
        return {Act::Remove, FindingKind::LeakedEntry,
                u"The token of the incoming message is consumed: its messages went out before"_s};
    }
    if (entry.state == EntryState::Dispatched)
        return {Act::LeaveAlone, {}, u"Null, though the incoming message still has its token"_s};
    return {Act::Dispatch, FindingKind::Undispatched,
            u"The incoming message still has its token: tokens, dispatch and clean-up go on as its "
            "receiver would"_s};
}

constexpr auto designTexts = enumTexts<Design>({
    {Design::EntityState, u"entity", "Entity with OutboxState"},
    {Design::DedupStore, u"store", "Separate dedup store"},
    {Design::Tokens, u"tokens", "Tokens"},
});

} // namespace

QString word(Design design)
{
    return designTexts.word(design);
}

QString label(Design design)
{
    return designTexts.label(design, "outbox::Design");
}

std::optional<Design> designFromWord(QStringView text)
{
    return designTexts.fromWord(text);
}

NextStep nextStep(const OutboxEntry &entry, Design design, std::optional<bool> isDone)
{
    if (entry.state == EntryState::Malformed) {
        return {Act::LeaveAlone, {}, u"The entry cannot be read: %1"_s.arg(entry.problem)};
    }
    if (design == Design::EntityState) {
        if (entry.state == EntryState::Undispatched)
            return undispatched(entry);
        return {Act::Keep, {}, u"Dispatched; the id is kept so that a copy is known again"_s};
    }
    if (!isDone)
        return {Act::LeaveAlone, {}, u"The other store was not read, so nothing is decided"_s};
    return design == Design::DedupStore ? besideStore(entry, *isDone)
                                        : besideTokens(entry, *isDone);
}

QString whyNotPurge(const OutboxEntry &entry, Design design, std::optional<double> ageSeconds,
                    qint64 retentionSeconds)
{
    if (entry.state == EntryState::Undispatched)
        return u"Its messages are inside: to purge it is to lose them. Dispatch it"_s;
    if (entry.state == EntryState::Malformed)
        return u"It cannot be read, so nobody knows whether messages are inside: "_s
            + entry.problem;
    if (design != Design::EntityState)
        return u"Only the other store tells whether it may go: reconcile"_s;
    if (!ageSeconds) {
        return u"Nobody knows how old it is: inside the retention a copy of the message would run "
               "the business logic again"_s;
    }
    if (*ageSeconds < double(retentionSeconds)) {
        return u"It is %1 old and the retention is %2: a copy of the message would run the "
               "business logic again"_s.arg(spanText(*ageSeconds),
                                            spanText(double(retentionSeconds)));
    }
    return {};
}

} // namespace outbox
