// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/sqlite/sqlitetexts.h"

#include "connectors/sql/dialect/zonetexts.h"
#include "connectors/sql/driver/sqlnames.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <utility>

namespace outbox::sqlite {

using namespace Qt::Literals::StringLiterals;

QString textOf(const QString &name)
{
    return name.isEmpty() ? u"NULL"_s : u"CAST(%1 AS TEXT)"_s.arg(aliased(name));
}

QString exactTextOf(const QString &name)
{
    return u"CASE typeof(%1) WHEN 'real' THEN printf('%!.17g', %1) ELSE CAST(%1 AS TEXT) END"_s.arg(
        aliased(name));
}

QString nowUs()
{
    return u"CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) * 1000"_s;
}

namespace {

QString microsecondsOf(const QString &cell)
{
    return u"CASE typeof(%1) WHEN 'integer' THEN CASE WHEN %1 < 100000000000 THEN %1 * 1000000"
           " WHEN %1 < 100000000000000 THEN %1 * 1000 WHEN %1 < 100000000000000000 THEN %1"
           " ELSE %1 / 1000 END WHEN 'real' THEN CAST(CASE WHEN %1 < 10000000"
           " THEN (%1 - 2440587.5) * 86400 ELSE %1 END * 1000 AS INTEGER) * 1000"
           " ELSE CAST((julianday(%1) - 2440587.5) * 86400000 + 0.5 AS INTEGER) * 1000 END"_s.arg(
               cell);
}

const ZoneWords zoneWords{[](qint64 us) { return QString::number(us); },
                          [](const QString &us, qint64 shift) -> QString {
                              return shift == 0 ? us : us + u" + "_s + QString::number(shift);
                          },
                          [](qint64 us) { return QString::number(us); }};

/// Numbers and texts with a zone say their moment themselves.
QString momentOf(const QString &cell, const ClockPieces &clock, Reading reading)
{
    QString us = microsecondsOf(cell);
    const ClockPieces pieces = momentPieces(clock, reading);
    if (pieces.size() == 1 && pieces.constFirst().shift == 0)
        return us;
    return u"CASE WHEN "_s + isWithoutZone(cell) + u" THEN (SELECT "_s
        + textThrough(pieces, u"u"_s, zoneWords) + u" FROM (SELECT "_s + us + u" AS u)) ELSE "_s
        + us + u" END"_s;
}

} // namespace

QString isWithoutZone(const QString &cell)
{
    return u"(typeof(%1) = 'text' AND %1 NOT GLOB '*[zZ]'"
           " AND %1 NOT GLOB '*[-+][0-9][0-9]:[0-9][0-9]')"_s.arg(cell);
}

QString microseconds(const QString &name, const QString &zone, Reading reading)
{
    if (name.isEmpty())
        return u"NULL"_s;
    const QString cell = aliased(name);
    if (zone.isEmpty()) {
        return u"CASE WHEN "_s + isWithoutZone(cell) + u" THEN NULL ELSE "_s + microsecondsOf(cell)
            + u" END"_s;
    }
    return momentOf(cell, clockOfRows(zone), reading);
}

QString nowAs(const OutboxShape &shape, const CatalogColumn &column, const QString &zone)
{
    if (column.typeClass != TypeClass::Integer) {
        const QString local = textThrough(clockOfNow(zone), nowUs(), zoneWords);
        const bool saysZone = shape.times.value(column.name) == u"timestamptz";
        return u"strftime('%Y-%m-%d %H:%M:%f@', (%1) / 1e6, 'unixepoch')"_s.replace(u"%1"_s, local)
            .replace(u"@"_s, saysZone ? u"Z"_s : QString());
    }
    const QString us = nowUs();
    QString seconds = u'(' + us + u") / 1000000"_s;
    if (shape.createdColumn.isEmpty())
        return seconds;
    return u"CASE WHEN abs(%1) < 100000000000 THEN %2 ELSE (%3) / 1000 END"_s.arg(
        aliased(shape.createdColumn), seconds, us); // the unit its neighbour is in
}

namespace {

class SqliteFlavor : public SqlFlavor
{
public:
    [[nodiscard]] const SqlDatabase &database() const override
    {
        return databaseOf(DatabaseUrl::Dialect::Sqlite);
    }

