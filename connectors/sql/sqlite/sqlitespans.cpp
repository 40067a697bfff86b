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

QList<SqlFragment> SqliteDialect::within(const RowSpan &span) const
{
    QList<SqlFragment> conditions;
    if (!span.after.isEmpty())
        conditions += afterCursor(span.order, span.after);
    if (!span.upTo.isEmpty()) {
        const SortColumn &first = span.order.constFirst();
        conditions += sqlite::aliased(first.name) + (first.descending ? u" >= "_s : u" <= "_s)
            + SqlFragment::of(span.upTo.constFirst()); // what the index walks
        conditions += u"NOT ("_s + afterCursor(span.order, span.upTo) + u')';
    }
    return conditions;
}

} // namespace outbox
