// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which rows are meant, alike for all databases: those of a key, behind a place, in a span, on a
// page; and how many they are.
#include "connectors/sql/dialect/dialect.h"
#include "connectors/sql/dialect/rowstates.h"
#include "connectors/sql/driver/sqlnames.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

SqlFragment Dialect::placed(const QString &text, const QString &name) const
{
    const CatalogColumn *known = m_table.column(name);
    return known ? flavor().placed(text, *known) : flavor().bound(text, {});
}

SqlFragment Dialect::hasKey(const QString &key) const
{
    const QStringList names = m_shape.keyColumns();
    const QStringList parts = keyPartsOf(key);
    QList<SqlFragment> same;
    for (qsizetype i = 0; i < parts.size(); ++i)
        same += aliased(names.at(i)) + u" = "_s + placed(parts.at(i), names.at(i));
    return same.isEmpty() ? SqlFragment(u"false"_s) : SqlFragment::joined(same, u" AND "_s);
}

SqlFragment Dialect::afterCursor(const QList<SortColumn> &order, const QString &prefix,
                                 const QStringList &after) const
{
    const auto compared = [&](qsizetype place, const QString &sign) -> SqlFragment {
        const QString &name = order.at(place).name;
        return prefix + quotedName(name) + sign + placed(after.at(place), name);
    };
    // The first column alone bounds the range that an index has to walk.
    const SqlFragment range = compared(0, order.constFirst().descending ? u" <= "_s : u" >= "_s);
    QList<SqlFragment> ways;
    for (qsizetype i = 0; i < order.size(); ++i) {
        QList<SqlFragment> way;
        for (qsizetype j = 0; j < i; ++j)
            way += compared(j, u" = "_s);
        way += compared(i, order.at(i).descending ? u" < "_s : u" > "_s);
        ways += u'(' + SqlFragment::joined(way, u" AND "_s) + u')';
    }
    return range + u" AND ("_s + SqlFragment::joined(ways, u" OR "_s) + u')';
}

QList<SqlFragment> Dialect::within(const RowSpan &span) const
{
    QList<SqlFragment> conditions;
    if (!span.after.isEmpty())
        conditions += afterCursor(span.order, u"t."_s, span.after);
    if (!span.upTo.isEmpty()) {
        const SortColumn &first = span.order.constFirst(); // what the index walks
        conditions += aliased(first.name) + (first.descending ? u" >= "_s : u" <= "_s)
            + placed(span.upTo.constFirst(), first.name);
        conditions += u"NOT ("_s + afterCursor(span.order, u"t."_s, span.upTo) + u')';
    }
    return conditions;
}

SqlFragment Dialect::isAmong(const QStringList &keys) const
{
    if (m_shape.keyColumns().isEmpty())
        return u"false"_s; // no row is told by a key
    if (m_shape.keyParts.isEmpty())
        return flavor().isOneOf(column(m_shape.keyColumn), keys);
    QList<SqlFragment> these;
    for (const QString &key : keys)
        these += hasKey(key);
    return these.isEmpty() ? SqlFragment(u"false"_s)
                           : u'(' + SqlFragment::joined(these, u" OR "_s) + u')';
}

SqlFragment Dialect::butParked(const QStringList &parked) const
{
    return parked.isEmpty() ? SqlFragment() : u" AND NOT "_s + isParked(parked);
}

QList<SqlFragment> Dialect::chosenIn(const RowSpan &span, const PageRequest &request,
                                     const SqlFragment &condition) const
{
    QList<SqlFragment> conditions{states().scope(u"t."_s),
                                  states().filter(u"t."_s, request.states, isRowHeld())};
    if (!request.ids.isEmpty())
        conditions += isAmong(keyTexts(request.ids));
    if (const std::optional<double> &seconds = request.processedWithinSeconds; seconds) {
        conditions += m_shape.processedWhenColumn().isEmpty()
            ? SqlFragment(u"false"_s) // no row can be said to be that old
            : processedWithin(*seconds);
    }
    return conditions + QList<SqlFragment>{condition} + within(span);
}

SqlFragment Dialect::firstOf(const QList<SqlFragment> &conditions, const QList<SortColumn> &order,
                             qint64 rows) const
{
    return where(conditions) + u" ORDER BY "_s + orderBy(order, u"t."_s) + u" LIMIT "_s
        + flavor().bound(rows, u"bigint"_s);
}

SqlFragment Dialect::fromSpan(const RowSpan &span) const
{
    return u" FROM "_s + tableName() + u" AS t"_s + where(within(span));
}

