// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/mariadb/mariadbtexts.h"

#include "connectors/sql/dialect/dialect.h"
#include "connectors/sql/dialect/zonetexts.h"
#include "connectors/sql/driver/sqldatabases.h"
#include "connectors/sql/driver/sqlnames.h"
#include "models/mapping/meaning.h"

#include <QDateTime>
#include <QUuid>

#include <algorithm>

namespace outbox::mariadb {

using namespace Qt::Literals::StringLiterals;

namespace {

bool isBytes(const CatalogColumn &column)
{
    return column.typeClass == TypeClass::Bytes;
}

/// A number that is stored shorter than it is compared.
bool isFloat(const CatalogColumn &column)
{
    return column.type.startsWith("float"_L1);
}

bool isBits(const CatalogColumn &column)
{
    return column.type.startsWith("bit("_L1);
}

/// `(?, …)`.
SqlFragment valueList(const CatalogColumn &column, const QStringList &texts)
{
    QList<SqlFragment> places;
    places.reserve(texts.size());
    for (const QString &text : texts)
        places += SqlFragment::of(valueOf(text, column));
    return u'(' + SqlFragment::joined(places, u", "_s) + u')';
}

QString timeLiteral(qint64 us)
{
    const QDateTime seconds = QDateTime::fromSecsSinceEpoch(us / 1'000'000, Qt::UTC);
    return u"TIMESTAMP'"_s + seconds.toString(u"yyyy-MM-dd hh:mm:ss"_s)
        + u".%1'"_s.arg(us % 1'000'000, 6, 10, QChar(u'0'));
}

QString shiftedTime(const QString &cell, qint64 shift)
{
    return shift == 0
        ? cell
        : QString(u'(' + cell + u" + INTERVAL "_s + QString::number(shift) + u" MICROSECOND)"_s);
}

/// A time that becomes one.
const ZoneWords timeWords{timeLiteral, shiftedTime, timeLiteral};

/// A time that becomes a number: its year may be the last that a time can have.
const ZoneWords numberWords{
    timeLiteral,
    [](const QString &cell, qint64 shift) -> QString {
        const QString us = u"TIMESTAMPDIFF(MICROSECOND, '1970-01-01', %1)"_s.arg(cell);
        return shift == 0 ? us : u'(' + us + u" + "_s + QString::number(shift) + u')';
    },
    [](qint64 us) { return QString::number(us); }};

/// A value whose digest tells it apart from every other one of its column.
QString digestible(const CatalogColumn &column)
{
    return isFloat(column) ? u"CAST(%1 AS DOUBLE)"_s.arg(aliased(column.name))
                           : aliased(column.name);
}

} // namespace

QString textOf(const CatalogTable &table, const QString &name)
{
    const CatalogColumn *column = table.column(name);
    if (!column)
        return u"NULL"_s;
    const QString cell = aliased(name);
    if (isUuidBytes(*column)) {
        return u"LOWER(INSERT(INSERT(INSERT(INSERT(HEX(%1), 9, 0, '-'), 14, 0, '-'), 19, 0, '-'),"
               " 24, 0, '-'))"_s.arg(cell);
    }
    if (isBytes(*column))
        return u"LOWER(HEX(%1))"_s.arg(cell);
    return exactTextOf(*column);
}

QString exactTextOf(const CatalogColumn &column)
{
    QString cell = aliased(column.name);
    if (isUuidBytes(column) || isBytes(column))
        return u"LOWER(HEX(%1))"_s.arg(cell);
    if (isFloat(column))
        return u"CAST(CAST(%1 AS DOUBLE) AS CHAR)"_s.arg(cell);
    if (isBits(column))
        return u"CAST(%1 + 0 AS CHAR)"_s.arg(cell);
    if (column.typeClass == TypeClass::Text || column.typeClass == TypeClass::Json)
        return cell; // the server writes it in the session's encoding
    return u"CAST(%1 AS CHAR)"_s.arg(cell);
}

bool holdsBytes(const CatalogColumn &column)
{
    static const QStringList families{u"bit"_s,          u"binary"_s,
                                      u"geometry"_s,     u"point"_s,
                                      u"linestring"_s,   u"polygon"_s,
                                      u"multipoint"_s,   u"multilinestring"_s,
                                      u"multipolygon"_s, u"geometrycollection"_s};
    return column.typeClass == TypeClass::Bytes || families.contains(column.plainType);
}

QVariant valueOf(const QString &text, const CatalogColumn &column)
{
    if (isUuidBytes(column)) {
        const QUuid uuid = QUuid::fromString(text);
        return text.contains(u'-') ? uuid.toRfc4122() : QByteArray::fromHex(text.toLatin1());
    }
    if (isBytes(column))
        return QByteArray::fromHex(text.toLatin1());
    if (column.typeClass == TypeClass::Integer || column.typeClass == TypeClass::Flag) {
        // A number is compared with a text by way of a double, and without an index.
        bool ok = false;
        const qlonglong number = text.toLongLong(&ok);
        if (ok)
            return number;
        const qulonglong large = text.toULongLong(&ok);
        if (ok)
            return large;
    }
    return text;
}

SqlFragment equals(const CatalogColumn &column, const QString &text)
{
    return aliased(column.name) + u" = "_s + SqlFragment::of(valueOf(text, column));
}

SqlFragment exactly(const SqlFragment &text)
{
    return u"CONVERT("_s + text + u" USING utf8mb4) COLLATE utf8mb4_nopad_bin"_s;
}

SqlFragment isExactly(const CatalogTable &table, const QString &name, const QString &text)
{
    const CatalogColumn &column = *table.column(name);
    SqlFragment condition = equals(column, text);
    const bool hasCollation = column.typeClass == TypeClass::Text
        || (column.typeClass == TypeClass::Uuid && column.plainType.endsWith("char"_L1));
    if (hasCollation)
        condition += u" AND "_s + exactly(aliased(name)) + u" = "_s + SqlFragment::of(text);
    return condition;
}

SqlFragment among(const CatalogColumn &column, const QStringList &texts)
{
    return texts.isEmpty() ? SqlFragment(u"false"_s)
                           : aliased(column.name) + u" IN "_s + valueList(column, texts);
}

QString byKey()
{
    return databaseOf(DatabaseUrl::Dialect::MariaDb).beforeWrite;
}

SqlFragment fromRowsOf(const CatalogTable &table, const QString &key, const QStringList &texts)
{
    // The keys are looked up without a lock. With its LIMIT that stays a question of its own.
    const QString name = quotedName(table.name) + u" AS t"_s;
    return u" FROM (SELECT "_s + aliased(key) + u" AS k0 FROM "_s + name + u" WHERE "_s
        + among(*table.column(key), texts) + u" LIMIT "_s + QString::number(texts.size())
        + u") AS c STRAIGHT_JOIN "_s + name + u" ON "_s + aliased(key) + u" = c.k0"_s;
}

SqlText deleteRows(const CatalogTable &table, const QString &key, const QStringList &texts)
{
    return byKey() + u"DELETE FROM "_s + quotedName(table.name) + u" WHERE "_s + quotedName(key)
        + u" IN "_s + valueList(*table.column(key), texts);
}

QString nowUs()
{
    return u"TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))"_s;
}

bool isWithoutZone(const CatalogColumn &column)
{
    return needsZone(column, false);
}

SqlFragment firstLocal(qint64 agoUs, const QString &zone)
{
    const ClockPieces clock = clockOfNow(zone, static_cast<double>(agoUs) / 1e6);
    return SqlFragment::filled(
        textThrough(firstLocalPieces(clock), u"%1"_s, timeWords),
        {u"(UTC_TIMESTAMP(6) - INTERVAL "_s + SqlFragment::of(agoUs) + u" MICROSECOND)"_s});
}

QString nowIn(const QString &zone)
{
    return textThrough(clockOfNow(zone), u"UTC_TIMESTAMP(6)"_s, timeWords);
}

namespace {

/// As `microseconds`, of any cell that holds what `column` holds: a time or a number.
QString microsecondsOf(const QString &cell, const CatalogColumn &column, const ClockPieces &clock,
                       Reading reading)
{
    if (column.typeClass == TypeClass::Time) {
        return textThrough(momentPieces(isWithoutZone(column) ? clock : utcClock(), reading), cell,
                           numberWords);
    }
    if (column.typeClass == TypeClass::Integer) {
        // the unit is told by the size: s, ms, µs, ns
        return u"CASE WHEN %1 < 100000000000 THEN CAST(%1 AS SIGNED) * 1000000"
               " WHEN %1 < 100000000000000 THEN CAST(%1 AS SIGNED) * 1000"
               " WHEN %1 < 100000000000000000 THEN CAST(%1 AS SIGNED)"
               " ELSE CAST(%1 AS SIGNED) DIV 1000 END"_s.arg(cell);
    }
    return u"CAST(NULL AS SIGNED)"_s;
}

} // namespace

QString microseconds(const CatalogColumn *column, const QString &zone, Reading reading)
{
    return !column || (zone.isEmpty() && isWithoutZone(*column))
        ? u"CAST(NULL AS SIGNED)"_s
        : microsecondsOf(aliased(column->name), *column, clockOfRows(zone), reading);
}

SqlText mayAll(const TableName &table, const QStringList &columns, const QString &right)
{
    // The list of columns says what this very session may, by whatever grant, role or wildcard.
    QList<SqlFragment> places;
    for (const QString &column : columns)
        places += SqlFragment::of(column);
    return u"SELECT COUNT(*) = "_s + QString::number(columns.size())
        + u" FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = "_s
        + (table.schema.isEmpty() ? SqlFragment(u"DATABASE()"_s) : SqlFragment::of(table.schema))
        + u" AND TABLE_NAME = "_s + SqlFragment::of(table.table) + u" AND FIND_IN_SET("_s
        + SqlFragment::of(right) + u", PRIVILEGES) > 0 AND COLUMN_NAME IN ("_s
        + SqlFragment::joined(places, u", "_s) + u')';
}

SqlText tryDelete(const TableName &table)
{
    return {u"EXPLAIN DELETE FROM "_s + quotedName(table) + u" WHERE false"_s, {}};
}

namespace {

class MariadbFlavor : public SqlFlavor
{
public:
    [[nodiscard]] QString createParked(const QString &table) const override
    {
        // Ids are told apart by their bytes, blanks at their end too; both columns together are as
        // wide as a key may be.
        const QString exact = u" CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,\n"_s;
        return u"CREATE TABLE "_s + table + u" (\n    `outbox` varchar(150)"_s + exact
            + u"    `id` varchar(600)"_s + exact
            + u"    `reason` text CHARACTER SET utf8mb4 NOT NULL,\n"
              "    `attempts` int NOT NULL,\n"
              "    `parked_at` datetime(6) NOT NULL,\n"
              "    `parked_by` text CHARACTER SET utf8mb4 NOT NULL,\n"
              "    PRIMARY KEY (`outbox`, `id`)\n) ENGINE = InnoDB;\n"
              "-- for each account that relays or parks, and SELECT for those that only look:\n"
              "-- GRANT SELECT, INSERT, UPDATE, DELETE ON "_s
            + table + u" TO deck_act;\n"_s;
    }
    [[nodiscard]] QString createFence(const QString &table) const override
    {
        const QString exact = u") CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,\n"_s;
        return u"CREATE TABLE "_s + table + u" (\n    `outbox` varchar(150"_s + exact
            + u"    `relay` varchar(50"_s + exact + u"    `queue` varchar(400"_s + exact
            + u"    `life` varchar(50"_s + exact
            + u"    `n` bigint NOT NULL,\n"
              "    `at` datetime(6) NOT NULL,\n"
              "    PRIMARY KEY (`outbox`, `relay`, `queue`)\n) ENGINE = InnoDB;\n"
              "-- for each account that relays:\n"
              "-- GRANT SELECT, INSERT, UPDATE, DELETE ON "_s
            + table + u" TO deck_relay;\n"_s;
    }
    [[nodiscard]] const SqlDatabase &database() const override
    {
        return databaseOf(DatabaseUrl::Dialect::MariaDb);
    }

