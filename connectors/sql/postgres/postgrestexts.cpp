// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/postgres/postgrestexts.h"

#include "connectors/sql/dialect/zonetexts.h"
#include "connectors/sql/driver/sqlnames.h"
#include "models/mapping/meaning.h"

#include <QDateTime>

namespace outbox::postgres {

using namespace Qt::Literals::StringLiterals;

namespace {

/// The unit is told by the size: s, ms, µs, ns.
QString microsecondsOf(const QString &cell)
{
    return u"(CASE WHEN %1 < 100000000000 THEN %1 * 1000000 WHEN %1 < 100000000000000"
           " THEN %1 * 1000 WHEN %1 < 100000000000000000 THEN %1 ELSE %1 / 1000 END)::bigint"_s.arg(
               cell + u"::bigint"_s);
}

QString timeLiteral(qint64 us)
{
    const QDateTime seconds = QDateTime::fromSecsSinceEpoch(us / 1'000'000, Qt::UTC);
    return u"timestamp '"_s + seconds.toString(u"yyyy-MM-dd hh:mm:ss"_s)
        + u".%1'"_s.arg(us % 1'000'000, 6, 10, QChar(u'0'));
}

QString shifted(const QString &cell, qint64 shift)
{
    return shift == 0
        ? cell
        : QString(u'(' + cell + u" + interval '"_s + QString::number(shift) + u" microseconds')"_s);
}

/// Times stay times, so that infinity does.
const ZoneWords zoneWords{timeLiteral, shifted, timeLiteral};

/// `cell`, a time without zone, as it is in UTC.
QString inUtc(const QString &cell, const ClockPieces &clock, Reading reading)
{
    return textThrough(momentPieces(clock, reading), cell, zoneWords);
}

const QString utcNow = u"(now() AT TIME ZONE 'UTC')"_s;

/// Ends of leases are compared as they are stored: infinity is a lease too.
struct LeaseEnd
{
    QString cell;
    QString never; ///< what columns hold that must not be NULL
    QString end;
    QString now;
};

LeaseEnd leaseEnd(const CatalogColumn &column, const QString &zone)
{
    if (column.typeClass == TypeClass::Time) {
        const QString cell = aliased(column.name);
        const QString end = isWithoutZone(column)
            ? inUtc(cell, clockOfNow(zone.isEmpty() ? QString(lastZone) : zone), Reading::Later)
            : cell;
        return {cell, u"'epoch'"_s, end, nowFor(column)};
    }
    const QString cell = microseconds(u"t."_s, &column, zone);
    return {cell, u"0"_s, cell, u"extract(epoch FROM now()) * 1000000"_s};
}

QString withoutTrailingBlanks(QString text)
{
    while (text.endsWith(u' '))
        text.chop(1);
    return text;
}

/// Bytes as PostgreSQL casts them to text where bytea_output is "escape".
QString escaped(const QByteArray &bytes)
{
    QString text;
    for (const char one : bytes) {
        const auto byte = static_cast<unsigned char>(one);
        if (one == '\\')
            text += u"\\\\"_s;
        else if (byte < 0x20 || byte > 0x7e)
            text += u"\\%1"_s.arg(byte, 3, 8, QChar(u'0'));
        else
            text += QLatin1Char(one);
    }
    return text;
}

class PostgresFlavor : public SqlFlavor
{
public:
    [[nodiscard]] const SqlDatabase &database() const override
    {
        return databaseOf(DatabaseUrl::Dialect::PostgreSql);
    }

    [[nodiscard]] SqlFragment bound(const QVariant &value, const QString &type) const override
    {
        return type.isEmpty() ? SqlFragment(u"$1"_s, {value}) : SqlFragment::of(value, type);
    }
    [[nodiscard]] SqlFragment isOneOf(const CatalogColumn &column,
                                      const QStringList &texts) const override
    {
        return aliased(column.name) + u" = ANY("_s
            + SqlFragment::of(texts, column.plainType + u"[]"_s) + u')';
    }
    [[nodiscard]] SqlFragment isAnyOf(const CatalogColumn &column,
                                      const QStringList &texts) const override
    {
        // The column itself where its type is one that ids are written in, so that its index
        // serves.
        const bool isTyped = column.typeClass == TypeClass::Uuid
            || column.typeClass == TypeClass::Integer || column.typeClass == TypeClass::Text;
        const QString type = isTyped ? column.plainType : u"text"_s;
        return aliased(column.name) + u"::"_s + type + u" = ANY("_s
            + SqlFragment::of(texts, type + u"[]"_s) + u')';
    }
    [[nodiscard]] SqlFragment isAmong(const QString &text, const QStringList &texts) const override
    {
        return text + u" = ANY("_s + SqlFragment::of(texts, u"text[]"_s) + u')';
    }
    [[nodiscard]] SqlFragment isSame(const CatalogTable & /*table*/, const QString &name,
                                     const QVariant &text) const override
    {
        return postgres::textOf(u"t."_s, name) + u" IS NOT DISTINCT FROM "_s
            + SqlFragment::of(text, u"text"_s);
    }

