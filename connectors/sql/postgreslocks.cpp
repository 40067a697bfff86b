// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/postgreslocks.h"

namespace outbox::postgreslocks {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString liveIds
    = u"(SELECT l.transactionid FROM locks l WHERE l.locktype = 'transactionid')"_s;
const QString nextId = u"(SELECT k.n FROM clock k)"_s;

/// The 64-bit id of a 32-bit one: the value nearest to the snapshot's end.
QString wide(const QString &xid)
{
    const QString guess = u"((%2 >> 32 << 32) + %1::text::bigint)"_s.arg(xid, nextId);
    return u"greatest(3, %1 + CASE WHEN %1 - %2 > 2147483648 THEN -4294967296"
           " WHEN %2 - %1 > 2147483648 THEN 4294967296 ELSE 0 END)"_s.arg(guess, nextId);
}

/// An id at or above the snapshot's end had not ended when the snapshot was taken; asking for its
/// status could fail, since the server refuses ids "in the future".
QString running(const QString &xid)
{
    return u"CASE WHEN %1 >= %2 THEN true"
           " ELSE coalesce(pg_xact_status((%1)::text::xid8) = 'in progress', false) END"_s.arg(
               wide(xid), nextId);
}

} // namespace

QString commonTables()
{
    return u"clock AS MATERIALIZED ("
           "SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS n), "
           "locks AS MATERIALIZED ("
           "SELECT locktype, transactionid, relation, mode, pid FROM pg_locks"
           " WHERE granted AND (locktype = 'transactionid' OR (locktype = 'relation' AND database ="
           " (SELECT oid FROM pg_database WHERE datname = current_database()))))"_s;
}

QString kind(const QString &xmax, const QString &tableOid)
{
    // xmax holds a transaction id or a multixact id, and SQL cannot tell which. The members are
    // asked for only within the range of ids that are surely there, where the question cannot fail.
    const QString oldest
        = u"(SELECT mxid_age(c.relminmxid) FROM pg_class c WHERE c.oid = %1)"_s.arg(tableOid);
    const QString member
        = u"CASE WHEN m.xid IN %1 THEN true ELSE %2 END"_s.arg(liveIds, running(u"m.xid"_s));
    return u"CASE WHEN %1::text = '0' THEN NULL"
           " WHEN %1 IN %2 THEN 'session'"
           " WHEN mxid_age(%1) BETWEEN 1 AND %3 THEN CASE"
           " WHEN EXISTS (SELECT FROM pg_get_multixact_members(%1) m WHERE %4) THEN 'several'"
           " WHEN %5 >= %6 THEN NULL WHEN %7 THEN 'savepoint' END"
           " WHEN %7 THEN 'savepoint' END"_s.arg(xmax, liveIds, oldest, member, wide(xmax), nextId,
                                                 running(xmax));
}

QString pid(const QString &kind, const QString &xmax, const QString &tableOid)
{
    // Whoever holds a row through a savepoint also holds the table's lock for row locks or writes
    // and a transaction id of its own. One such session only: it is the one.
    return u"CASE %1 WHEN 'session' THEN (SELECT min(l.pid) FROM locks l"
           " WHERE l.locktype = 'transactionid' AND l.transactionid = %2)"
           " WHEN 'savepoint' THEN (SELECT min(r.pid) FROM locks r JOIN locks o"
           " ON o.pid = r.pid AND o.locktype = 'transactionid'"
           " WHERE r.locktype = 'relation' AND r.relation = %3"
           " AND r.mode IN ('RowShareLock', 'RowExclusiveLock')"
           " HAVING count(DISTINCT r.pid) = 1) END"_s.arg(kind, xmax, tableOid);
}

} // namespace outbox::postgreslocks
