// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Texts that filters stumble over: wildcards, quotes, letters that differ by case alone.
#pragma once

#include "connectors/sql/driver/databaseurl.h"

#include <QStringList>

namespace outbox::filtersamples {

using namespace Qt::Literals::StringLiterals;

inline const QStringList &types()
{
    static const QStringList all{
        u"email:deliver"_s, u"email:bounce"_s, u"EMAIL:deliver"_s, u"sms_x"_s,      u"smsyx"_s,
        u"50%"_s,           u"a'b\\c"_s,       u"Größe"_s,         u"größe"_s,      u"[x]*"_s,
        u"!bang?"_s,        u"\u212Aelvin"_s,  u"kelvin "_s,       u"\U0001F600"_s, u""_s,
        u"mi$1 :x"_s};
    return all;
}

inline const QStringList &errors()
{
    static const QStringList all{
        QString(),
        u""_s,
        u"Timeout after 30%"_s,
        u"TIMEOUT"_s,
        u"broken \"pipe\""_s,
        u"İstanbul"_s,
        u"no_route"_s,
        u"dial tcp 10.0.3.7:5432: connect: refused?"_s,
        u"dial tcp 10.0.3.8:5433: connect: refused!"_s,
        u"row 12 of 7e57d004-2b97-4e7a-8000-00000000002a:\n'[x]' at 0x1f"_s,
        u"row 7 of 8e57d004-2b97-4e7a-8000-00000000002b:\n'y' at 0x2f"_s};
    return all;
}

/// A text of a statement.
inline QString literal(const QString &text, DatabaseUrl::Dialect dialect)
{
    if (text.isNull())
        return u"NULL"_s;
    QString inner = text;
    inner.replace(u'\'', u"''"_s);
    if (dialect == DatabaseUrl::Dialect::MariaDb)
        inner.replace(u'\\', u"\\\\"_s);
    return u'\'' + inner + u'\'';
}

} // namespace outbox::filtersamples
