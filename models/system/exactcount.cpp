// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/system/exactcount.h"

#include "models/phrases.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

QString countText(qint64 count, bool exact)
{
    return exact ? countText(count) : QString(u'~' + countText(count));
}

QString countOrDash(const std::optional<qint64> &count, bool exact)
{
    return count ? countText(*count, exact) : u"-"_s;
}

void putExact(const ExactCount &count, OutboxSnapshot &snapshot)
{
    const auto put = [&count](MessageState state, std::optional<qint64> &number) {
        if (number || count.rows.contains(state)) // else the outbox has no such state
            number = count.rows.value(state);
    };
    put(MessageState::Pending, snapshot.pending);
    put(MessageState::Waiting, snapshot.waiting);
    put(MessageState::Processed, snapshot.processed);
    put(MessageState::Failed, snapshot.failed);
    put(MessageState::Parked, snapshot.parked);
    put(MessageState::Unknown, snapshot.unknown);
    if (count.rows.contains(MessageState::Locked))
        snapshot.locked = count.rows.value(MessageState::Locked);
    else if (snapshot.pending) // a count does not see which rows a session holds
        snapshot.pending = std::max<qint64>(0, *snapshot.pending - snapshot.locked.value_or(0));
    for (const QString &member : {u"pending"_s, u"waiting"_s, u"processed"_s, u"failed"_s})
        snapshot.notes.remove(member);
    if (!count.note.isEmpty())
        snapshot.notes[u"counted"_s] = count.note;
    snapshot.exact = !snapshot.guess;
}

} // namespace outbox
