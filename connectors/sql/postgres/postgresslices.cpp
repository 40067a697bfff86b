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
    SqlText sql;
    const RowStates states = this->states();
    const QString isParked = parked.isEmpty() ? QString() : isAmong(parked, sql);
    const QString state = stateOfAny(states, isParked);
    const QStringList range = within(span, sql);
    // By version first, so that who holds rows is asked once for all that one session holds.
    sql.text = u"WITH "_s + postgreslocks::commonTables()
        + u", versions AS MATERIALIZED (SELECT t.tableoid AS o, t.xmax AS x, ("_s + state
        + u")::text AS s, count(*) AS n FROM "_s + tableName() + u" t"_s
        + (range.isEmpty() ? QString() : u" WHERE "_s + range.join(u" AND "_s))
        + u" GROUP BY 1, 2, 3), kinds AS (SELECT v.s, v.n, "_s
        + postgreslocks::kind(u"v.x"_s, u"v.o"_s)
        + u" AS kind FROM versions v) SELECT CASE WHEN k.kind IS NOT NULL"
          " AND k.s NOT IN ('processed', 'failed') THEN 'locked' ELSE k.s END, sum(k.n)::text"
          " FROM kinds k GROUP BY 1"_s;
    return sql;
}

SqlText PostgresDialect::payloadSlice(const QString &key, qint64 from, qint64 bytes) const
{
    SqlText sql;
    const QString name = u"t."_s + quotedName(m_shape.payloadColumn);
    const bool isBytes = column(m_shape.payloadColumn).typeClass == TypeClass::Bytes;
    const QString first = postgres::bind(sql, from + 1, u"integer"_s);
    const QString count = postgres::bind(sql, bytes, u"integer"_s);
    // A text is turned into bytes once a slice; OFFSET 0 keeps that from being done twice.
    sql.text = u"SELECT substring(p.b FROM "_s + first + u" FOR "_s + count
        + u"), octet_length(p.b)::text FROM (SELECT "_s
        + (isBytes ? name : QString(u"convert_to("_s + name + u"::text, 'UTF8')"_s))
        + u" AS b FROM "_s + tableName() + u" t WHERE "_s + states().scope(u"t."_s) + u" AND "_s;
    sql.text += hasKey(u"t."_s, key, sql) + u" OFFSET 0) p"_s;
    return sql;
}

} // namespace outbox
