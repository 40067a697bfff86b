// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/outbox/statustable.h"

#include "connectors/sql/catalog/catalogreader.h"
#include "connectors/sql/dialect/dialect.h"
#include "connectors/sql/driver/sqldatabases.h"
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/mariadb/mariadbtexts.h"
#include "connectors/sql/postgres/postgrestexts.h"
#include "connectors/sql/sqlite/sqlitetexts.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

bool isSqlite(DatabaseUrl::Dialect dialect)
{
    return dialect == DatabaseUrl::Dialect::Sqlite;
}

/// The column itself where its type is one that ids are written in, so that its index serves.
QString comparable(const CatalogColumn &column)
{
    const bool typed = column.typeClass == TypeClass::Uuid || column.typeClass == TypeClass::Integer
        || column.typeClass == TypeClass::Text;
    return typed ? column.plainType : u"text"_s;
}

SqlText postgresRead(const StatusTable &status, const CatalogTable &table, const QStringList &ids)
{
    const QString type = comparable(*table.column(status.idColumn));
    const QString id = u"t."_s + quotedName(status.idColumn);
    return u"SELECT "_s + id + u"::text, t."_s + quotedName(status.statusColumn) + u"::text FROM "_s
        + quotedName(table.name) + u" AS t WHERE "_s + id + u"::"_s + type + u" = ANY("_s
        + SqlFragment::of(ids, type + u"[]"_s) + u')';
}

SqlText sqliteRead(const StatusTable &status, const CatalogTable &table, const QStringList &ids)
{
    const QString id = sqlite::aliased(status.idColumn);
    return u"SELECT "_s + sqlite::textOf(status.idColumn) + u", "_s
        + sqlite::textOf(status.statusColumn) + u" FROM "_s + quotedName(table.name)
        + u" AS t WHERE "_s + id + u" IN "_s + sqlite::keysIn(ids);
}

SqlText postgresWrite(const StatusTable &status, const CatalogTable &table, const MessageId &id,
                      const QVariant &expected, const QString &next)
{
    const QString type = comparable(*table.column(status.idColumn));
    const QString name = quotedName(status.statusColumn);
    // The new one without a cast: the column's own type and length are applied.
    return u"UPDATE "_s + quotedName(table.name) + u" AS t SET "_s + name + u" = "_s
        + SqlFragment(u"$1"_s, {next}) + u" WHERE t."_s + quotedName(status.idColumn) + u"::"_s
        + type + u" = "_s + SqlFragment::of(id.text, type) + u" AND t."_s + name
        + u"::text IS NOT DISTINCT FROM "_s + SqlFragment::of(expected, u"text"_s);
}

SqlText sqliteWrite(const StatusTable &status, const CatalogTable &table, const MessageId &id,
                    const QVariant &expected, const QString &next)
{
    return {u"UPDATE "_s + quotedName(table.name) + u" AS t SET "_s
                + quotedName(status.statusColumn) + u" = ? WHERE "_s
                + sqlite::aliased(status.idColumn) + u" = ? AND "_s
                + sqlite::textOf(status.statusColumn) + u" IS ?"_s,
            {next, id.text, expected}};
}

SqlText mariadbRead(const StatusTable &status, const CatalogTable &table, const QStringList &ids)
{
    return u"SELECT "_s + mariadb::textOf(table, status.idColumn) + u", "_s
        + mariadb::textOf(table, status.statusColumn) + u" FROM "_s + quotedName(table.name)
        + u" AS t WHERE "_s + mariadb::among(*table.column(status.idColumn), ids);
}

SqlText mariadbWrite(const StatusTable &status, const CatalogTable &table, const MessageId &id,
                     const QVariant &expected, const QString &next)
{
    // By its bytes: the column's own collation may take two words for one.
    return u"UPDATE "_s + quotedName(table.name) + u" AS t SET "_s
        + mariadb::aliased(status.statusColumn) + u" = "_s + SqlFragment::of(next) + u" WHERE "_s
        + mariadb::equals(*table.column(status.idColumn), id.text) + u" AND CAST("_s
        + mariadb::textOf(table, status.statusColumn) + u" AS BINARY) <=> CAST("_s
        + SqlFragment::of(expected) + u" AS BINARY)"_s;
}

