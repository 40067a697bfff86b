// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a test writes otherwise for each database: one row for each of them.
#pragma once

#include "connectors/sql/driver/databaseurl.h"
#include "connectors/sql/driver/mariadbclient.h"

#include <QList>
#include <QRegularExpression>
#include <QSqlDatabase>
#include <QStringList>

#include <utility>

namespace outbox {

struct TestWords
{
    DatabaseUrl::Dialect dialect{};
    const char *name = nullptr; ///< of its row of data
    QString word{}; ///< in the comments of tests/data/schemas
    QSqlDatabase (*addConnection)(const QString &name) = nullptr;
    QString connectOptions{}; ///< @socket: its path
    QStringList sessionStart{}; ///< so that the tests can write the same SQL for all
    /// What is put in place of what in that SQL: the names of types, for the most part.
    QList<std::pair<QRegularExpression, QString>> replaced{};
    QString ownDatabase{}; ///< that a server begins with; empty: it is a file, and no server
    QString createDatabase{}; ///< @name
    QStringList emptyDatabase{}; ///< @name; of a file another one is taken

    QString timeType{}; ///< of a moment
    QString jsonType{}; ///< of documents
    QString bytesType{};
    QString bytes{}; ///< %1: in hexadecimal digits
    QString moment{}; ///< %1: "2026-01-02 03:04:05.678", in UTC
    QString later{}; ///< the moment %1 seconds from now
    QString minutesAgo{}; ///< %1, to the millisecond
    QString epoch{}; ///< seconds since 1970 and %1 more
    QString createdHour{}; ///< text of the hour of created_at
    QString analyze{}; ///< the table outbox
    QStringList refusal{}; ///< see refusing()

