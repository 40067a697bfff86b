// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/outbox/statustable.h"

#include "connectors/sql/catalog/catalogreader.h"
#include "connectors/sql/dialect/dialect.h"
#include "connectors/sql/dialect/sqlflavor.h"
#include "connectors/sql/driver/sqldatabases.h"
#include "connectors/sql/driver/sqlnames.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

SqlText readText(const SqlFlavor &flavor, const StatusTable &status, const CatalogTable &table,
                 const QStringList &ids)
{
    return u"SELECT "_s + flavor.textOf(table, status.idColumn) + u", "_s
        + flavor.textOf(table, status.statusColumn) + u" FROM "_s + quotedName(table.name)
        + u" AS t WHERE "_s + flavor.isAnyOf(*table.column(status.idColumn), ids);
}

SqlText writeText(const SqlFlavor &flavor, const StatusTable &status, const CatalogTable &table,
                  const MessageId &id, const QVariant &expected, const QString &next)
{
    // The new one without a cast: the column's own type and length are applied.
    return u"UPDATE "_s + quotedName(table.name) + u" AS t SET "_s + quotedName(status.statusColumn)
        + u" = "_s + flavor.bound(next, {}) + u" WHERE "_s
        + flavor.isAnyOf(*table.column(status.idColumn), {id.text}) + u" AND "_s
        + flavor.isSame(table, status.statusColumn, expected);
}

} // namespace

Result<CatalogTable> StatusTableAccess::known(SqlSession &session, DatabaseUrl::Dialect dialect,
                                              const StatusTable &table)
{
    if (m_known && m_asked == table)
        return *m_known;
    const QString doing = u"checking the status table "_s + table.table.text();
    const auto catalog = TRY(readTables(session, dialect, {table.table}));
    const CatalogTable *found = catalog.find(table.table);
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
    m_asked = table;
    m_known = *found;
    return *found;
}

Result<QHash<MessageId, QString>> StatusTableAccess::read(SqlSession &session,
                                                          DatabaseUrl::Dialect dialect,
                                                          const StatusTable &table,
                                                          const QList<MessageId> &ids)
{
    const auto checked = TRY(known(session, dialect, table));
    QStringList texts;
    for (const MessageId &id : ids) {
        if (fitsType(id.text, *checked.column(table.idColumn)))
            texts += id.text;
    }
    const auto rows
        = session.query(readText(flavorOf(dialect), table, checked, texts),
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
    const auto checked = TRY(known(session, dialect, table));
    if (!fitsType(id.text, *checked.column(table.idColumn)))
        return false;
    const QString doing = u"setting %1 of %2"_s.arg(table.statusColumn, id.text);
    const QVariant old = expected.isNull() ? QVariant() : QVariant(expected);
    const auto done
        = session.query(writeText(flavorOf(dialect), table, checked, id, old, status), doing);
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
