// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a look counts an outbox in PostgreSQL: by one statement, or by one that counts and another
// that asks who holds rows.
#include "connectors/sql/postgres/postgresdialect.h"

#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/postgres/postgreslocks.h"
#include "connectors/sql/postgres/postgrestexts.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

/// The versions of open rows, by table o, xmax x, owner w of a live lease and state s: how many n
/// there are, and the oldest time c.
struct PostgresDialect::OpenVersions
{
    SqlFragment select;
    QString oldest; ///< c in microseconds, the table named v
};

/// What is told beside them.
struct PostgresDialect::TableCounts
{
    SqlFragment size; ///< a table of one line, to be named one
    SqlFragment processed; ///< a cell beside it
    SqlFragment apart;
};

bool PostgresDialect::hasLeases() const
{
    return states().surelyLocked(u"t."_s) != u"false";
}

PostgresDialect::TableCounts PostgresDialect::tableCounts(const CountCaps &caps) const
{
    const auto counted = [](const QString &from, const SqlFragment &most) {
        return u"(SELECT count(*)::text FROM (SELECT FROM "_s + from + u" LIMIT "_s + most
            + u") p)"_s;
    };
    SqlFragment processed = postgres::nullText;
    if (const QString done = states().processed(u"t."_s); done != u"false") {
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
        ? counted(quotedName(neighbour(m_shape.failedIn.table)),
                  SqlFragment::of(caps.open + 1, u"bigint"_s))
        : SqlFragment(postgres::nullText);
    return {size, processed, apart};
}

PostgresDialect::OpenVersions PostgresDialect::openVersions(const CountCaps &caps,
                                                            const QStringList &parked) const
{
    const RowStates states = this->states();
    // The server reads through a table larger than a quarter of its buffers without keeping pages,
    // and so from the disk at each look. A range of places keeps them.
    QString open = states.open(u"t."_s);
    if (open == u"true" && m_table.isOneHeap)
        open = u"t.ctid >= '(0,0)'"_s;
    // w: who holds the row by a live lease.
    const QString live = states.surelyLocked(u"t."_s);
    const QString named = states.owner(u"t."_s);
    const QString owner = !hasLeases() ? postgres::nullText
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
    tell(u"w"_s, !hasLeases(), owner);
    tell(u"s"_s, isOneState, state + u"::text"_s);
    const SqlFragment select = u"SELECT "_s + SqlFragment::joined(told, u", "_s)
        + u", count(*) AS n, min(d.c)"_s + (isTime ? u" FILTER (WHERE isfinite(d.c))"_s : QString())
        + u" AS c FROM (SELECT t.tableoid AS o, t.xmax AS x, "_s + owner + u" AS w, ("_s + state
        + u")::text AS s, "_s
        + (isTime ? aliased(created->name) : timeUs(m_shape.createdColumn, Reading::Earlier))
        + u" AS c FROM "_s + tableName() + u" t WHERE "_s + open + u" LIMIT "_s
        + SqlFragment::of(caps.open + 1, u"bigint"_s) + u") d GROUP BY "_s + groups.join(u", "_s);
    return {select,
            isTime ? postgres::microseconds(u"v."_s, &oldest, m_shape.zoneOf(created->name),
                                            Reading::Earlier)
                   : u"v.c"_s};
}

SqlText PostgresDialect::snapshot(const CountCaps &caps, const QStringList &parked) const
{
    const OpenVersions open = openVersions(caps, parked);
    const TableCounts counts = tableCounts(caps);
    return u"WITH "_s + postgreslocks::commonTables() + u", versions AS MATERIALIZED ("_s
        + open.select + u"), "_s + postgreslocks::holders(open.oldest, hasLeases()) + u" SELECT "_s
        + postgreslocks::holderCells() + u", "_s + flavor().nowUs() + u"::text, "_s
        + counts.processed + u", one.size::text, g.s, "_s + counts.apart + u" FROM "_s + counts.size
        + u" one LEFT JOIN sums g ON true LEFT JOIN "_s + postgreslocks::sessions()
        + u" a ON a.pid = g.pid"_s;
}

SqlText PostgresDialect::versions(const CountCaps &caps, const QStringList &parked) const
{
    if (!m_table.isOneHeap)
        return {};
    const OpenVersions open = openVersions(caps, parked);
    const TableCounts counts = tableCounts(caps);
    const QString kind
        = hasLeases() ? u"CASE WHEN v.w IS NOT NULL THEN 'lease' END"_s : postgres::nullText;
    return u"SELECT "_s + kind + u", NULL::text, v.w, NULL::text, v.n::text, "_s + open.oldest
        + u"::text, "_s + flavor().nowUs() + u"::text, "_s + counts.processed
        + u", one.size::text, v.s, "_s + counts.apart + u", v.x::text FROM "_s + counts.size
        + u" one LEFT JOIN ("_s + open.select + u" LIMIT "_s + QString::number(mostLeaseOwners + 1)
        + u") v ON true"_s;
}

std::optional<SqlText> PostgresDialect::holdersOf(const SqlRows &versions) const
{
    namespace Column = SnapshotColumn;
    if (versions.size() > mostLeaseOwners)
        return std::nullopt;
    const auto bound = [&versions](qsizetype row, int column, const QString &type) {
        return SqlFragment::of(versions.isNull(row, column)
                                   ? QVariant()
                                   : QVariant::fromValue(TextBytes{versions.bytes(row, column)}),
                               type);
    };
    bool mayBeHeld = false;
    QList<SqlFragment> lines;
    for (qsizetype row = 0; row < versions.size(); ++row) {
        if (versions.isNull(row, Column::Xmax))
            continue; // the line of no rows at all
        mayBeHeld |= versions.bytes(row, Column::Xmax) != "0";
        const QList<SqlFragment> cells{
            bound(row, Column::Xmax, u"xid"_s), bound(row, Column::LockApplication, u"text"_s),
            bound(row, Column::State, u"text"_s), bound(row, Column::Rows, u"bigint"_s),
            bound(row, Column::OldestUs, u"bigint"_s)};
        lines += u"("_s + SqlFragment::joined(cells, u", "_s) + u")"_s;
    }
    if (!mayBeHeld)
        return SqlText();
    const auto told = [&bound](int column) { return bound(0, column, u"text"_s); };
    return u"WITH "_s + postgreslocks::commonTables() + u", versions AS MATERIALIZED (SELECT "_s
        + tableOid() + u" AS o, l.* FROM (VALUES "_s + SqlFragment::joined(lines, u", "_s)
        + u") l(x, w, s, n, c)), "_s + postgreslocks::holders(u"v.c"_s, hasLeases()) + u" SELECT "_s
        + postgreslocks::holderCells() + u", "_s + told(Column::NowUs) + u", "_s
        + told(Column::Processed) + u", "_s + told(Column::Size) + u", g.s, "_s
        + told(Column::FailedApart) + u" FROM sums g LEFT JOIN "_s + postgreslocks::sessions()
        + u" a ON a.pid = g.pid"_s;
}

} // namespace outbox
