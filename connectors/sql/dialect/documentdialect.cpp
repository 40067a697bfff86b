// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/dialect/documentdialect.h"

#include "connectors/sql/dialect/dialect.h"
#include "connectors/sql/driver/sqlnames.h"

#include <QUuid>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

DocumentDialect::DocumentDialect(DocumentShape shape, CatalogTable table)
    : m_shape(std::move(shape)), m_table(std::move(table))
{ }

bool DocumentDialect::isId(const QString &text) const
{
    return fitsType(text, column(m_shape.idColumn));
}

QString DocumentDialect::versionAfter(const QString &seen) const
{
    if (column(m_shape.versionColumn).typeClass == TypeClass::Integer)
        return QString::number(seen.toLongLong() + 1);
    return QUuid::createUuid().toString(QUuid::WithoutBraces);
}

const CatalogColumn &DocumentDialect::column(const QString &name) const
{
    return *m_table.column(name);
}

QString DocumentDialect::tableName() const
{
    return quotedName(m_table.name);
}

QString DocumentDialect::changedUs() const
{
    const CatalogColumn *changed = m_table.column(m_shape.changedColumn);
    return flavor().microseconds(m_table, m_shape.changedColumn,
                                 changed && changed->isUtcByDefault ? u"UTC"_s : QString());
}

SqlFragment DocumentDialect::value(const QString &text, const QString &name) const
{
    const CatalogColumn &known = column(name);
    return flavor().bound(flavor().valueOf(text, known), known.plainType);
}

SqlFragment DocumentDialect::documentOf(const QByteArray &json) const
{
    return flavor().bound(QString::fromUtf8(json), column(m_shape.documentColumn).plainType);
}

SqlFragment DocumentDialect::isExactly(const QString &name, const QString &text) const
{
    return aliased(name) + u" = "_s + value(text, name);
}

SqlFragment DocumentDialect::isVersion(const QString &seen) const
{
    return textOf(m_shape.versionColumn) + u" = "_s + flavor().bound(seen, u"text"_s);
}

SqlFragment DocumentDialect::behind(const QString &after, int limit) const
{
    const QString key = aliased(m_shape.idColumn);
    const SqlFragment condition = after.isEmpty()
        ? SqlFragment()
        : u" WHERE "_s + key + u" > "_s + value(after, m_shape.idColumn);
    return condition + flavor().atMost(limit + 1, key);
}

SqlText DocumentDialect::find(const QString &id) const
{
    return u"SELECT %1, %2, %3, %4 FROM %5 AS t WHERE "_s.arg(
               textOf(m_shape.idColumn), textOf(m_shape.versionColumn), wholeDocument(),
               flavor().answer(flavor().nowUs()), tableName())
        + isExactly(m_shape.idColumn, id);
}

SqlText DocumentDialect::write(const QString &id, const QString &seen, const QByteArray &json) const
{
    // Without a key it would read, lock and wait for the rows of others.
    const bool hasKey = m_table.uniqueColumns.contains(m_shape.idColumn);
    return (hasKey ? flavor().database().beforeWrite : QString()) + u"UPDATE "_s + tableName()
        + u" AS t SET "_s + flavor().assigned(m_shape.documentColumn) + u" = "_s + documentOf(json)
        + u", "_s + flavor().assigned(m_shape.versionColumn) + u" = "_s
        + value(versionAfter(seen), m_shape.versionColumn) + u" WHERE "_s
        + isExactly(m_shape.idColumn, id) + u" AND "_s + isVersion(seen);
}

SqlText DocumentDialect::insert(const QString &id, const QByteArray &json) const
{
    return u"INSERT INTO %1 (%2, %3, %4) VALUES ("_s.arg(tableName(), quotedName(m_shape.idColumn),
                                                         quotedName(m_shape.versionColumn),
                                                         quotedName(m_shape.documentColumn))
        + value(id, m_shape.idColumn) + u", "_s + value(versionAfter(u"0"_s), m_shape.versionColumn)
        + u", "_s + documentOf(json) + u')' + flavor().unlessThere();
}

} // namespace outbox