    [[nodiscard]] SqlFragment isOneOf(const CatalogColumn &column,
                                      const QStringList &texts) const override
    {
        return among(column, texts);
    }
    [[nodiscard]] SqlFragment isSame(const CatalogTable &table, const QString &name,
                                     const QVariant &text) const override
    {
        // By its bytes: the column's own collation may take two words for one.
        return u"CAST("_s + mariadb::textOf(table, name) + u" AS BINARY) <=> CAST("_s
            + SqlFragment::of(text) + u" AS BINARY)"_s;
    }

    [[nodiscard]] QVariant valueOf(const QVariant &text, const CatalogColumn &column) const override
    {
        return mariadb::valueOf(text.toString(), column);
    }
    [[nodiscard]] SqlFragment removal(const CatalogTable &table, const QString &name,
                                      const QString &text) const override
    {
        // Of several tables, as the server calls it: there the one may be named t.
        const bool hasKey = table.uniqueColumns.contains(name);
        return (hasKey ? byKey() : QString()) + u"DELETE t FROM "_s + quotedName(table.name)
            + u" AS t WHERE "_s + isExactly(table, name, text);
    }
    [[nodiscard]] SqlFragment overwrite(const TableName &table, const QStringList & /*key*/,
                                        const QList<WrittenColumn> &columns,
                                        const QString &number) const override
    {
        // Set one after another, each as those before it left the row.
        const QString set = number.isEmpty() ? u"%1 = VALUES(%1)"_s
                                             : u"%1 = IF(VALUES(%2) > %2, VALUES(%1), %1)"_s;
        QStringList sets;
        qsizetype rows = 0;
        for (const WrittenColumn &one : columns) {
            const QString name = quotedName(one.name);
            sets += number.isEmpty() ? set.arg(name) : set.arg(name, quotedName(number));
            rows = std::max(rows, one.values.size());
        }
        QList<SqlFragment> lines;
        for (qsizetype row = 0; row < rows; ++row) {
            QList<SqlFragment> cells;
            for (const WrittenColumn &one : columns)
                cells += one.same.isEmpty() ? SqlFragment::of(one.values.at(row)) : one.same;
            lines += u'(' + SqlFragment::joined(cells, u", "_s) + u')';
        }
        return u"INSERT INTO "_s + quotedName(table) + u' ' + listOf(columns) + u" VALUES "_s
            + SqlFragment::joined(lines, u", "_s) + u" ON DUPLICATE KEY UPDATE "_s
            + sets.join(u", "_s);
    }
    [[nodiscard]] QString assigned(const QString &name) const override { return aliased(name); }
    // Neither IGNORE, which makes what does not fit fit, nor an UPDATE, which counts like an
    // INSERT.
    [[nodiscard]] QString unlessThere() const override { return {}; }

