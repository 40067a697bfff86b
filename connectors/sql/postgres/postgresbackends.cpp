// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/postgres/postgresbackends.h"

#include "connectors/sql/driver/sessionage.h"
#include "connectors/sql/postgres/postgresservers.h"

#include <QStringList>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

void leaveBackend(ServerMemory &memory, const MetServer &met)
{
    if (!met.begun.isEmpty())
        memory.left += LeftBackend{met.name, met.pid, met.begun, nowNs()};
}

Result<void> endLeftBackends(SqlSession &session, ServerMemory &memory, const QString &server)
{
    QStringList pids;
    QStringList begins;
    QStringList ages; // in milliseconds
    const qint64 now = nowNs();
    memory.left.removeIf([&](const LeftBackend &one) {
        if (one.server != server)
            return false;
        pids += QString::number(one.pid);
        begins += one.begun;
        ages += QString::number((now - one.leftNs) / 1'000'000);
        return true;
    });
    if (pids.isEmpty())
        return {};
    // A pid may be another process's by now, and a role may be allowed to end those of others. A
    // pooler that does not show itself may have given the process to somebody else, whose
    // statement began later.
    const SqlText end = u"SELECT pg_terminate_backend(a.pid)::text FROM unnest("_s
        + SqlFragment::of(pids, u"integer[]"_s) + u", "_s + SqlFragment::of(begins, u"bigint[]"_s)
        + u", "_s + SqlFragment::of(ages, u"bigint[]"_s)
        + u") AS l(pid, begun, age) CROSS JOIN pg_stat_get_activity(l.pid) a WHERE l.begun = "_s
        + QString(beginOfBackend)
        + u" AND a.query_start < clock_timestamp() - l.age * interval '1 millisecond'"
          " AND pg_get_userbyid(a.usesysid) = session_user"_s;
    const auto ended = session.query(end, u"ending sessions that were given up"_s);
    return ended || session.isUp() ? Result<void>() : passOn(ended);
}

} // namespace outbox
