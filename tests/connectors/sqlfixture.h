// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Databases for tests of connectors/sql: one private PostgreSQL and fresh SQLite files, a second
// session to look over the store's shoulder, and the shapes of this version.
#pragma once

#include "connectors/sql/driver/mariadbclient.h"
#include "connectors/sql/outbox/outboxstore.h"
#include "models/profile/profile.h"
#include "tests/support/privatemariadb.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"

#include <QRegularExpression>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace outbox {

/// A statement of the tests as MariaDB knows it: the names of types, for the most part.
inline QString inMariadbsWords(QString sql)
{
    static const QList<std::pair<QRegularExpression, QString>> words{
        {QRegularExpression(QStringLiteral("\\btimestamp with time zone\\b|\\btimestamptz\\b")),
         QStringLiteral("datetime(6)")},
        {QRegularExpression(QStringLiteral("\\bjsonb\\b")), QStringLiteral("json")},
        {QRegularExpression(QStringLiteral("(?<!\")\\btimestamp\\b(?! '|\\()")),
         QStringLiteral("datetime(6)")},
        {QRegularExpression(QStringLiteral("(?<!\")\\b(bytea|blob)\\b(?!\")")),
         QStringLiteral("longblob")},
        {QRegularExpression(QStringLiteral("(?i)\\bas text\\)")), QStringLiteral("AS char)")},
        {QRegularExpression(QStringLiteral("\\btext PRIMARY KEY\\b")),
         QStringLiteral("varchar(200) PRIMARY KEY")},
        {QRegularExpression(QStringLiteral("^DROP INDEX (\\w+)$")),
         QStringLiteral("DROP INDEX \\1 ON outbox")}};
    for (const auto &[from, to] : words)
        sql.replace(from, to);
    return sql;
}

/// A plain session of the test itself.
class SideSession
{
public:
    explicit SideSession(const DatabaseUrl &url)
        : m_name(QStringLiteral("side-%1").arg(++count())), m_dialect(url.dialect)
    {
        QSqlDatabase database = added(url.dialect);
        database.setHostName(url.host);
        database.setDatabaseName(url.database);
        database.setUserName(url.user);
        if (url.dialect == DatabaseUrl::Dialect::PostgreSql)
            database.setConnectOptions(QStringLiteral("application_name=side"));
        else if (url.dialect == DatabaseUrl::Dialect::MariaDb)
            database.setConnectOptions(QStringLiteral("UNIX_SOCKET=")
                                       + url.options.value(QStringLiteral("unix_socket")));
        if (!database.open())
            qFatal("%s", qPrintable(database.lastError().text()));
        if (url.dialect == DatabaseUrl::Dialect::MariaDb) {
            // so that the tests can write the same SQL for all
            run(QStringLiteral(
                "SET SESSION sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT,"
                "STRICT_ALL_TABLES', SESSION time_zone = '+00:00', SESSION"
                " max_recursive_iterations = 10000000, SESSION lock_wait_timeout = 5"));
        }
    }
    ~SideSession() { mariadb::removeConnection(m_name); }
    SideSession(const SideSession &) = delete;
    SideSession &operator=(const SideSession &) = delete;

    /// First column of every row; aborts the test program on an error.
    QStringList run(const QString &sql)
    {
        QSqlQuery query(QSqlDatabase::database(m_name));
        if (!query.exec(inItsWords(sql)))
            qFatal("%s: %s", qPrintable(sql), qPrintable(query.lastError().text()));
        QStringList values;
        while (query.next())
            values += query.value(0).toString();
        return values;
    }
    QString one(const QString &sql) { return run(sql).value(0); }
    void all(const QStringList &statements)
    {
        for (const QString &sql : statements)
            run(sql);
    }
    bool fails(const QString &sql)
    {
        return !QSqlQuery(QSqlDatabase::database(m_name)).exec(inItsWords(sql));
    }

private:
    [[nodiscard]] QString inItsWords(const QString &sql) const
    {
        return m_dialect == DatabaseUrl::Dialect::MariaDb ? inMariadbsWords(sql) : sql;
    }
    [[nodiscard]] QSqlDatabase added(DatabaseUrl::Dialect dialect) const
    {
        switch (dialect) {
        case DatabaseUrl::Dialect::MariaDb:
            return mariadb::addConnection(m_name);
        case DatabaseUrl::Dialect::Sqlite:
            return QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_name);
        case DatabaseUrl::Dialect::PostgreSql:
            break;
        }
        return QSqlDatabase::addDatabase(QStringLiteral("QPSQL"), m_name);
    }
    static int &count()
    {
        static int number = 0;
        return number;
    }
    QString m_name;
    DatabaseUrl::Dialect m_dialect;
};

/// Fresh databases: one for each call, on SQLite one file for each call.
class Databases
{
public:
    PrivatePostgres postgres;
    PrivateMariadb mariadb;

