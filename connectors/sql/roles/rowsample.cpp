// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/roles/rowsample.h"

#include "connectors/sql/dialect/sqlflavor.h"
#include "connectors/sql/driver/sqldatabases.h"
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/roles/columnsample.h"
#include "connectors/sql/roles/tablefacts.h"
#include "connectors/sql/session/sqlsession.h"
#include "models/mapping/meaning.h"

#include <QSet>

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// No value of it is longer than what a sample has of one. Cutting costs more than sending it.
bool isNeverCut(const CatalogColumn &column, DatabaseUrl::Dialect dialect)
{
    if (databaseOf(dialect).isLoose)
        return false;
    switch (column.typeClass) {
    case TypeClass::Integer:
    case TypeClass::Flag:
        return true;
    case TypeClass::Uuid:
        return !isUuidBytes(column);
    case TypeClass::Text:
        return lengthOf(column).value_or(mostSampleCharacters + 1) <= mostSampleCharacters;
    default:
        return false;
    }
}

QString expressionOf(const CatalogColumn &column, DatabaseUrl::Dialect dialect)
{
    const SqlFlavor &flavor = flavorOf(dialect);
    QString own = flavor.sampleOf(column);
    if (!own.isEmpty())
        return own;
    if (isNeverCut(column, dialect))
        return u"CAST("_s + quotedName(column.name) + u" AS "_s + flavor.database().textType + u')';
    return beginningOf(column, mostSampleCharacters, dialect);
}

/// A SELECT of these cells from the rows written first, and one from those written last where a key
/// tells them; else one from any rows.
QStringList endsOf(const CatalogTable &table, DatabaseUrl::Dialect dialect, const QString &cells,
                   int most)
{
    const QStringList keys
        = table.primaryKey.isEmpty() ? table.uniqueColumns.mid(0, 1) : table.primaryKey;
    QStringList parts;
    for (const QString &direction : {u""_s, u" DESC"_s}) {
        QStringList order;
        for (const QString &key : keys)
            order += aliased(key) + direction; // a bare name may be one of our own
        parts += u"SELECT * FROM (SELECT %1 FROM %2 AS t%3) s%4"_s.arg(
            cells, quotedName(table.name), flavorOf(dialect).atMost(most, order.join(u", "_s)),
            QString::number(parts.size()));
        if (keys.isEmpty())
            break;
    }
    return parts;
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
    const SqlFlavor &flavor = flavorOf(dialect);
    const QStringList parts = endsOf(table, dialect, expressions.join(u", "_s), most);
    // The clock is asked once, by a query of its own, and not for each row.
    const auto rows
        = TRY(session.query({u"SELECT a.*, (SELECT "_s + flavor.numberText(flavor.nowUs())
                                 + u") FROM ("_s + parts.join(u" UNION ALL "_s) + u") a"_s,
                             {}},
                            u"looking at "_s + table.name.text()));
    // A small table has rows in both parts. It is told here which: the server would sort them all.
    RowSample sample;
    for (const QString &column : std::as_const(columns))
        sample.cells.insert(column, {});
    QSet<QStringList> seen;
    for (qsizetype row = 0; row < rows.size(); ++row) {
        QStringList cells;
        for (qsizetype at = 0; at < columns.size(); ++at) {
            const QString text = rows.isNull(row, at) ? QString() : rows.text(row, at);
            cells += text.isNull() && !rows.isNull(row, at) ? u""_s : text;
        }
        if (parts.size() > 1 && seen.contains(cells))
            continue;
        seen += cells;
        ++sample.rows;
        for (qsizetype at = 0; at < columns.size(); ++at)
            sample.cells[columns.at(at)] += cells.at(at);
    }
    if (sample.rows > 0)
        sample.now = rows.integer(0, columns.size()).value_or(0) / 1000; // ms
    return sample;
}

Result<QStringList> sampledValues(SqlSession &session, const CatalogTable &table,
                                  const CatalogColumn &column, DatabaseUrl::Dialect dialect,
                                  int most)
{
    if (!databaseOf(dialect).canName(column.name))
        return QStringList();
    const QStringList parts
        = endsOf(table, dialect, expressionOf(column, dialect) + u" AS v"_s, most);
    const QString distinct = parts.size() > 1
        ? parts.join(u" UNION "_s)
        : QString(u"SELECT DISTINCT * FROM ("_s + parts.constFirst() + u") a"_s);
    const auto rows = TRY(session.query({distinct, {}}, u"looking at "_s + table.name.text()));
    QStringList values;
    for (qsizetype row = 0; row < rows.size(); ++row) {
        if (!rows.isNull(row, 0))
            values += rows.text(row, 0);
    }
    return values;
}

} // namespace outbox
