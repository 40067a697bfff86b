// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/roles/rowsample.h"

#include "connectors/sql/driver/sqldatabases.h"
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/roles/columnsample.h"
#include "connectors/sql/session/sqlsession.h"

#include <QSet>

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QString expressionOf(const CatalogColumn &column, DatabaseUrl::Dialect dialect)
{
    const QString name = quotedName(column.name);
    if (dialect == DatabaseUrl::Dialect::MariaDb && column.type.startsWith("bit("_L1))
        return u"CAST(%1 + 0 AS char)"_s.arg(name); // else its byte
    if (dialect != DatabaseUrl::Dialect::PostgreSql)
        return beginningOf(column, mostSampleCharacters, dialect);
    if (column.typeClass == TypeClass::Time && !column.type.startsWith("time "_L1))
        return u"CAST(extract(epoch FROM %1) AS text)"_s.arg(name);
    if (column.typeClass == TypeClass::Json) // whole documents would be unpacked for nothing
        return u"CASE WHEN %1 IS NULL THEN NULL ELSE '{}' END"_s.arg(name);
    return beginningOf(column, mostSampleCharacters, dialect);
}

QString clockOf(DatabaseUrl::Dialect dialect)
{
    switch (dialect) {
    case DatabaseUrl::Dialect::PostgreSql:
        return u"CAST(CAST(extract(epoch FROM clock_timestamp()) AS bigint) AS text)"_s;
    case DatabaseUrl::Dialect::MariaDb:
        return u"CAST(unix_timestamp() AS char)"_s;
    case DatabaseUrl::Dialect::Sqlite:
        break;
    }
    return u"strftime('%s', 'now')"_s;
}

} // namespace

Result<RowSample> sampledRows(SqlSession &session, const CatalogTable &table,
                              DatabaseUrl::Dialect dialect, int most)
{
    QStringList columns;
    QStringList expressions;
    for (const CatalogColumn &column : table.columns) {
        if (!databaseOf(dialect).canName(column.name))
            continue;
        expressions += expressionOf(column, dialect) + u" AS c"_s + QString::number(columns.size());
        columns += column.name;
    }
    QStringList keys = table.primaryKey;
    if (keys.isEmpty() && !table.uniqueColumns.isEmpty())
        keys = QStringList{table.uniqueColumns.constFirst()};
    QStringList parts;
    for (const QString &direction : {u""_s, u" DESC"_s}) {
        QStringList order;
        for (const QString &key : std::as_const(keys))
            order += u"t."_s + quotedName(key) + direction; // a bare name may be one of our own
        parts += u"SELECT * FROM (SELECT %1 FROM %2 AS t%3 LIMIT %4) s%5"_s.arg(
            expressions.join(u", "_s), quotedName(table.name),
            order.isEmpty() ? QString() : QString(u" ORDER BY "_s + order.join(u", "_s)),
            QString::number(most), QString::number(parts.size()));
        if (keys.isEmpty())
            break;
    }
    const auto rows = session.query({u"SELECT a.*, "_s + clockOf(dialect) + u" FROM ("_s
                                         + parts.join(u" UNION ALL "_s) + u") a"_s,
                                     {}},
                                    u"looking at "_s + table.name.text());
    if (!rows)
        return passOn(rows);
    // A small table has rows in both parts. It is told here which: the server would sort them all.
    RowSample sample;
    for (const QString &column : std::as_const(columns))
        sample.cells.insert(column, {});
    QSet<QStringList> seen;
    for (qsizetype row = 0; row < rows->size(); ++row) {
        QStringList cells;
        for (qsizetype at = 0; at < columns.size(); ++at) {
            const QString text = rows->isNull(row, at) ? QString() : rows->text(row, at);
            cells += text.isNull() && !rows->isNull(row, at) ? u""_s : text;
        }
        if (parts.size() > 1 && seen.contains(cells))
            continue;
        seen += cells;
        ++sample.rows;
        for (qsizetype at = 0; at < columns.size(); ++at)
            sample.cells[columns.at(at)] += cells.at(at);
    }
    if (sample.rows > 0)
        sample.now = rows->integer(0, columns.size()).value_or(0) * 1000;
    return sample;
}

} // namespace outbox