    [[nodiscard]] SqlFragment isOneOf(const CatalogColumn &column,
                                      const QStringList &texts) const override
    {
        return aliased(column.name) + u" IN "_s + keysIn(texts);
    }
    [[nodiscard]] SqlFragment isAmong(const QString &text, const QStringList &texts) const override
    {
        return text + u" IN "_s + keysIn(texts);
    }
    [[nodiscard]] SqlFragment isSame(const CatalogTable & /*table*/, const QString &name,
                                     const QVariant &text) const override
    {
        return sqlite::textOf(name) + u" IS "_s + SqlFragment::of(text);
    }

    [[nodiscard]] SqlFragment overwrite(const TableName &table, const QStringList &key,
                                        const QList<WrittenColumn> &columns,
                                        const QString &number) const override
    {
        QList<SqlFragment> cells;
        QList<QJsonArray> rows;
        int members = 0;
        for (const WrittenColumn &one : columns) {
            if (!one.same.isEmpty()) {
                cells += one.same;
                continue;
            }
            cells += u"json_extract(g.value, '$[%1]')"_s.arg(members++);
            rows.resize(one.values.size());
            for (qsizetype row = 0; row < rows.size(); ++row)
                rows[row] += QJsonValue::fromVariant(one.values.at(row));
        }
        QJsonArray all;
        for (const QJsonArray &row : std::as_const(rows))
            all += row;
        // Without a WHERE the ON would be one of a join.
        return u"INSERT INTO "_s + quotedName(table) + u" AS t "_s + listOf(columns) + u" SELECT "_s
            + SqlFragment::joined(cells, u", "_s) + u" FROM json_each("_s
            + SqlFragment::of(QString::fromUtf8(QJsonDocument(all).toJson(QJsonDocument::Compact)))
            + u") AS g WHERE true"_s + orOverwrite(key, columns, number);
    }

    [[nodiscard]] QString literal(const QString &text) const override
    {
        QString inner = storable(text);
        inner.replace(u'\'', u"''"_s);
        if (!inner.contains(u'?')) // Qt would take the sign for a value
            return u'\'' + inner + u'\'';
        return u"('"_s + inner.replace(u"?"_s, u"' || char(63) || '"_s) + u"')"_s;
    }
    [[nodiscard]] QString asText(const QString &cell) const override
    {
        return u"CAST("_s + cell + u" AS TEXT)"_s;
    }
    [[nodiscard]] QString joined(const QStringList &texts, const QString &between) const override
    {
        return texts.join(QString(u" || "_s + between + u" || "_s));
    }
    [[nodiscard]] QString textOf(const CatalogTable & /*table*/, const QString &name) const override
    {
        return sqlite::textOf(name);
    }
    [[nodiscard]] QString exactTextOf(const CatalogTable & /*table*/,
                                      const QString &name) const override
    {
        return sqlite::exactTextOf(name);
    }
    [[nodiscard]] SqlFragment payloadStart(const CatalogColumn &column, qint64 most) const override
    {
        return u"substr(CAST("_s + aliased(column.name) + u" AS BLOB), 1, "_s
            + SqlFragment::of(most) + u')';
    }
    [[nodiscard]] QString payloadSize(const CatalogColumn &column) const override
    {
        return u"length(CAST(%1 AS BLOB))"_s.arg(aliased(column.name));
    }
    /// Its number and all its cells. Generated columns follow from the others; a name with a
    /// question mark cannot be asked for.
    [[nodiscard]] QString version(const CatalogTable &table) const override
    {
        QStringList kinds;
        QStringList cells;
        for (const CatalogColumn &one : table.columns) {
            if (one.generated || one.name.contains(u'?'))
                continue;
            kinds += u"typeof("_s + aliased(one.name) + u')';
            cells += u"CASE typeof(%1) WHEN 'text' THEN CAST(%1 AS BLOB) ELSE %1 END"_s.arg(
                aliased(one.name));
        }
        constexpr qsizetype piece = 50; // a chain of all columns may be too deep for the parser
        QStringList pieces;
        for (qsizetype from = 0; from < kinds.size(); from += piece)
            pieces += QString(u'(' + kinds.mid(from, piece).join(u" || "_s) + u')');
        cells.prepend(pieces.join(u" || "_s));
        if (table.hasRowId)
            cells.prepend(u"t.rowid"_s);
        const QString name = u" AS "_s + digestColumn;
        return cells.join(name + u", "_s) + name;
    }