    [[nodiscard]] SqlFragment overwrite(const TableName &table, const QStringList &key,
                                        const QList<WrittenColumn> &columns,
                                        const QString &number) const override
    {
        QList<SqlFragment> cells;
        QList<SqlFragment> arrays;
        QStringList names;
        for (const WrittenColumn &one : columns) {
            cells += one.same.isEmpty() ? SqlFragment(u"r."_s + one.name) : one.same;
            if (!one.same.isEmpty())
                continue;
            QStringList texts;
            for (const QVariant &value : one.values)
                texts += value.toString();
            arrays += SqlFragment::of(texts, one.type + u"[]"_s);
            names += one.name;
        }
        return u"INSERT INTO "_s + quotedName(table) + u" AS t "_s + listOf(columns) + u" SELECT "_s
            + SqlFragment::joined(cells, u", "_s) + u" FROM unnest("_s
            + SqlFragment::joined(arrays, u", "_s) + u") AS r("_s + names.join(u", "_s) + u')'
            + orOverwrite(key, columns, number);
    }

    [[nodiscard]] QString literal(const QString &text) const override
    {
        QString inner = storable(text);
        inner.replace(u'\'', u"''"_s);
        if (!inner.contains(u'\\'))
            return u'\'' + inner + u'\'';
        return u"E'"_s + inner.replace(u'\\', u"\\\\"_s) + u'\'';
    }
    [[nodiscard]] QString asText(const QString &cell) const override { return cell + u"::text"_s; }
    /// The filter's own rule, not that of the database's language; and not translate(), which takes
    /// as long again for each letter of its list.
    [[nodiscard]] SqlFragment lowered(const SqlFragment &text) const override
    {
        return u"lower(("_s + text + u") COLLATE \"C\")"_s;
    }
    [[nodiscard]] QString answer(const QString &cell) const override { return cell + u"::text"_s; }
    [[nodiscard]] bool holdsUuids(const CatalogColumn &column) const override
    {
        return column.typeClass == TypeClass::Uuid;
    }
    [[nodiscard]] QString numberText(const QString &number) const override
    {
        return number + u"::text"_s;
    }
    [[nodiscard]] QString textOf(const CatalogTable & /*table*/, const QString &name) const override
    {
        return postgres::textOf(u"t."_s, name);
    }
    [[nodiscard]] SqlFragment payloadStart(const CatalogColumn &column, qint64 most) const override
    {
        const SqlFragment length = SqlFragment::of(most, u"integer"_s);
        return column.typeClass == TypeClass::Bytes
            ? u"substring("_s + aliased(column.name) + u" FROM 1 FOR "_s + length + u')'
            : u"left("_s + aliased(column.name) + u"::text, "_s + length + u')';
    }
    [[nodiscard]] QString payloadSize(const CatalogColumn &column) const override
    {
        const bool isBytes = column.typeClass == TypeClass::Bytes;
        return u"octet_length("_s + aliased(column.name) + (isBytes ? u")"_s : u"::text)"_s);
    }
    [[nodiscard]] QString version(const CatalogTable & /*table*/) const override
    {
        return u"t.xmin::text"_s;
    }
    [[nodiscard]] QString hexOf(const QString &bytes) const override
    {
        return u"encode("_s + bytes + u", 'hex')"_s;
    }
    [[nodiscard]] QString sampleOf(const CatalogColumn &column) const override
    {
        const QString name = quotedName(column.name);
        if (column.typeClass == TypeClass::Time && !column.type.startsWith("time "_L1))
            return u"CAST(extract(epoch FROM %1) AS text)"_s.arg(name);
        if (column.typeClass == TypeClass::Json) // whole documents would be unpacked for nothing
            return u"CASE WHEN %1 IS NULL THEN NULL ELSE '{}' END"_s.arg(name);
        return {};
    }

