// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The one statement by which a look counts an outbox in PostgreSQL.
#include "connectors/sql/postgres/postgresdialect.h"

#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/postgres/postgreslocks.h"
#include "connectors/sql/postgres/postgrestexts.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

SqlText PostgresDialect::snapshot(const CountCaps &caps, const QStringList &parked) const
{
    const RowStates states = this->states();
    const SqlFragment limit = SqlFragment::of(caps.open + 1, u"bigint"_s);
    // The server reads through a table larger than a quarter of its buffers without keeping pages,
    // and so from the disk at each look. A range of places keeps them.
    QString open = states.open(u"t."_s);
    if (open == u"true" && m_table.isOneHeap)
        open = u"t.ctid >= '(0,0)'"_s;
    const auto counted = [](const QString &from, const SqlFragment &most) {
        return u"(SELECT count(*)::text FROM (SELECT FROM "_s + from + u" LIMIT "_s + most
            + u") p)"_s;
    };
    SqlFragment processed = postgres::nullText;
    if (const QString done = states.processed(u"t."_s); done != u"false") {
        processed = u"CASE WHEN one.size > "_s
            + SqlFragment::of(caps.mostCountedSize(), u"bigint"_s) + u" THEN '-1' ELSE "_s
            + counted(tableName() + u" t WHERE "_s + done,
                      SqlFragment::of(caps.processed + 1, u"bigint"_s))
            + u" END"_s;
    }
    // The rows of each page as they were last counted, for as many pages as there are now. The sum
    // is a table of its own: a cell is planned, and computed, as often as it is named.
    const QString pages = u"(SELECT sum(CASE WHEN c.relpages > 0 THEN c.reltuples / c.relpages"
                          " * (pg_relation_size(c.oid) / current_setting('block_size')::float8)"
                          " ELSE 0 END)::bigint AS size FROM pg_class c WHERE c.oid "_s
        + QString(m_table.isOneHeap ? u"= %1::regclass)"_s
                                    : u"IN (SELECT relid FROM pg_partition_tree(%1::regclass)"
                                      " UNION SELECT %1::regclass))"_s);
    const SqlFragment size = SqlFragment::filled(pages, {SqlFragment::of(tableName(), u"text"_s)});
    const SqlFragment apart = m_shape.failedHow == OutboxShape::FailedHow::Table
        ? counted(quotedName(neighbour(m_shape.failedIn.table)), limit)
        : SqlFragment(postgres::nullText);
    // w: who holds the row by a live lease.
    const QString live = states.surelyLocked(u"t."_s);
    const QString named = states.owner(u"t."_s);
    const bool hasLeases = live != u"false";
    const QString owner = !hasLeases ? postgres::nullText
                                     : u"CASE WHEN %1 THEN coalesce(%2, '') END"_s.arg(
                                         live, named.isEmpty() ? postgres::nullText : named);
    // The oldest time is computed once for each version, and not for each row.
    const CatalogColumn *created = m_table.column(m_shape.createdColumn);
    const bool isTime = created && created->typeClass == TypeClass::Time;
    CatalogColumn oldest = isTime ? *created : CatalogColumn();
    oldest.name = u"c"_s;
    // What all rows have in common is said behind the grouping, which is most of what this costs.
    const SqlFragment state = stateBeside(isParked(parked), states.state(u"t."_s, true));
    const bool isOneState = state.text.startsWith(u'\'')
        && !QStringView(state.text).mid(1).chopped(1).contains(u'\'');
    QList<SqlFragment> told{u"d.x"_s};
    QStringList groups{u"d.x"_s};
    const auto tell = [&](const QString &name, bool isCommon, const SqlFragment &common) {
        const QString own = u"d."_s + name;
        told += (isCommon ? common : SqlFragment(own)) + u" AS "_s + name;
        if (!isCommon)
            groups += own;
    };
    tell(u"o"_s, m_table.isOneHeap, tableOid());
    tell(u"w"_s, !hasLeases, owner);
    tell(u"s"_s, isOneState, state + u"::text"_s);
    return u"WITH "_s + postgreslocks::commonTables() + u", versions AS MATERIALIZED (SELECT "_s
        + SqlFragment::joined(told, u", "_s) + u", count(*) AS n, min(d.c)"_s
        + (isTime ? u" FILTER (WHERE isfinite(d.c))"_s : QString())
        + u" AS c FROM (SELECT t.tableoid AS o, t.xmax AS x, "_s + owner + u" AS w, ("_s + state
        + u")::text AS s, "_s
        + (isTime ? aliased(created->name) : timeUs(m_shape.createdColumn, Reading::Earlier))
        + u" AS c FROM "_s + tableName() + u" t WHERE "_s + open + u" LIMIT "_s + limit
        + u") d GROUP BY "_s + groups.join(u", "_s)
        + u"), kinds AS MATERIALIZED (SELECT v.o, v.x, v.w,"
          " v.s, v.n, "_s
        + (isTime ? postgres::microseconds(u"v."_s, &oldest, m_shape.zoneOf(created->name),
                                           Reading::Earlier)
                  : u"v.c"_s)
        + u" AS c, "_s + postgreslocks::kind(u"v.x"_s, u"v.o"_s)
        + u" AS kind FROM versions v), held AS MATERIALIZED (SELECT"
          " coalesce(k.kind, CASE WHEN k.w IS NOT NULL THEN 'lease' END) AS kind,"
          " CASE WHEN k.kind IS NULL THEN k.w END AS w, k.s, k.n, k.c, "_s
        + postgreslocks::pid(u"k.kind"_s, u"k.x"_s, u"k.o"_s) + u" AS pid FROM kinds k), "_s
        + postgreslocks::sums(hasLeases)
        + u" SELECT g.kind, g.pid::text,"
          " coalesce(a.application_name, g.w),"
          " extract(epoch FROM clock_timestamp() - a.xact_start)::text, g.n::text, g.c::text,"
          " (extract(epoch FROM clock_timestamp()) * 1000000)::bigint::text, "_s
        + processed + u", one.size::text, g.s, "_s + apart + u" FROM "_s + size
        + u" one LEFT JOIN sums g ON true"
          " LEFT JOIN "_s
        + postgreslocks::sessions() + u" a ON a.pid = g.pid"_s;
}

} // namespace outbox
