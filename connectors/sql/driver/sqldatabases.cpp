// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/driver/sqldatabases.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QList<SqlDatabase> &allDatabases()
{
    using Dialect = DatabaseUrl::Dialect;
    static const QList<SqlDatabase> all{
        {.dialect = Dialect::PostgreSql,
         .schemes = {u"postgresql"_s, u"postgres"_s},
         .usualPort = 5432,
         .passwordVariable = u"PGPASSWORD"_s,
         .textType = u"text"_s,
         .timeType = u"timestamptz"_s,
         .tellsRowLocks = true,
         // The commit of a transaction that wrote something flushes all that was logged before it.
         .barrier = u"SELECT set_config('synchronous_commit', 'on', true),"
                    " pg_logical_emit_message(true, 'outboxdeck', '')::text"_s,
         .takeLock = u"SELECT pg_try_advisory_lock(NUMBER)::int::text"_s,
         .releaseLock = u"SELECT pg_advisory_unlock(NUMBER)::int::text"_s},
        {.dialect = Dialect::MariaDb,
         .schemes = {u"mysql"_s, u"mariadb"_s},
         .usualPort = 3306,
         .passwordVariable = u"MYSQL_PWD"_s,
         .quote = u'`',
         .textType = u"char"_s,
         .timeType = u"datetime(6)"_s,
         .hasPartialIndexes = false,
         .indexesWholeTexts = false,
         .takesAnyOption = false,
         .repeatedKeyCode = u"1062"_s,
         .heldRowCode = u"1205"_s,
         .beforeWrite = u"SET STATEMENT sql_safe_updates = 1 FOR "_s,
         .takeLock = u"SELECT CAST(GET_LOCK(NAME, 0) AS char)"_s,
         .releaseLock = u"SELECT CAST(RELEASE_LOCK(NAME) AS char)"_s},
        {.dialect = Dialect::Sqlite,
         .schemes = {u"sqlite"_s},
         .textType = u"text"_s,
         .isLoose = true,
         .takesQuestionMarks = false}};
    return all;
}

} // namespace

const SqlDatabase &databaseOf(DatabaseUrl::Dialect dialect)
{
    const QList<SqlDatabase> &all = allDatabases();
    return *std::find_if(all.cbegin(), all.cend(),
                         [dialect](const SqlDatabase &one) { return one.dialect == dialect; });
}

const SqlDatabase *databaseOfScheme(const QString &scheme)
{
    const QList<SqlDatabase> &all = allDatabases();
    const auto found = std::find_if(all.cbegin(), all.cend(), [&scheme](const SqlDatabase &one) {
        return one.schemes.contains(scheme);
    });
    return found == all.cend() ? nullptr : &*found;
}

} // namespace outbox
