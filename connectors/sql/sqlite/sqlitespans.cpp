// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What SqliteDialect says of spans of the table that a search goes through.
#include "connectors/sql/sqlite/sqlitedialect.h"
#include "connectors/sql/sqlite/sqlitetexts.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

QString SqliteDialect::placeText(const QString &name) const
{
    return sqlite::exactTextOf(name);
}

QStringList SqliteDialect::within(const RowSpan &span, SqlText &sql) const
{
    QStringList conditions;
    if (!span.after.isEmpty())
        conditions += afterCursor(span.order, span.after, sql);
    if (!span.upTo.isEmpty()) {
        const SortColumn &first = span.order.constFirst();
        conditions += sqlite::aliased(first.name) + (first.descending ? u" >= "_s : u" <= "_s)
            + sqlite::bind(sql, span.upTo.constFirst()); // what the index walks
        conditions += u"NOT ("_s + afterCursor(span.order, span.upTo, sql) + u')';
    }
    return conditions;
}

} // namespace outbox
