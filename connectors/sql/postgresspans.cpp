// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What PostgresDialect says of spans of the table that a search goes through.
#include "connectors/sql/postgresdialect.h"
#include "connectors/sql/postgrestexts.h"
#include "connectors/sql/sqlnames.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using namespace postgres;

QStringList PostgresDialect::within(const RowSpan &span, SqlText &sql) const
{
    QStringList conditions;
    if (!span.after.isEmpty())
        conditions += afterCursor(span.order, u"t."_s, span.after, sql);
    if (span.upTo.isEmpty())
        return conditions;
    const bool descending = span.order.constFirst().descending;
    const bool oneWay
        = std::all_of(span.order.begin(), span.order.end(),
                      [descending](const SortColumn &one) { return one.descending == descending; });
    const QString sign = descending ? u" >= "_s : u" <= "_s;
    QStringList names;
    QStringList values;
    for (const SortColumn &one : span.order) {
        if (!oneWay && !names.isEmpty())
            break; // the first column alone is what the index walks
        names += u"t."_s + quotedName(one.name);
        values += bind(sql, span.upTo.at(values.size()), column(one.name).type);
    }
    conditions += u'(' + names.join(u", "_s) + u')' + sign + u'(' + values.join(u", "_s) + u')';
    if (!oneWay)
        conditions += u"NOT "_s + afterCursor(span.order, u"t."_s, span.upTo, sql);
    if (span.after.isEmpty() || !oneWay)
        return conditions;
    // Of two bounds of whole keys the planner thinks as of two accidents, and rather reads a large
    // table than a tenth of its index; two bounds of one column it knows for a span.
    const SortColumn &first = span.order.constFirst();
    const auto bound = [&](const QString &than, const QString &value) {
        conditions
            += u"t."_s + quotedName(first.name) + than + bind(sql, value, column(first.name).type);
    };
    bound(sign, span.upTo.constFirst());
    bound(descending ? u" <= "_s : u" >= "_s, span.after.constFirst());
    return conditions;
}

SqlText PostgresDialect::placeBehind(const RowSpan &span, qint64 rows) const
{
    SqlText sql;
    QStringList cells;
    for (const SortColumn &one : span.order)
        cells += u"t."_s + quotedName(one.name) + u"::text"_s;
    const QStringList range = within({span.order, span.after, {}}, sql);
    sql.text = u"SELECT "_s + cells.join(u", "_s) + u" FROM "_s + tableName() + u" t"_s
        + (range.isEmpty() ? QString() : u" WHERE "_s + range.join(u" AND "_s)) + u" ORDER BY "_s
        + orderBy(span.order, u"t."_s) + u" LIMIT 1 OFFSET "_s;
    sql.text += bind(sql, rows - 1, u"bigint"_s);
    return sql;
}

SqlText PostgresDialect::countIn(const RowSpan &span) const
{
    SqlText sql;
    const QStringList range = within(span, sql);
    sql.text = u"SELECT count(*)::text FROM "_s + tableName() + u" t"_s
        + (range.isEmpty() ? QString() : u" WHERE "_s + range.join(u" AND "_s));
    return sql;
}

} // namespace outbox