    [[nodiscard]] QString microseconds(const CatalogTable &table, const QString &name,
                                       const QString &zone, Reading reading) const override
    {
        return postgres::microseconds(u"t."_s, table.column(name), zone, reading);
    }
    [[nodiscard]] QString milliseconds(const QString &cell) const override
    {
        return u"(extract(epoch FROM %1) * 1000)::bigint::text"_s.arg(cell);
    }
    [[nodiscard]] QString nowUs() const override
    {
        return u"(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"_s;
    }
    [[nodiscard]] QString nowAsTime() const override { return u"clock_timestamp()"_s; }
    [[nodiscard]] QString nowBeside(const CatalogColumn &column) const override
    {
        return nowFor(column);
    }
    [[nodiscard]] QString now(const OutboxShape & /*shape*/, const CatalogColumn &column,
                              const QString &zone) const override
    {
        if (column.typeClass != TypeClass::Time)
            return {};
        return isWithoutZone(column) ? textThrough(clockOfNow(zone), utcNow, zoneWords)
                                     : nowFor(column);
    }
    [[nodiscard]] QString isAfter(const QString &cell, const CatalogColumn &column,
                                  const QString &zone, double ago) const override
    {
        const QString seconds = QString::number(ago, 'f', 3);
        if (column.typeClass == TypeClass::Time) {
            const QString now = nowFor(column);
            const QString time
                = isWithoutZone(column) ? inUtc(cell, clockOfNow(zone, ago), Reading::Later) : cell;
            return time + u" > "_s
                + (ago > 0 ? now + u" - make_interval(secs => "_s + seconds + u')' : now);
        }
        if (column.typeClass != TypeClass::Integer)
            return u"false"_s;
        return microsecondsOf(cell) + u" > (extract(epoch FROM now()) - "_s + seconds
            + u") * 1000000"_s;
    }
    [[nodiscard]] QString leaseIsOver(const OutboxShape &shape,
                                      const CatalogTable &table) const override
    {
        if (shape.lockedHow != OutboxShape::LockedHow::Until || shape.leaseSeconds > 0)
            return u"false"_s;
        const LeaseEnd lease
            = leaseEnd(*table.column(shape.leaseColumn), shape.zoneOf(shape.leaseColumn));
        return u"coalesce("_s + lease.cell + u" > "_s + lease.never + u" AND "_s + lease.end
            + u" <= "_s + lease.now + u", false)"_s;
    }
    [[nodiscard]] QStringList serverZone() const override
    {
        return {u"current_setting('TimeZone')"_s,
                numberText(u"extract(timezone FROM clock_timestamp())::integer"_s)};
    }
    [[nodiscard]] QString readableEnd() const override
    {
        return u"pg_snapshot_xmin(pg_current_snapshot())"_s;
    }

    [[nodiscard]] bool isKeyOf(const QString &id, const Cell &cell,
                               const CatalogColumn &column) const override
    {
        if (cell.kind == Cell::Kind::Bytes)
            return id.toLatin1() == "\\x" + cell.bytes.toHex() || id == escaped(cell.bytes);
        if (cell.kind == Cell::Kind::Text && column.type.startsWith("character("_L1))
            return id == withoutTrailingBlanks(QString::fromUtf8(cell.bytes)); // a cast cuts them
        return SqlFlavor::isKeyOf(id, cell, column);
    }
    [[nodiscard]] bool takes(const Cell &cell, const CatalogColumn &column) const override
    {
        return column.typeClass == TypeClass::Bytes
            || (cell.kind != Cell::Kind::Bytes && !cell.bytes.contains('\0'));
    }
};

} // namespace

bool isWithoutZone(const CatalogColumn &column)
{
    return needsZone(column, false);
}

QString nowFor(const CatalogColumn &column)
{
    return isWithoutZone(column) ? utcNow : u"now()"_s;
}

SqlFragment firstLocal(double seconds, const QString &zone, bool isAfter)
{
    const SqlFragment moment = u'(' + utcNow + u" - make_interval(secs => "_s
        + SqlFragment::of(seconds, u"double precision"_s) + u')'
        + (isAfter ? u" + interval '1 microsecond')"_s : u")"_s);
    return SqlFragment::filled(
        textThrough(firstLocalPieces(clockOfNow(zone, seconds)), u"%1"_s, zoneWords), {moment});
}

QString microseconds(const QString &prefix, const CatalogColumn *column, const QString &zone,
                     Reading reading)
{
    if (column && column->typeClass == TypeClass::Time) {
        const QString cell = prefix + quotedName(column->name);
        if (isWithoutZone(*column) && zone.isEmpty())
            return u"NULL::bigint"_s;
        const QString time
            = isWithoutZone(*column) ? inUtc(cell, clockOfRows(zone), reading) : cell;
        return u"CASE WHEN isfinite(%1) THEN (extract(epoch FROM %2) * 1000000)::bigint END"_s.arg(
            cell, time);
    }
    if (column && column->typeClass == TypeClass::Integer)
        return microsecondsOf(prefix + quotedName(column->name));
    return u"NULL::bigint"_s;
}

QString textOf(const QString &prefix, const QString &columnName)
{
    return columnName.isEmpty() ? u"NULL::text"_s : prefix + quotedName(columnName) + u"::text"_s;
}

} // namespace outbox::postgres

const outbox::SqlFlavor &outbox::postgresFlavor()
{
    static const postgres::PostgresFlavor flavor;
    return flavor;
}