    [[nodiscard]] QString literal(const QString &text) const override
    {
        QString inner = storable(text);
        inner.replace(u'\\', u"\\\\"_s).replace(u'\'', u"''"_s);
        return u'\'' + inner + u'\'';
    }
    [[nodiscard]] QString asText(const QString &cell) const override
    {
        // Minds the case, whatever the column's own collation does.
        return u"CONVERT("_s + cell + u" USING utf8mb4) COLLATE utf8mb4_bin"_s;
    }
    [[nodiscard]] SqlFragment mindingCase(const SqlFragment &text) const override
    {
        return exactly(text);
    }
    [[nodiscard]] SqlFragment lowered(const SqlFragment &text) const override
    {
        return u"LOWER("_s + exactly(text) + u')';
    }
    [[nodiscard]] QString textOf(const CatalogTable &table, const QString &name) const override
    {
        return mariadb::textOf(table, name);
    }
    [[nodiscard]] QString exactTextOf(const CatalogTable &table, const QString &name) const override
    {
        return mariadb::exactTextOf(*table.column(name));
    }
    [[nodiscard]] SqlFragment payloadStart(const CatalogColumn &column, qint64 most) const override
    {
        return u"LEFT("_s + aliased(column.name) + u", "_s + SqlFragment::of(most) + u')';
    }
    [[nodiscard]] QString payloadSize(const CatalogColumn &column) const override
    {
        return (isBytes(column) ? u"LENGTH(%1)"_s : u"LENGTH(CONVERT(%1 USING utf8mb4))"_s)
            .arg(aliased(column.name));
    }
    [[nodiscard]] QString version(const CatalogTable &table) const override
    {
        // Digests of the cells, and not the cells, are put side by side: what is larger than a
        // packet would make the whole NULL.
        QStringList cells;
        for (const CatalogColumn &one : table.columns) {
            if (!one.generated)
                cells += u"IFNULL(SHA2(%1, 256), '-')"_s.arg(digestible(one));
        }
        // 32 hex digits: nobody meets 128 bits by chance, nor by trying
        return u"LEFT(SHA2(CONCAT("_s + cells.join(u", "_s) + u"), 256), 32)"_s;
    }
    [[nodiscard]] QString sampleOf(const CatalogColumn &column) const override
    {
        return column.type.startsWith("bit("_L1) // else its byte
            ? u"CAST(%1 + 0 AS char)"_s.arg(quotedName(column.name))
            : QString();
    }

