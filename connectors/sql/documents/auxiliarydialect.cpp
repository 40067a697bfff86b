// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/documents/auxiliarydialect.h"

#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/mariadb/mariadbtexts.h"
#include "connectors/sql/postgres/postgrestexts.h"
#include "connectors/sql/sqlite/sqlitetexts.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

AuxiliaryDialect::AuxiliaryDialect(DoneTable names, CatalogTable table)
    : m_names(std::move(names)), m_table(std::move(table))
{ }

const CatalogColumn &AuxiliaryDialect::column(const QString &name) const
{
    return *m_table.column(name);
}

const CatalogColumn *AuxiliaryDialect::columnOrNone(const QString &name) const
{
    return name.isEmpty() ? nullptr : m_table.column(name);
}

namespace {

class PostgresSide : public AuxiliaryDialect
{
public:
    using AuxiliaryDialect::AuxiliaryDialect;

    [[nodiscard]] SqlFragment bound(const QVariant &value, const QString &name) const override
    {
        return SqlFragment::of(value, column(name).plainType);
    }
    [[nodiscard]] SqlFragment isOneOf(const QStringList &ids) const override
    {
        const QString type = column(m_names.idColumn).plainType + u"[]"_s;
        return u"t."_s + quotedName(m_names.idColumn) + u" = ANY("_s + SqlFragment::of(ids, type)
            + u')';
    }
    [[nodiscard]] QString textOf(const QString &name) const override
    {
        return postgres::textOf(u"t."_s, name);
    }
    [[nodiscard]] QString microseconds(const QString &name) const override
    {
        return postgres::microseconds(u"t."_s, columnOrNone(name), u"UTC"_s) + u"::text"_s;
    }
    [[nodiscard]] QString now() const override
    {
        return postgres::nowFor(column(m_names.timeColumn));
    }
    [[nodiscard]] SqlText remove(const QString &id) const override
    {
        return u"DELETE FROM "_s + quotedName(m_table.name) + u" AS t WHERE "_s + isOneOf({id});
    }
    [[nodiscard]] QString unlessThere() const override { return u" ON CONFLICT DO NOTHING"_s; }
};

class SqliteSide : public AuxiliaryDialect
{
public:
    using AuxiliaryDialect::AuxiliaryDialect;

    [[nodiscard]] SqlFragment bound(const QVariant &value, const QString & /*name*/) const override
    {
        return SqlFragment::of(value);
    }
    [[nodiscard]] SqlFragment isOneOf(const QStringList &ids) const override
    {
        return sqlite::aliased(m_names.idColumn) + u" IN "_s + sqlite::keysIn(ids);
    }
    [[nodiscard]] QString textOf(const QString &name) const override
    {
        return sqlite::textOf(name);
    }
    [[nodiscard]] QString microseconds(const QString &name) const override
    {
        return sqlite::microseconds(name, u"UTC"_s);
    }
    [[nodiscard]] QString now() const override
    {
        return column(m_names.timeColumn).typeClass == TypeClass::Integer
            ? u"unixepoch()"_s
            : u"strftime('%Y-%m-%d %H:%M:%f', 'now')"_s;
    }
    [[nodiscard]] SqlText remove(const QString &id) const override
    {
        return u"DELETE FROM "_s + quotedName(m_table.name) + u" AS t WHERE "_s + isOneOf({id});
    }
    [[nodiscard]] QString unlessThere() const override { return u" ON CONFLICT DO NOTHING"_s; }
};

class MariadbSide : public AuxiliaryDialect
{
public:
    using AuxiliaryDialect::AuxiliaryDialect;

    [[nodiscard]] SqlFragment bound(const QVariant &value, const QString &name) const override
    {
        return SqlFragment::of(mariadb::valueOf(value.toString(), column(name)));
    }
    [[nodiscard]] SqlFragment isOneOf(const QStringList &ids) const override
    {
        return mariadb::among(column(m_names.idColumn), ids);
    }
    [[nodiscard]] QString textOf(const QString &name) const override
    {
        return mariadb::textOf(m_table, name);
    }
    [[nodiscard]] QString microseconds(const QString &name) const override
    {
        return mariadb::microseconds(columnOrNone(name), u"UTC"_s);
    }
    [[nodiscard]] QString now() const override
    {
        return column(m_names.timeColumn).typeClass == TypeClass::Integer ? u"UNIX_TIMESTAMP()"_s
                                                                          : u"UTC_TIMESTAMP(6)"_s;
    }
    [[nodiscard]] SqlText remove(const QString &id) const override
    {
        // Of several tables, as the server calls it: there the one may be named t.
        const bool hasKey = m_table.uniqueColumns.contains(m_names.idColumn);
        return (hasKey ? mariadb::byKey() : QString()) + u"DELETE t FROM "_s
            + quotedName(m_table.name) + u" AS t WHERE "_s
            + mariadb::isExactly(m_table, m_names.idColumn, id);
    }
    // Neither IGNORE, which makes what does not fit fit, nor an UPDATE, which counts like an
    // INSERT.
    [[nodiscard]] QString unlessThere() const override { return {}; }
    [[nodiscard]] QString repeatedKeyCode() const override { return u"1062"_s; }
};

} // namespace

std::unique_ptr<AuxiliaryDialect> makeSideDialect(DatabaseUrl::Dialect dialect,
                                                  const DoneTable &names, const CatalogTable &table)
{
    switch (dialect) {
    case DatabaseUrl::Dialect::Sqlite:
        return std::make_unique<SqliteSide>(names, table);
    case DatabaseUrl::Dialect::MariaDb:
        return std::make_unique<MariadbSide>(names, table);
    case DatabaseUrl::Dialect::PostgreSql:
        break;
    }
    return std::make_unique<PostgresSide>(names, table);
}

} // namespace outbox
