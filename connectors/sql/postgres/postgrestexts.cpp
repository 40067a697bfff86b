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
QString inUtc(const QString &cell, const ZoneClock &clock, Reading reading)
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

LeaseEnd leaseEnd(const CatalogColumn &column, const QString &prefix, const QString &zone)
{
    if (column.typeClass == TypeClass::Time) {
        const QString cell = prefix + quotedName(column.name);
        const QString end = isWithoutZone(column)
            ? inUtc(cell, clockOfNow(zone.isEmpty() ? QString(lastZone) : zone), Reading::Later)
            : cell;
        return {cell, u"'epoch'"_s, end, nowFor(column)};
    }
    const QString cell = microseconds(prefix, &column, zone);
    return {cell, u"0"_s, cell, u"extract(epoch FROM now()) * 1000000"_s};
}

class PostgresStateTexts : public StateTexts
{
public:
    QString name(const QString &column) const override { return quotedName(column); }
    QString name(const TableName &table) const override { return quotedName(table); }
    QString literal(const QString &text) const override
    {
        QString inner = storable(text);
        inner.replace(u'\'', u"''"_s);
        if (!inner.contains(u'\\'))
            return u'\'' + inner + u'\'';
        return u"E'"_s + inner.replace(u'\\', u"\\\\"_s) + u'\'';
    }
    QString asText(const QString &cell) const override { return cell + u"::text"_s; }
    bool needsZone(const CatalogColumn &column) const override { return isWithoutZone(column); }
    QString isAfter(const QString &cell, const CatalogColumn &column, const QString &zone,
                    double ago) const override
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
    QString now(const CatalogColumn &column, const QString &zone) const override
    {
        if (column.typeClass != TypeClass::Time)
            return {};
        return isWithoutZone(column) ? textThrough(localPieces(clockOfNow(zone)), utcNow, zoneWords)
                                     : nowFor(column);
    }
    QString readableEnd() const override { return u"pg_snapshot_xmin(pg_current_snapshot())"_s; }
};

} // namespace

const StateTexts &stateTexts()
{
    static const PostgresStateTexts texts;
    return texts;
}

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

QString version(const QString &prefix)
{
    return prefix + u"xmin::text"_s;
}

QString leaseIsOver(const OutboxShape &shape, const CatalogTable &table, const QString &prefix)
{
    if (shape.lockedHow != OutboxShape::LockedHow::Until || shape.leaseSeconds > 0)
        return u"false"_s;
    const LeaseEnd lease
        = leaseEnd(*table.column(shape.leaseColumn), prefix, shape.zoneOf(shape.leaseColumn));
    return u"coalesce("_s + lease.cell + u" > "_s + lease.never + u" AND "_s + lease.end + u" <= "_s
        + lease.now + u", false)"_s;
}

} // namespace outbox::postgres