    [[nodiscard]] QString microseconds(const CatalogTable &table, const QString &name,
                                       const QString &zone, Reading reading) const override
    {
        return mariadb::microseconds(table.column(name), zone, reading);
    }
    [[nodiscard]] QString milliseconds(const QString &cell) const override
    {
        return u"TIMESTAMPDIFF(MICROSECOND, '1970-01-01', %1) DIV 1000"_s.arg(cell);
    }
    [[nodiscard]] QString nowUs() const override { return mariadb::nowUs(); }
    [[nodiscard]] QString nowAsTime() const override { return u"UTC_TIMESTAMP(6)"_s; }
    [[nodiscard]] QString nowBeside(const CatalogColumn &column) const override
    {
        return column.typeClass == TypeClass::Integer ? u"UNIX_TIMESTAMP()"_s
                                                      : u"UTC_TIMESTAMP(6)"_s;
    }
    [[nodiscard]] QString now(const OutboxShape & /*shape*/, const CatalogColumn &column,
                              const QString &zone) const override
    {
        if (column.typeClass != TypeClass::Time)
            return {};
        return nowIn(isWithoutZone(column) ? zone : u"UTC"_s);
    }
    [[nodiscard]] QString isAfter(const QString &cell, const CatalogColumn &column,
                                  const QString &zone, double ago) const override
    {
        if (column.typeClass != TypeClass::Time && column.typeClass != TypeClass::Integer)
            return u"false"_s;
        return microsecondsOf(cell, column, clockOfNow(zone, ago), Reading::Later) + u" > "_s
            + mariadb::nowUs() + u" - "_s + QString::number(ago * 1e6, 'f', 0);
    }
    [[nodiscard]] QString leaseIsOver(const OutboxShape &shape,
                                      const CatalogTable &table) const override
    {
        if (shape.lockedHow != OutboxShape::LockedHow::Until)
            return u"false"_s;
        const CatalogColumn &column = *table.column(shape.leaseColumn);
        const QString zone = shape.zoneOf(column.name);
        const QString end
            = microsecondsOf(aliased(column.name), column,
                             clockOfNow(zone.isEmpty() ? QString(lastZone) : zone), Reading::Later);
        const QString written
            = microsecondsOf(aliased(column.name), column, utcClock(), Reading::Later);
        // With the first second of 1970, since a timestamp cannot be 0.
        return u"IFNULL("_s + written + u" > 1000000 AND "_s + end + u" <= "_s + mariadb::nowUs()
            + u", false)"_s;
    }
    [[nodiscard]] QStringList serverZone() const override
    {
        return {u"CASE WHEN @@global.time_zone <> 'SYSTEM' THEN @@global.time_zone"
                " WHEN @@system_time_zone = 'UTC' THEN 'UTC' END"_s,
                numberText(u"TIMESTAMPDIFF(SECOND, UTC_TIMESTAMP(), CONVERT_TZ(UTC_TIMESTAMP(),"
                           " '+00:00', @@global.time_zone))"_s)};
    }

    [[nodiscard]] bool holdsUuids(const CatalogColumn &column) const override
    {
        return isUuidBytes(column);
    }
    [[nodiscard]] bool isKeyOf(const QString &id, const Cell &cell,
                               const CatalogColumn &column) const override
    {
        return cell.kind == Cell::Kind::Bytes
            ? mariadb::valueOf(id, column).toByteArray() == cell.bytes
            : SqlFlavor::isKeyOf(id, cell, column);
    }
    [[nodiscard]] bool takes(const Cell &cell, const CatalogColumn &column) const override
    {
        return holdsBytes(column)
            || (cell.kind != Cell::Kind::Bytes
                && QString::fromUtf8(cell.bytes).toUtf8() == cell.bytes);
    }
};

} // namespace

} // namespace outbox::mariadb

const outbox::SqlFlavor &outbox::mariadbFlavor()
{
    static const mariadb::MariadbFlavor flavor;
    return flavor;
}
