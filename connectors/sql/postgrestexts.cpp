// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/postgrestexts.h"

#include "connectors/sql/sqlnames.h"

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

/// Ends of leases are compared as they are stored: infinity is a lease too.
struct LeaseEnd
{
    QString end;
    QString now;
    QString never; ///< what columns hold that must not be NULL
};

LeaseEnd leaseEnd(const CatalogColumn &column, const QString &prefix)
{
    if (column.typeClass == TypeClass::Time)
        return {prefix + quotedName(column.name), nowFor(column), u"'epoch'"_s};
    return {microseconds(prefix, &column), u"extract(epoch FROM now()) * 1000000"_s, u"0"_s};
}

class Texts : public StateTexts
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
    QString isAfter(const QString &cell, const CatalogColumn &column, double ago) const override
    {
        const QString seconds = QString::number(ago, 'f', 3);
        if (column.typeClass == TypeClass::Time) {
            const QString now = nowFor(column);
            return cell + u" > "_s
                + (ago > 0 ? now + u" - make_interval(secs => "_s + seconds + u')' : now);
        }
        if (column.typeClass != TypeClass::Integer)
            return u"false"_s;
        return microsecondsOf(cell) + u" > (extract(epoch FROM now()) - "_s + seconds
            + u") * 1000000"_s;
    }
    QString now(const CatalogColumn &column) const override
    {
        return column.typeClass == TypeClass::Time ? nowFor(column) : QString();
    }
    QString readableEnd() const override { return u"pg_snapshot_xmin(pg_current_snapshot())"_s; }
};

} // namespace

const StateTexts &stateTexts()
{
    static const Texts texts;
    return texts;
}

QString bind(SqlText &sql, const QVariant &value, const QString &type)
{
    sql.values += value;
    return u"$%1::%2"_s.arg(QString::number(sql.values.size()), type);
}

QString nowFor(const CatalogColumn &column)
{
    return column.type.contains(u"with time zone"_s) ? u"now()"_s : u"(now() AT TIME ZONE 'UTC')"_s;
}

QString microseconds(const QString &prefix, const CatalogColumn *column)
{
    if (column && column->typeClass == TypeClass::Time) {
        return u"CASE WHEN isfinite(%1) THEN (extract(epoch FROM %1) * 1000000)::bigint END"_s.arg(
            prefix + quotedName(column->name));
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
    const LeaseEnd lease = leaseEnd(*table.column(shape.leaseColumn), prefix);
    return u"coalesce("_s + lease.end + u" > "_s + lease.never + u" AND "_s + lease.end + u" <= "_s
        + lease.now + u", false)"_s;
}

} // namespace outbox::postgres