SqlText readText(DatabaseUrl::Dialect dialect, const StatusTable &status, const CatalogTable &table,
                 const QStringList &ids)
{
    if (dialect == DatabaseUrl::Dialect::MariaDb)
        return mariadbRead(status, table, ids);
    return isSqlite(dialect) ? sqliteRead(status, table, ids) : postgresRead(status, table, ids);
}

SqlText writeText(DatabaseUrl::Dialect dialect, const StatusTable &status,
                  const CatalogTable &table, const MessageId &id, const QVariant &expected,
                  const QString &next)
{
    if (dialect == DatabaseUrl::Dialect::MariaDb)
        return mariadbWrite(status, table, id, expected, next);
    return isSqlite(dialect) ? sqliteWrite(status, table, id, expected, next)
                             : postgresWrite(status, table, id, expected, next);
}

} // namespace

Result<CatalogTable> StatusTableAccess::known(SqlSession &session, DatabaseUrl::Dialect dialect,
                                              const StatusTable &table)
{
    if (m_known && m_known->asked == table)
        return m_known->table;
    const QString doing = u"checking the status table "_s + table.table.text();
    const auto catalog = readTables(session, dialect, {table.table});
    if (!catalog)
        return passOn(catalog);
    const CatalogTable *found = catalog->find(table.table);
    if (!found) {
        return fail(Error::Kind::Invalid, doing,
                    u"there is no table \"%1\""_s.arg(table.table.text()));
    }
    for (const QString &name : {table.idColumn, table.statusColumn}) {
        const CatalogColumn *column = found->column(name);
        if (!column || !databaseOf(dialect).canName(name)) {
            QStringList names;
            for (const CatalogColumn &one : found->columns)
                names += one.name;
            const QString nearest = nearestName(name, names);
            return fail(Error::Kind::Invalid, doing, u"it has no usable column \"%1\""_s.arg(name),
                        {}, nearest.isEmpty() ? QString() : u"Did you mean \"%1\"?"_s.arg(nearest));
        }
    }
    m_known = Known{table, *found};
    return *found;
}

Result<QHash<MessageId, QString>> StatusTableAccess::read(SqlSession &session,
                                                          DatabaseUrl::Dialect dialect,
                                                          const StatusTable &table,
                                                          const QList<MessageId> &ids)
{
    const auto checked = known(session, dialect, table);
    if (!checked)
        return passOn(checked);
    QStringList texts;
    for (const MessageId &id : ids) {
        if (fitsType(id.text, *checked->column(table.idColumn)))
            texts += id.text;
    }
    const auto rows
        = session.query(readText(dialect, table, *checked, texts),
                        u"reading %1 of %2"_s.arg(table.statusColumn, table.table.text()));
    if (!rows) {
        forget();
        return passOn(rows);
    }
    QHash<MessageId, QString> found;
    for (qsizetype row = 0; row < rows->size(); ++row)
        found[{rows->text(row, 0)}] = rows->isNull(row, 1) ? QString() : rows->text(row, 1);
    return found;
}

Result<bool> StatusTableAccess::write(SqlSession &session, DatabaseUrl::Dialect dialect,
                                      const StatusTable &table, const MessageId &id,
                                      const QString &expected, const QString &status)
{
    const auto checked = known(session, dialect, table);
    if (!checked)
        return passOn(checked);
    if (!fitsType(id.text, *checked->column(table.idColumn)))
        return false;
    const QString doing = u"setting %1 of %2"_s.arg(table.statusColumn, id.text);
    const QVariant old = expected.isNull() ? QVariant() : QVariant(expected);
    const auto done = session.query(writeText(dialect, table, *checked, id, old, status), doing);
    if (!done) {
        forget();
        return passOn(done);
    }
    if (done->affected > 1) {
        return fail(Error::Kind::Conflict, doing, u"%1 rows have this id"_s.arg(done->affected));
    }
    return done->affected == 1;
}

} // namespace outbox