    [[nodiscard]] QString microseconds(const CatalogTable & /*table*/, const QString &name,
                                       const QString &zone, Reading reading) const override
    {
        return sqlite::microseconds(name, zone, reading);
    }
    [[nodiscard]] QString untoldMicroseconds(const CatalogTable & /*table*/,
                                             const QString &name) const override
    {
        return u"CASE WHEN "_s + isWithoutZone(aliased(name)) + u" THEN "_s
            + sqlite::microseconds(name, u"UTC"_s) + u" END"_s;
    }
    [[nodiscard]] QString saysNoZone(const QString &cell) const override
    {
        return isWithoutZone(cell);
    }
    [[nodiscard]] QString milliseconds(const QString &cell) const override
    {
        return u"CAST(round((julianday(%1) - 2440587.5) * 86400000) AS INTEGER)"_s.arg(cell);
    }
    [[nodiscard]] QString nowUs() const override { return sqlite::nowUs(); }
    [[nodiscard]] QString nowAsTime() const override
    {
        return u"strftime('%Y-%m-%d %H:%M:%f', 'now')"_s;
    }
    [[nodiscard]] QString nowBeside(const CatalogColumn &column) const override
    {
        return column.typeClass == TypeClass::Integer ? u"unixepoch()"_s : nowAsTime();
    }
    [[nodiscard]] QString now(const OutboxShape &shape, const CatalogColumn &column,
                              const QString &zone) const override
    {
        return nowAs(shape, column, zone);
    }
    [[nodiscard]] QString isAfter(const QString &cell, const CatalogColumn & /*column*/,
                                  const QString &zone, double ago) const override
    {
        // Any column holds any kind of time.
        const QString now = ago > 0
            ? sqlite::nowUs() + u" - "_s + QString::number(qint64(ago * 1e6))
            : sqlite::nowUs();
        return momentOf(cell, clockOfNow(zone, ago), Reading::Later) + u" > "_s + now;
    }
    [[nodiscard]] QString leaseIsOver(const OutboxShape &shape,
                                      const CatalogTable & /*table*/) const override
    {
        if (shape.lockedHow != OutboxShape::LockedHow::Until || shape.leaseSeconds > 0)
            return u"false"_s;
        const QString cell = aliased(shape.leaseColumn);
        const QString zone = shape.zoneOf(shape.leaseColumn);
        const QString end
            = momentOf(cell, clockOfNow(zone.isEmpty() ? QString(lastZone) : zone), Reading::Later);
        return u"ifnull("_s + microsecondsOf(cell) + u" > 0 AND "_s + end + u" <= "_s
            + sqlite::nowUs() + u", false)"_s;
    }
    [[nodiscard]] QStringList serverZone() const override { return {u"NULL"_s, u"NULL"_s}; }
};

} // namespace

SqlFragment keysIn(const QStringList &keys)
{
    return u"(SELECT value FROM json_each("_s + SqlFragment::of(keys) + u"))"_s;
}

} // namespace outbox::sqlite

const outbox::SqlFlavor &outbox::sqliteFlavor()
{
    static const sqlite::SqliteFlavor flavor;
    return flavor;
}
