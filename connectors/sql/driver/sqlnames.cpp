// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/driver/sqlnames.h"

#include "connectors/sql/driver/sqldatabases.h"
#include "models/nearest.h"

#include <algorithm>
#include <atomic>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QString between(const QString &quotes, const QString &name)
{
    const QChar end = quotes.back();
    QString inner = name;
    return quotes.front() + inner.replace(end, QString(2, end)) + end;
}

QString between(const QString &quotes, const TableName &name)
{
    const QString table = between(quotes, name.table);
    return name.schema.isEmpty() ? table : between(quotes, name.schema) + u'.' + table;
}

} // namespace

QString quotedName(const QString &name)
{
    return between(u"\"\""_s, name);
}

QString quotedName(const TableName &name)
{
    return between(u"\"\""_s, name);
}

QString quotedName(const QString &name, DatabaseUrl::Dialect dialect)
{
    return between(databaseOf(dialect).quotes, name);
}

QString quotedName(const TableName &name, DatabaseUrl::Dialect dialect)
{
    return between(databaseOf(dialect).quotes, name);
}

QString inBackticks(const QString &name)
{
    return u'`' + name + u'`';
}

QString postgresArray(const QStringList &items)
{
    QStringList quoted;
    quoted.reserve(items.size());
    for (QString item : items)
        quoted += u'"' + item.replace(u'\\', u"\\\\"_s).replace(u'"', u"\\\""_s) + u'"';
    return u'{' + quoted.join(u',') + u'}';
}

QString likePattern(const QString &wildcards)
{
    QString pattern;
    for (const QChar sign : wildcards) {
        if (sign == u'*')
            pattern += u'%';
        else if (sign == u'?')
            pattern += u'_';
        else if (sign == u'%' || sign == u'_' || sign == u'!')
            pattern += QString(u'!') + sign;
        else
            pattern += sign;
    }
    return pattern;
}

QString storable(QString text)
{
    return text.remove(QChar::Null);
}

QString nearestName(const QString &wanted, const QStringList &candidates)
{
    QString best;
    qsizetype bestDistance = std::max<qsizetype>(2, wanted.size() / 2);
    for (const QString &candidate : candidates) {
        const qsizetype edits = editDistance(wanted, candidate);
        if (edits < bestDistance || (edits == bestDistance && best.isEmpty())) {
            best = candidate;
            bestDistance = edits;
        }
    }
    return best;
}

QString uniqueConnectionName()
{
    static std::atomic<quint64> number{0};
    return u"outbox-%1"_s.arg(++number);
}

} // namespace outbox
