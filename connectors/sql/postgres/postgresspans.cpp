// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What PostgresDialect says of spans of the table that a search goes through.
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/postgres/postgresdialect.h"
#include "connectors/sql/postgres/postgrestexts.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

QString PostgresDialect::placeText(const QString &name) const
{
    return postgres::textOf(u"t."_s, name);
}

QList<SqlFragment> PostgresDialect::within(const RowSpan &span) const
{
    QList<SqlFragment> conditions;
    if (!span.after.isEmpty())
        conditions += afterCursor(span.order, u"t."_s, span.after);
    if (span.upTo.isEmpty())
        return conditions;
    const bool descending = span.order.constFirst().descending;
    const bool oneWay
        = std::all_of(span.order.begin(), span.order.end(),
                      [descending](const SortColumn &one) { return one.descending == descending; });
    const QString sign = descending ? u" >= "_s : u" <= "_s;
    QStringList names;
    QList<SqlFragment> values;
    for (const SortColumn &one : span.order) {
        if (!oneWay && !names.isEmpty())
            break; // the first column alone is what the index walks
        names += u"t."_s + quotedName(one.name);
        values += SqlFragment::of(span.upTo.at(values.size()), column(one.name).type);
    }
    conditions += u'(' + names.join(u", "_s) + u')' + sign + u'('
        + SqlFragment::joined(values, u", "_s) + u')';
    if (!oneWay)
        conditions += u"NOT "_s + afterCursor(span.order, u"t."_s, span.upTo);
    if (span.after.isEmpty() || !oneWay)
        return conditions;
    // Of two bounds of whole keys the planner thinks as of two accidents, and rather reads a large
    // table than a tenth of its index; two bounds of one column it knows for a span.
    const SortColumn &first = span.order.constFirst();
    const auto bound = [&](const QString &than, const QString &value) {
        conditions += u"t."_s + quotedName(first.name) + than
            + SqlFragment::of(value, column(first.name).type);
    };
    bound(sign, span.upTo.constFirst());
    bound(descending ? u" <= "_s : u" >= "_s, span.after.constFirst());
    return conditions;
}

} // namespace outbox
