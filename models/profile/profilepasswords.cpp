// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/profile/profilepasswords.h"

#include <QStringList>
#include <QUrl>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QString decoded(const QString &text)
{
    return QUrl::fromPercentEncoding(text.toUtf8());
}

} // namespace

AddressParts splitPassword(const QString &url)
{
    AddressParts parts{url, {}};
    const qsizetype scheme = url.indexOf("://"_L1);
    if (scheme < 0)
        return parts;
    const qsizetype first = scheme + 3;
    qsizetype end = first; // of the part that may name a user
    while (end < url.size() && !QStringView(u"/?#").contains(url.at(end)))
        ++end;
    const qsizetype at = end > first ? url.lastIndexOf(u'@', end - 1) : -1;
    if (at >= first) {
        const qsizetype colon = url.indexOf(u':', first);
        if (colon >= 0 && colon < at) {
            parts.password = decoded(url.mid(colon + 1, at - colon - 1));
            parts.address = url.left(colon) + url.mid(at);
            // "redis://:secret@host" names no user: the sign alone would mean an empty one.
            if (colon == first)
                parts.address = url.left(first) + url.mid(at + 1);
        }
    }
    const qsizetype query = parts.address.indexOf(u'?');
    if (query < 0)
        return parts;
    QStringList kept;
    const QStringList words = parts.address.mid(query + 1).split(u'&');
    for (const QString &one : words) {
        if (one.startsWith("password="_L1))
            parts.password = decoded(one.mid(9));
        else
            kept.append(one);
    }
    if (kept.size() != words.size()) {
        parts.address.truncate(query);
        if (!kept.isEmpty())
            parts.address += u'?' + kept.join(u'&');
    }
    return parts;
}

} // namespace outbox
