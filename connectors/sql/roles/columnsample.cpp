// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/roles/columnsample.h"

#include "connectors/sql/dialect/sqlflavor.h"
#include "connectors/sql/driver/sqldatabases.h"
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/session/sqlsession.h"
#include "models/mapping/meaning.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int mostLookRows = 1000;
constexpr int mostLookValues = 60;
constexpr int mostLookCharacters = 200; ///< of a value; what differs behind them is no status
constexpr int sampleRows = 3;
constexpr int sampleCharacters = 40;

/// The first characters of a column's text.
QString textStart(const SqlFlavor &flavor, const QString &column, int characters)
{
    return flavor.beginning(u"CAST("_s + quotedName(column) + u" AS "_s + flavor.database().textType
                                + u')',
                            characters);
}

} // namespace

QString beginningOf(const CatalogColumn &column, int characters, DatabaseUrl::Dialect dialect)
{
    const SqlFlavor &flavor = flavorOf(dialect);
    if (column.typeClass == TypeClass::Bytes || isUuidBytes(column))
        return flavor.hexOf(flavor.beginning(quotedName(column.name), 16));
    return textStart(flavor, column.name, characters);
}

Result<QList<ValueCount>> countedValues(SqlSession &session, const TableName &table,
                                        const QString &column, const QStringList &key,
                                        DatabaseUrl::Dialect dialect)
{
    if (!databaseOf(dialect).canName(column))
        return QList<ValueCount>();
    QString order; // of the last part: the others are few, or follow it
    QString names;
    for (const QString &one : key) {
        names += quotedName(one) + u", "_s;
        order = quotedName(one);
    }
    const SqlFlavor &flavor = flavorOf(dialect);
    const QString value = textStart(flavor, column, mostLookCharacters);
    QStringList parts;
    for (const QString &direction : {u""_s, u" DESC"_s}) {
        parts += u"SELECT * FROM (SELECT "_s + names + value + u" AS v FROM "_s + quotedName(table)
            + flavor.atMost(mostLookRows, key.isEmpty() ? QString() : QString(order + direction))
            + u") s"_s + QString::number(parts.size());
        if (key.isEmpty())
            break;
    }
    // UNION, not UNION ALL: the key tells the rows of a small table apart, which are in both parts
    const auto rows = TRY(
        session.query({u"SELECT v, "_s + flavor.numberText(u"count(*)"_s) + u" FROM ("_s
                           + parts.join(u" UNION "_s) + u") a WHERE v IS NOT NULL GROUP BY v"_s
                           + flavor.atMost(mostLookValues, u"count(*) DESC, 1"_s),
                       {}},
                      u"looking at "_s + table.text()));
    QList<ValueCount> values;
    for (qsizetype row = 0; row < rows.size(); ++row)
        values += ValueCount{rows.text(row, 0), rows.integer(row, 1).value_or(0)};
    return values;
}

Result<QMap<QString, QStringList>> sampledColumns(SqlSession &session, const CatalogTable &table,
                                                  DatabaseUrl::Dialect dialect)
{
    QStringList columns;
    QStringList texts;
    for (const CatalogColumn &column : table.columns) {
        if (!databaseOf(dialect).canName(column.name))
            continue;
        columns += column.name;
        texts += beginningOf(column, sampleCharacters, dialect);
    }
    const auto rows
        = TRY(session.query({u"SELECT "_s + texts.join(u", "_s) + u" FROM "_s
                                 + quotedName(table.name) + flavorOf(dialect).atMost(sampleRows),
                             {}},
                            u"looking at "_s + table.name.text()));
    QMap<QString, QStringList> samples;
    for (qsizetype row = 0; row < rows.size(); ++row) {
        for (qsizetype at = 0; at < columns.size(); ++at) {
            if (!rows.isNull(row, at))
                samples[columns.at(at)] += rows.text(row, at);
        }
    }
    return samples;
}

} // namespace outbox
