// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is said of spans of the table alike by all databases, once each has said what a span is.
#include "connectors/sql/dialect.h"
#include "connectors/sql/rowstates.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

QString Dialect::fromSpan(const RowSpan &span, SqlText &sql) const
{
    const QStringList range = within(span, sql);
    return u" FROM "_s + tableName() + u" AS t"_s
        + (range.isEmpty() ? QString() : u" WHERE "_s + range.join(u" AND "_s));
}

SqlText Dialect::placeBehind(const RowSpan &span, qint64 rows) const
{
    SqlText sql;
    QStringList cells;
    for (const SortColumn &one : span.order)
        cells += placeText(one.name);
    sql.text = u"SELECT "_s + cells.join(u", "_s) + fromSpan({span.order, span.after, {}}, sql)
        + u" ORDER BY "_s + orderBy(span.order, u"t."_s) + u" LIMIT 1 OFFSET "_s
        + QString::number(rows - 1);
    return sql;
}

SqlText Dialect::countIn(const RowSpan &span) const
{
    SqlText sql;
    sql.text = u"SELECT "_s + countText() + fromSpan(span, sql);
    return sql;
}

SqlText Dialect::countSlice(const RowSpan &span, const QStringList &parked) const
{
    SqlText sql; // values are bound in the order of the text
    const QString isParked = parked.isEmpty() ? QString() : isAmong(parked, sql);
    const QString state = stateOfAny(states(), isParked);
    sql.text = u"SELECT d.s, "_s + countText() + u" FROM (SELECT "_s + state + u" AS s"_s
        + fromSpan(span, sql) + u") AS d GROUP BY d.s"_s;
    return sql;
}

} // namespace outbox
