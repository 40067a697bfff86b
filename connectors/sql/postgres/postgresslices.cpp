// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What PostgresDialect says of parts: slices of the table to be counted, slices of a payload.
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/postgres/postgresdialect.h"
#include "connectors/sql/postgres/postgreslocks.h"
#include "connectors/sql/postgres/postgrestexts.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

SqlText PostgresDialect::countSlice(const RowSpan &span, const QStringList &parked) const
{
    // By version first, so that who holds rows is asked once for all that one session holds.
    return u"WITH "_s + postgreslocks::commonTables()
        + u", versions AS MATERIALIZED (SELECT t.tableoid AS o, t.xmax AS x, ("_s
        + stateOfAny(states(), isParked(parked)) + u")::text AS s, count(*) AS n FROM "_s
        + tableName() + u" t"_s + where(within(span))
        + u" GROUP BY 1, 2, 3), kinds AS (SELECT v.s, v.n, "_s
        + postgreslocks::kind(u"v.x"_s, u"v.o"_s)
        + u" AS kind FROM versions v) SELECT CASE WHEN k.kind IS NOT NULL"
          " AND k.s NOT IN ('processed', 'failed') THEN 'locked' ELSE k.s END, sum(k.n)::text"
          " FROM kinds k GROUP BY 1"_s;
}

SqlText PostgresDialect::payloadSlice(const QString &key, qint64 from, qint64 bytes) const
{
    const QString name = u"t."_s + quotedName(m_shape.payloadColumn);
    const bool isBytes = column(m_shape.payloadColumn).typeClass == TypeClass::Bytes;
    // A text is turned into bytes once a slice; OFFSET 0 keeps that from being done twice.
    return u"SELECT substring(p.b FROM "_s + SqlFragment::of(from + 1, u"integer"_s) + u" FOR "_s
        + SqlFragment::of(bytes, u"integer"_s) + u"), octet_length(p.b)::text FROM (SELECT "_s
        + (isBytes ? name : QString(u"convert_to("_s + name + u"::text, 'UTF8')"_s))
        + u" AS b FROM "_s + tableName() + u" t WHERE "_s + states().scope(u"t."_s) + u" AND "_s
        + hasKey(key) + u" OFFSET 0) p"_s;
}

} // namespace outbox
