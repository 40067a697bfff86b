// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What SqliteDialect says of spans of the table that a search goes through.
#include "connectors/sql/sqlitedialect.h"
#include "connectors/sql/sqlitetexts.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using namespace sqlite;

QStringList SqliteDialect::within(const RowSpan &span, SqlText &sql)
{
    QStringList conditions;
    if (!span.after.isEmpty())
        conditions += afterCursor(span.order, span.after, sql);
    if (!span.upTo.isEmpty()) {
        const SortColumn &first = span.order.constFirst();
        conditions += aliased(first.name) + (first.descending ? u" >= "_s : u" <= "_s)
            + bind(sql, span.upTo.constFirst()); // what the index walks
        conditions += u"NOT ("_s + afterCursor(span.order, span.upTo, sql) + u')';
    }
    return conditions;
}

SqlText SqliteDialect::placeBehind(const RowSpan &span, qint64 rows) const
{
    SqlText sql;
    QStringList cells;
    for (const SortColumn &one : span.order)
        cells += exactTextOf(one.name);
    const QStringList range = within({span.order, span.after, {}}, sql);
    sql.text = u"SELECT "_s + cells.join(u", "_s) + u" FROM "_s + tableName() + u" AS t"_s
        + (range.isEmpty() ? QString() : u" WHERE "_s + range.join(u" AND "_s)) + u" ORDER BY "_s
        + orderBy(span.order, u"t."_s) + u" LIMIT 1 OFFSET "_s;
    sql.text += bind(sql, rows - 1);
    return sql;
}

SqlText SqliteDialect::countIn(const RowSpan &span) const
{
    SqlText sql;
    const QStringList range = within(span, sql);
    sql.text = u"SELECT CAST(count(*) AS TEXT) FROM "_s + tableName() + u" AS t"_s
        + (range.isEmpty() ? QString() : u" WHERE "_s + range.join(u" AND "_s));
    return sql;
}

} // namespace outbox