    [[nodiscard]] bool isFile() const { return ownDatabase.isEmpty(); }
    /// From now on what `verb` does to a row of the outbox for which `condition` holds, which is
    /// about OLD, ends in an error that says `text`.
    [[nodiscard]] QStringList refusing(const QString &trigger, const QString &verb,
                                       const QString &condition, const QString &text) const
    {
        QStringList statements = refusal;
        statements.replaceInStrings(QStringLiteral("@name"), trigger)
            .replaceInStrings(QStringLiteral("@verb"), verb)
            .replaceInStrings(QStringLiteral("@condition"), condition)
            .replaceInStrings(QStringLiteral("@text"), text);
        return statements;
    }
};

inline const QList<TestWords> &allTestWords()
{
    using namespace Qt::Literals::StringLiterals;
    using enum DatabaseUrl::Dialect;
    static const QList<TestWords> all{
        {.dialect = PostgreSql,
         .name = "PostgreSQL",
         .word = u"postgresql"_s,
         .addConnection
         = [](const QString &name) { return QSqlDatabase::addDatabase(u"QPSQL"_s, name); },
         .connectOptions = u"application_name=side"_s,
         .ownDatabase = u"postgres"_s,
         .createDatabase = u"CREATE DATABASE @name"_s,
         .emptyDatabase = {u"SET client_min_messages = warning"_s, u"BEGIN"_s,
                           u"DROP SCHEMA public CASCADE"_s, u"CREATE SCHEMA public"_s},
         .timeType = u"timestamptz"_s,
         .jsonType = u"jsonb"_s,
         .bytesType = u"bytea"_s,
         .bytes = u"'\\x%1'::bytea"_s,
         .moment = u"timestamptz '%1Z'"_s,
         .later = u"now() + interval '%1 seconds'"_s,
         .minutesAgo = u"now() - interval '%1 minutes'"_s,
         .epoch = u"(extract(epoch FROM now())::bigint + %1)"_s,
         .createdHour
         = u"to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:00:00\"Z\"')"_s,
         .analyze = u"ANALYZE outbox"_s,
         .refusal = {u"CREATE FUNCTION @name() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                     " IF @condition THEN RAISE EXCEPTION '%', '@text'; END IF;"
                     " IF TG_OP = 'DELETE' THEN RETURN OLD; END IF; RETURN NEW; END $$"_s,
                     u"CREATE TRIGGER @name BEFORE @verb ON outbox FOR EACH ROW"
                     " EXECUTE FUNCTION @name()"_s}},
        {.dialect = Sqlite,
         .name = "SQLite",
         .word = u"sqlite"_s,
         .addConnection
         = [](const QString &name) { return QSqlDatabase::addDatabase(u"QSQLITE"_s, name); },
         .emptyDatabase = {u"PRAGMA synchronous = OFF"_s, u"BEGIN"_s},
         .timeType = u"timestamp"_s,
         .jsonType = u"text"_s,
         .bytesType = u"blob"_s,
         .bytes = u"x'%1'"_s,
         .moment = u"'%1'"_s,
         .later = u"datetime('now', '%1 seconds')"_s,
         .minutesAgo = u"strftime('%Y-%m-%d %H:%M:%f', 'now', '-%1 minutes')"_s,
         .epoch = u"(CAST(strftime('%s', 'now') AS INTEGER) + %1)"_s,
         .createdHour = u"strftime('%Y-%m-%dT%H:00:00Z', created_at)"_s,
         .analyze = u"ANALYZE outbox"_s,
         .refusal = {u"CREATE TRIGGER @name BEFORE @verb ON outbox WHEN @condition BEGIN"
                     " SELECT RAISE(ABORT, '@text'); END"_s}},
        {.dialect = MariaDb,
         .name = "MariaDB",
         .word = u"mariadb"_s,
         .addConnection = mariadb::addConnection,
         .connectOptions = u"UNIX_SOCKET=@socket"_s,
         .sessionStart = {u"SET SESSION sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT,"
                          "STRICT_ALL_TABLES', SESSION time_zone = '+00:00', SESSION"
                          " max_recursive_iterations = 10000000, SESSION lock_wait_timeout = 5"_s},
         .replaced
         = {{QRegularExpression(u"\\btimestamp with time zone\\b|\\btimestamptz\\b"_s),
             u"datetime(6)"_s},
            {QRegularExpression(u"\\bjsonb\\b"_s), u"json"_s},
            {QRegularExpression(u"(?<!\")\\btimestamp\\b(?! '|\\()"_s), u"datetime(6)"_s},
            {QRegularExpression(u"(?<!\")\\b(bytea|blob)\\b(?!\")"_s), u"longblob"_s},
            {QRegularExpression(u"(?i)\\bas text\\)"_s), u"AS char)"_s},
            {QRegularExpression(u"\\btext PRIMARY KEY\\b"_s), u"varchar(200) PRIMARY KEY"_s},
            {QRegularExpression(u"^DROP INDEX (\\w+)$"_s), u"DROP INDEX \\1 ON outbox"_s}},
         .ownDatabase = u"mysql"_s,
         .createDatabase = u"CREATE DATABASE @name CHARACTER SET utf8mb4"_s,
         .emptyDatabase = {u"DROP DATABASE @name"_s,
                           u"CREATE DATABASE @name CHARACTER SET utf8mb4"_s, u"USE @name"_s},
         .timeType = u"datetime(6)"_s,
         .jsonType = u"json"_s,
         .bytesType = u"longblob"_s,
         .bytes = u"x'%1'"_s,
         .moment = u"'%1'"_s,
         .later = u"utc_timestamp(6) + interval %1 second"_s,
         .minutesAgo = u"utc_timestamp(6) - interval %1 minute"_s,
         .epoch = u"(UNIX_TIMESTAMP() + %1)"_s,
         .createdHour = u"date_format(created_at, '%Y-%m-%dT%H:00:00Z')"_s,
         .analyze = u"ANALYZE TABLE outbox"_s,
         .refusal = {u"CREATE TRIGGER @name BEFORE @verb ON outbox FOR EACH ROW IF @condition THEN"
                     " SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = '@text'; END IF"_s}}};
    return all;
}

inline const TestWords &testWords(DatabaseUrl::Dialect dialect)
{
    for (const TestWords &words : allTestWords()) {
        if (words.dialect == dialect)
            return words;
    }
    qFatal("a database has no row in allTestWords()");
}

} // namespace outbox
