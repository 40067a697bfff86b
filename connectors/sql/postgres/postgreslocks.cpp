// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/postgres/postgreslocks.h"

#include "connectors/sql/dialect/dialect.h"

namespace outbox::postgreslocks {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString liveIds
    = u"(SELECT l.transactionid FROM locks l WHERE l.locktype = 'transactionid')"_s;

/// The 64-bit id of a 32-bit one: the value nearest to `next`, the snapshot's end.
QString wide(const QString &xid, const QString &next)
{
    return u"greatest(3, %2 + (((%1::text::bigint - %2 + 2147483648) & 4294967295) - 2147483648))"_s
        .arg(xid, next);
}

/// An id at or above the snapshot's end had not ended when the snapshot was taken; asking for its
/// status could fail, since the server refuses ids "in the future".
QString running(const QString &id, const QString &next)
{
    return u"CASE WHEN %1 >= %2 THEN true"
           " ELSE coalesce(pg_xact_status(%1::text::xid8) = 'in progress', false) END"_s.arg(id,
                                                                                             next);
}

QString sums(bool hasLeases)
{
    if (!hasLeases)
        return u"sums AS (SELECT kind, pid, NULL::text AS w, s, sum(n) AS n, min(c) AS c"
               " FROM held GROUP BY kind, pid, s)"_s;
    // The seldom owners are counted together, since there may be as many of them as rows.
    return u"owners AS (SELECT kind, pid, w, s, sum(n) AS n, min(c) AS c,"
           " row_number() OVER (PARTITION BY kind, pid, s ORDER BY sum(n) DESC) AS place"
           " FROM held GROUP BY kind, pid, w, s), sums AS (SELECT kind, pid,"
           " CASE WHEN place <= %1 THEN w END AS w, s, sum(n) AS n, min(c) AS c FROM owners"
           " GROUP BY 1, 2, 3, 4)"_s.arg(mostLeaseOwners);
}

} // namespace

QString sessions()
{
    return u"pg_stat_get_activity(NULL)"_s;
}

QString commonTables()
{
    return u"clock AS MATERIALIZED ("
           "SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS n), "
           "locks AS MATERIALIZED ("
           "SELECT locktype, transactionid, relation, mode, pid FROM pg_lock_status()"
           " WHERE granted AND (locktype = 'transactionid' OR (locktype = 'relation' AND database ="
           " (SELECT datid FROM pg_stat_get_activity(pg_backend_pid())))))"_s;
}

QString kind(const QString &xmax, const QString &tableOid)
{
    // xmax holds a transaction id or a multixact id, and SQL cannot tell which. The members are
    // asked for only within the range of ids that are surely there, where the question cannot fail.
    const QString oldest
        = u"(SELECT mxid_age(c.relminmxid) FROM pg_class c WHERE c.oid = %1)"_s.arg(tableOid);
    // Ids are made wide once, in a table of one row: the server plans each mention of one.
    return u"CASE WHEN %1::text <> '0' THEN (SELECT CASE WHEN %1 IN %2 THEN 'session'"
           " WHEN mxid_age(%1) BETWEEN 1 AND %3 THEN CASE"
           " WHEN EXISTS (SELECT FROM (SELECT xid, %4 AS id FROM pg_get_multixact_members(%1)) m"
           " WHERE m.xid IN %2 OR %5) THEN 'several'"
           " WHEN f.id >= f.n THEN NULL WHEN %6 THEN 'savepoint' END"
           " WHEN %6 THEN 'savepoint' END"
           " FROM (SELECT k.n, %7 AS id FROM clock k) f) END"_s.arg(
               xmax, liveIds, oldest, wide(u"xid"_s, u"f.n"_s), running(u"m.id"_s, u"f.n"_s),
               running(u"f.id"_s, u"f.n"_s), wide(xmax, u"k.n"_s));
}

QString pid(const QString &kind, const QString &xmax, const QString &tableOid)
{
    // Whoever holds a row through a savepoint also holds the table's lock for row locks or writes
    // and a transaction id of its own. One such session only: it is the one.
    return u"CASE %1 WHEN 'session' THEN (SELECT min(l.pid) FROM locks l"
           " WHERE l.locktype = 'transactionid' AND l.transactionid = %2)"
           " WHEN 'savepoint' THEN (SELECT min(b.pid) FROM (SELECT l.pid FROM locks l"
           " WHERE l.locktype = 'transactionid' OR (l.relation = %3"
           " AND l.mode IN ('RowShareLock', 'RowExclusiveLock'))"
           " GROUP BY l.pid HAVING count(DISTINCT l.locktype) = 2) b"
           " HAVING count(*) = 1) END"_s.arg(kind, xmax, tableOid);
}

QString holders(const QString &oldest, bool hasLeases)
{
    return u"kinds AS MATERIALIZED (SELECT v.o, v.x, v.w, v.s, v.n, "_s + oldest + u" AS c, "_s
        + kind(u"v.x"_s, u"v.o"_s)
        + u" AS kind FROM versions v), held AS MATERIALIZED (SELECT"
          " coalesce(k.kind, CASE WHEN k.w IS NOT NULL THEN 'lease' END) AS kind,"
          " CASE WHEN k.kind IS NULL THEN k.w END AS w, k.s, k.n, k.c, "_s
        + pid(u"k.kind"_s, u"k.x"_s, u"k.o"_s) + u" AS pid FROM kinds k), "_s + sums(hasLeases);
}

QString holderCells()
{
    return u"g.kind, g.pid::text, coalesce(a.application_name, g.w),"
           " extract(epoch FROM clock_timestamp() - a.xact_start)::text, g.n::text, g.c::text"_s;
}

} // namespace outbox::postgreslocks
