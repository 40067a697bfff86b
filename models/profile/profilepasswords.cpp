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

QString passwordTakenFrom(QString &url)
{
    QString password;
    const qsizetype scheme = url.indexOf("://"_L1);
    if (scheme < 0)
        return password;
    const qsizetype first = scheme + 3;
    qsizetype end = first; // of the part that may name a user
    while (end < url.size() && !QStringView(u"/?#").contains(url.at(end)))
        ++end;
    const qsizetype at = end > first ? url.lastIndexOf(u'@', end - 1) : -1;
    const qsizetype colon = at >= first ? url.indexOf(u':', first) : -1;
    if (colon >= 0 && colon < at) {
        password = decoded(url.mid(colon + 1, at - colon - 1));
        // "redis://:secret@host" names no user: the sign alone would mean an empty one.
        url.remove(colon, at - colon + (colon == first ? 1 : 0));
    }
    const qsizetype query = url.indexOf(u'?');
    if (query < 0)
        return password;
    QStringList kept;
    const QStringList words = url.mid(query + 1).split(u'&');
    for (const QString &one : words) {
        if (one.startsWith("password="_L1))
            password = decoded(one.mid(9));
        else
            kept.append(one);
    }
    if (kept.size() != words.size()) {
        url.truncate(query);
        if (!kept.isEmpty())
            url += u'?' + kept.join(u'&');
    }
    return password;
}

bool namesPasswordOfSentinels(const QString &url)
{
    return QStringView(url).trimmed().startsWith("redis-sentinel://"_L1, Qt::CaseInsensitive);
}

} // namespace outbox
