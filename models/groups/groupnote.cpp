// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/groups/groupnote.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

QString noteKey(const FailureGroup &group)
{
    if (group.by == GroupBy::Hour)
        return {};
    const QString source = group.source == FailureSource::Rows ? u"rows"_s : u"tasks"_s;
    static const QStringList groupings{u"cause"_s, u"error"_s, u"type"_s, u"queue"_s};
    return source + u' ' + groupings.at(int(group.by)) + u' ' + group.key();
}

QString noteWords(const GroupNote &note)
{
    if (note.who.isEmpty() || note.text.isEmpty())
        return note.who + note.text;
    return note.who + u": "_s + note.text;
}

} // namespace outbox