SqlText Dialect::placeBehind(const RowSpan &span, qint64 rows) const
{
    QStringList cells;
    for (const SortColumn &one : span.order)
        cells += flavor().exactTextOf(m_table, one.name);
    return u"SELECT "_s + cells.join(u", "_s) + fromSpan({span.order, span.after, {}})
        + flavor().atMost(1, orderBy(span.order, u"t."_s), rows - 1);
}

SqlText Dialect::countIn(const RowSpan &span) const
{
    return u"SELECT "_s + flavor().numberText(u"count(*)"_s) + fromSpan(span);
}

SqlText Dialect::newestBy(const QString &column) const
{
    return u"SELECT "_s + flavor().exactTextOf(m_table, column) + u", "_s
        + flavor().numberText(
            timeUs(column == m_shape.createdColumn ? column : QString(), Reading::Earlier))
        + u" FROM "_s + tableName() + u" AS t"_s
        + flavor().atMost(1, orderBy({{column, true}}, u"t."_s));
}

SqlText Dialect::countIn(const RowSpan &span, qint64 most) const
{
    const QList<SqlFragment> conditions
        = QList<SqlFragment>{states().scope(u"t."_s)} + within(span);
    return u"SELECT "_s + flavor().numberText(u"count(*)"_s) + u" FROM (SELECT 1 FROM "_s
        + tableName() + u" AS t WHERE "_s + SqlFragment::joined(conditions, u" AND "_s)
        + flavor().atMost(most + 1) + u") AS d"_s;
}

SqlText Dialect::countSlice(const RowSpan &span, const QStringList &parked) const
{
    return u"SELECT d.s, "_s + flavor().numberText(u"count(*)"_s) + u" FROM (SELECT "_s
        + stateOfAny(states(), isParked(parked)) + u" AS s"_s + fromSpan(span)
        + u") AS d GROUP BY d.s"_s;
}

SqlText Dialect::lastMarked(int rows) const
{
    const QString mark = m_shape.processedWhenColumn();
    const QString processed = states().processed(u"t."_s);
    if (mark.isEmpty() || processed == u"false")
        return {};
    // Where a local time may mean two moments, the delay is not known, and another row tells.
    const QString made = m_shape.dueColumn.isEmpty() ? m_shape.createdColumn : QString();
    QStringList read{aliased(mark)};
    if (!made.isEmpty() && made != mark)
        read += aliased(made);
    const QString isMarked = aliased(mark) + u" IS NOT NULL"_s;
    // Times are computed for the newest rows alone, not for all that are sorted to find them.
    const QString newest = u"(SELECT %1 FROM %2 AS t WHERE %3%4) AS t"_s.arg(
        read.join(u", "_s), tableName(),
        processed == isMarked ? processed : processed + u" AND "_s + isMarked,
        flavor().atMost(rows, orderBy({{mark, true}}, u"t."_s)));
    const QString left = timeUs(mark, Reading::Earlier);
    const QString came = timeUs(made, Reading::Earlier);
    const bool isClear
        = left == timeUs(mark, Reading::Later) && came == timeUs(made, Reading::Later);
    const QString again = isClear ? QString()
                                  : u", "_s + timeUs(mark, Reading::Later) + u" AS p2, "_s
            + timeUs(made, Reading::Later) + u" AS c2"_s;
    const QString delay = isClear
        ? u"max(d.p - d.c)"_s
        : u"max(CASE WHEN d.p = d.p2 AND d.c = d.c2 THEN d.p - d.c END)"_s;
    return u"SELECT "_s + flavor().numberText(u"max(d.p)"_s) + u", "_s + flavor().numberText(delay)
        + u" FROM (SELECT "_s + left + u" AS p, "_s + came + u" AS c"_s + again + u" FROM "_s
        + newest + u") AS d"_s;
}

SqlText Dialect::countOf(const SqlFragment &condition, const QStringList &without,
                         qint64 most) const
{
    QList<SqlFragment> conditions{states().scope(u"t."_s), condition};
    if (!without.isEmpty())
        conditions += u"NOT ("_s + isAmong(without) + u')';
    return tablesOfLocks() + u"SELECT "_s + flavor().numberText(u"count(*)"_s)
        + u" FROM (SELECT 1 FROM "_s + tableName() + u" AS t"_s + where(conditions)
        + flavor().atMost(most + 1) + u") AS d"_s;
}

} // namespace outbox
