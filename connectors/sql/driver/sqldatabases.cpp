// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/driver/sqldatabases.h"

#include "connectors/sql/driver/mariadbclient.h"
#include "connectors/sql/driver/postgresclient.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QList<SqlDatabase> &allDatabases()
{
    using Dialect = DatabaseUrl::Dialect;
    static const QList<SqlDatabase> all{
        {.dialect = Dialect::PostgreSql,
         .name = u"PostgreSQL"_s,
         .example = u"postgresql://user@host:5432/database"_s,
         .schemes = {u"postgresql"_s, u"postgres"_s},
         .usualPort = 5432,
         .passwordVariable = u"PGPASSWORD"_s,
         .textType = u"text"_s,
         .timeType = u"timestamptz"_s,
         .checkUrl = checkPostgresUrl,
         .tellsRowLocks = true,
         // The commit of a transaction that wrote something flushes all that was logged before it.
         // A role may be set to hear no warnings, and one says that the standbys are left out.
         .barrier = u"SELECT set_config('synchronous_commit', 'on', true),"
                    " set_config('client_min_messages', 'warning', true),"
                    " pg_logical_emit_message(true, 'outboxdeck', '')::text"_s,
         .deadlineCode = u"57014"_s,
         .takeLock = u"SELECT pg_try_advisory_lock(NUMBER)::int::text"_s,
         .releaseLock = u"SELECT pg_advisory_unlock(NUMBER)::int::text"_s},
        {.dialect = Dialect::MariaDb,
         .name = u"MariaDB"_s,
         .example = u"mysql://user@host:3306/database"_s,
         .schemes = {u"mysql"_s, u"mariadb"_s},
         .usualPort = 3306,
         .passwordVariable = u"MYSQL_PWD"_s,
         .textType = u"char"_s,
         .timeType = u"datetime(6)"_s,
         .driver = u"QMYSQL"_s,
         .driverPackage = u"libqt6sql6-mysql"_s,
         .checkUrl = checkMariadbUrl,
         .quotes = u"``"_s,
         .hasPartialIndexes = false,
         .indexesWholeTexts = false,
         .mostBytes = {{u"tinytext"_s, 255},
                       {u"tinyblob"_s, 255},
                       {u"text"_s, 65'535},
                       {u"blob"_s, 65'535},
                       {u"mediumtext"_s, 16'777'215},
                       {u"mediumblob"_s, 16'777'215}},
         .repeatedKeyCode = u"1062"_s,
         .heldRowCode = u"1205"_s,
         .deadlineCode = u"1969"_s,
         .rolledBackCode = rolledBackCode,
         .makeTransactional = u"ALTER TABLE … ENGINE = InnoDB"_s,
         .beforeWrite = u"SET STATEMENT sql_safe_updates = 1 FOR "_s,
         .takeLock = u"SELECT CAST(GET_LOCK(NAME, 0) AS char)"_s,
         .releaseLock = u"SELECT CAST(RELEASE_LOCK(NAME) AS char)"_s},
        {.dialect = Dialect::Sqlite,
         .name = u"SQLite"_s,
         .example = u"sqlite:///absolute/path.db"_s,
         .schemes = {u"sqlite"_s},
         .textType = u"text"_s,
         .driver = u"QSQLITE"_s,
         .driverPackage = u"libqt6sql6-sqlite"_s,
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

QString databaseExamples()
{
    QStringList examples;
    for (const SqlDatabase &one : allDatabases())
        examples += one.example;
    const QString last = examples.takeLast();
    return examples.join(u", "_s) + u" or "_s + last;
}

} // namespace outbox