    DatabaseUrl fresh(DatabaseUrl::Dialect dialect)
    {
        const QString name = QStringLiteral("t%1").arg(++m_number);
        if (dialect == DatabaseUrl::Dialect::Sqlite) {
            const auto url = DatabaseUrl::fromUrl(
                QStringLiteral("sqlite://%1/%2.db").arg(m_folder.path(), name));
            SideSession(*url).all({QStringLiteral("PRAGMA journal_mode = WAL")});
            return *url;
        }
        if (dialect == DatabaseUrl::Dialect::MariaDb) {
            SideSession(*DatabaseUrl::fromUrl(mariadb.url()))
                .run(QStringLiteral("CREATE DATABASE %1 CHARACTER SET utf8mb4").arg(name));
            return *DatabaseUrl::fromUrl(mariadb.url(name));
        }
        SideSession(*DatabaseUrl::fromUrl(postgres.url()))
            .run(QStringLiteral("CREATE DATABASE ") + name);
        return *DatabaseUrl::fromUrl(postgres.url(name));
    }

    /// As a command line takes it.
    [[nodiscard]] QString addressOf(const DatabaseUrl &url) const
    {
        switch (url.dialect) {
        case DatabaseUrl::Dialect::Sqlite:
            return QStringLiteral("sqlite://") + url.database;
        case DatabaseUrl::Dialect::MariaDb:
            return mariadb.url(url.database);
        case DatabaseUrl::Dialect::PostgreSql:
            break;
        }
        return postgres.url(url.database);
    }

private:
    QTemporaryDir m_folder;
    int m_number = 0;
};

/// The type that documents have in a database.
inline QString jsonTypeOf(DatabaseUrl::Dialect dialect)
{
    switch (dialect) {
    case DatabaseUrl::Dialect::Sqlite:
        return QStringLiteral("text");
    case DatabaseUrl::Dialect::MariaDb:
        return QStringLiteral("json");
    case DatabaseUrl::Dialect::PostgreSql:
        break;
    }
    return QStringLiteral("jsonb");
}

/// A filter that is right.
inline Filter filterOf(const QString &text)
{
    const auto filter = Filter::fromText(text);
    if (!filter)
        qFatal("%s", qPrintable(oneLine(filter.error())));
    return *filter;
}

inline StoreSettings settingsFor(const DatabaseUrl &url, StoreAccess access)
{
    StoreSettings settings;
    settings.url = url;
    settings.access = access;
    settings.applicationName
        = access == StoreAccess::Relay ? QStringLiteral("relay") : QStringLiteral("look");
    settings.lockTimeoutMs = 300;
    return settings;
}

/// The shape that the relay was born with: rows are deleted.
inline OutboxShape classicShape(const QString &table = QStringLiteral("outbox"))
{
    OutboxShape shape;
    shape.use = OutboxShape::Use::Relay;
    shape.table = TableName::fromText(table);
    shape.keyColumn = QStringLiteral("id");
    shape.keyForm = OutboxShape::KeyForm::Integer;
    shape.typeColumn = QStringLiteral("type");
    shape.payloadColumn = QStringLiteral("payload");
    shape.order = QStringList{QStringLiteral("id")};
    shape.orderIs = OutboxShape::OrderIs::Sequence;
    shape.setTimeZone(QStringLiteral("UTC")); // in which the tests write; tst_zones has the others
    return shape;
}

/// Tables for `classicShape`, for both databases.
inline QString classicTable(const QString &extraColumns = {})
{
    return QStringLiteral("CREATE TABLE outbox (id integer PRIMARY KEY, type text NOT NULL, "
                          "payload text NOT NULL%1)")
        .arg(extraColumns);
}

/// A system of such a table and nothing else.
inline Profile classicProfile(const Databases &databases, const DatabaseUrl &url)
{
    Profile profile;
    profile.databaseUrl = databases.addressOf(url);
    profile.shape = classicShape();
    return profile;
}

/// Looking into a document takes PostgreSQL 2 ms for each row of this database from now on.
inline void makeDocumentsSlow(SideSession &side, const DatabaseUrl &url)
{
    side.all({QStringLiteral("CREATE FUNCTION slow(jsonb, text[]) RETURNS text LANGUAGE sql"
                             " VOLATILE AS 'SELECT $1 operator(pg_catalog.#>>) $2"
                             " FROM pg_sleep(0.002)'"),
              QStringLiteral("CREATE OPERATOR public.#>> (LEFTARG = jsonb, RIGHTARG = text[],"
                             " FUNCTION = slow)"),
              QStringLiteral("ALTER DATABASE %1 SET search_path = public, pg_catalog")
                  .arg(url.database)});
}

/// INSERT of `count` rows; `select` is a list of expressions over n = 1 … count.
inline QString numbered(int count, const QString &select, const QString &into)
{
    return QStringLiteral("INSERT INTO %2 WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1"
                          " FROM s WHERE n < %1) SELECT %3 FROM s")
        .arg(QString::number(count), into, select);
}

inline QStringList idsOf(const QList<ClaimedMessage> &messages)
{
    QStringList ids;
    for (const ClaimedMessage &message : messages)
        ids += message.id.text;
    return ids;
}

/// For initTestCase_data(): the test is run on each of them.
inline void addDialects()
{
    QTest::addColumn<int>("dialect");
    QTest::newRow("PostgreSQL") << int(DatabaseUrl::Dialect::PostgreSql);
    QTest::newRow("SQLite") << int(DatabaseUrl::Dialect::Sqlite);
    QTest::newRow("MariaDB") << int(DatabaseUrl::Dialect::MariaDb);
}

/// The one of `addDialects` that it is run on.
inline DatabaseUrl::Dialect dialect()
{
    QFETCH_GLOBAL(int, dialect);
    return static_cast<DatabaseUrl::Dialect>(dialect);
}

} // namespace outbox
