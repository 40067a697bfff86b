// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What MariadbDialect says of spans of the table that a search goes through.
#include "connectors/sql/mariadb/mariadbdialect.h"
#include "connectors/sql/mariadb/mariadbtexts.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

QString MariadbDialect::placeText(const QString &name) const
{
    return mariadb::exactTextOf(column(name));
}

QList<SqlFragment> MariadbDialect::within(const RowSpan &span) const
{
    QList<SqlFragment> conditions;
    if (!span.after.isEmpty())
        conditions += afterCursor(span.order, span.after);
    if (!span.upTo.isEmpty()) {
        const SortColumn &first = span.order.constFirst();
        const CatalogColumn &known = column(first.name);
        conditions += mariadb::aliased(first.name) + (first.descending ? u" >= "_s : u" <= "_s)
            + SqlFragment::of(
                          mariadb::valueOf(span.upTo.constFirst(), known)); // the index walks it
        conditions += u"NOT ("_s + afterCursor(span.order, span.upTo) + u')';
    }
    return conditions;
}

} // namespace outbox
