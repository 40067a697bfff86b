// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/dialect/tableholder.h"

#include "connectors/sql/driver/sqlerror.h"
#include "connectors/sql/driver/sqlnames.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

Error withTableHolder(Error error, SqlSession &session, const TableName &table)
{
    if (error.code != lockNotAvailable)
        return error;
    // The name alone is looked up: to_regclass locks nothing.
    const auto holder = session.query(
        {u"SELECT l.pid::text, coalesce(a.application_name, ''), l.mode,"
         " round(extract(epoch FROM clock_timestamp() - a.xact_start))::bigint::text"
         " FROM pg_catalog.pg_locks l"
         " LEFT JOIN pg_catalog.pg_stat_activity a ON a.pid = l.pid"
         " WHERE l.locktype = 'relation' AND l.granted"
         " AND l.pid <> pg_backend_pid()"
         " AND l.database = (SELECT oid FROM pg_catalog.pg_database"
         " WHERE datname = current_database())"
         " AND l.relation = to_regclass($1)"
         " AND l.mode IN ('AccessExclusiveLock', 'ExclusiveLock',"
         " 'ShareRowExclusiveLock', 'ShareLock')"
         " ORDER BY a.xact_start NULLS LAST LIMIT 1"_s,
         {quotedName(table)}},
        u"asking who holds "_s + table.text());
    if (!holder || holder->size() == 0)
        return error;
    const QString application = holder->text(0, 1);
    QString who = application.isEmpty() ? u"another session"_s : application;
    who += u" (process %1)"_s.arg(holder->text(0, 0));
    if (!holder->isNull(0, 3))
        who += u" for %1 s"_s.arg(holder->text(0, 3));
    error.text += u"; %1 is held by %2"_s.arg(table.text(), who);
    return error;
}

} // namespace outbox
