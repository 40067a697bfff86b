// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Databases for tests of connectors/sql: private servers and fresh SQLite files, a second session
// to look over the store's shoulder, and the shapes of this version.
#pragma once

#include "connectors/sql/outbox/outboxstore.h"
#include "models/profile/profile.h"
#include "tests/support/privatemariadb.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testpostgres.h"
#include "tests/support/testwords.h"

#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

#include <functional>
#include <map>
#include <memory>

namespace outbox {

/// A plain session of the test itself, with the server and not with a pooler before it.
class SideSession
{
public:
    explicit SideSession(const DatabaseUrl &url)
        : m_name(QStringLiteral("side-%1").arg(++count())), m_words(testWords(url.dialect))
    {
        QSqlDatabase database = m_words.addConnection(m_name);
        database.setHostName(url.host);
        database.setDatabaseName(url.database);
        database.setUserName(url.user);
        database.setConnectOptions(QString(m_words.connectOptions)
                                       .replace(QStringLiteral("@socket"),
                                                url.options.value(QStringLiteral("unix_socket"))));
        if (!database.open())
            qFatal("%s", qPrintable(database.lastError().text()));
        all(m_words.sessionStart);
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
    [[nodiscard]] QString inItsWords(QString sql) const
    {
        for (const auto &[from, to] : m_words.replaced)
            sql.replace(from, to);
        return sql;
    }
    static int &count()
    {
        static int number = 0;
        return number;
    }
    QString m_name;
    const TestWords &m_words;
};

/// Fresh databases: one for each call, on SQLite one file for each call.
class Databases
{
public:
    TestPostgres postgres;
    PrivateMariadb mariadb;

    DatabaseUrl fresh(DatabaseUrl::Dialect dialect)
    {
        const TestWords &words = testWords(dialect);
        QString name = QStringLiteral("t%1").arg(++m_number);
        if (words.isFile()) {
            name = m_folder.filePath(name + QStringLiteral(".db"));
            SideSession(at(dialect, name)).run(QStringLiteral("PRAGMA journal_mode = WAL"));
        } else {
            SideSession(at(dialect, words.ownDatabase))
                .run(QString(words.createDatabase).replace(QStringLiteral("@name"), name));
        }
        return at(dialect, name);
    }

    /// As a command line takes it.
    [[nodiscard]] QString addressOf(const DatabaseUrl &url) const
    {
        return m_addresses.at(url.dialect)(url.database);
    }

private:
    [[nodiscard]] DatabaseUrl at(DatabaseUrl::Dialect dialect, const QString &database) const
    {
        return DatabaseUrl::fromUrl(m_addresses.at(dialect)(database)).value();
    }

    const std::map<DatabaseUrl::Dialect, std::function<QString(const QString &)>> m_addresses{
        {DatabaseUrl::Dialect::PostgreSql,
         [this](const QString &database) { return databaseUrlOf(postgres, database); }},
        {DatabaseUrl::Dialect::MariaDb,
         [this](const QString &database) { return mariadb.url(database); }},
        {DatabaseUrl::Dialect::Sqlite,
         [](const QString &file) -> QString { return QStringLiteral("sqlite://") + file; }}};
    QTemporaryDir m_folder;
    int m_number = 0;
};

/// Use inside initTestCase(): starts the servers of all databases, behind a pooler that of
/// PostgreSQL alone; what more is given goes to PostgreSQL.
#define OUTBOX_START_DATABASES(databases, ...)                                                     \
    do {                                                                                           \
        OUTBOX_START_SERVER((databases).postgres, __VA_ARGS__);                                    \
        if (!outbox::isDatabasePooled())                                                           \
            OUTBOX_START_SERVER((databases).mariadb);                                              \
    } while (false)

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

/// The same with payloads that are bytes.
inline OutboxShape bytesShape()
{
    OutboxShape shape = classicShape();
    shape.payloadForm = OutboxShape::PayloadForm::Bytes;
    return shape;
}

/// The same with keys that are uuids, which are no order.
inline OutboxShape uuidShape()
{
    OutboxShape shape = bytesShape();
    shape.keyForm = OutboxShape::KeyForm::Uuid;
    shape.orderIs = OutboxShape::OrderIs::None;
    return shape;
}

/// A store over a table of this shape.
[[nodiscard]] inline Result<void> openOutbox(OutboxStore &store, const StoreSettings &settings,
                                             const OutboxShape &shape = classicShape())
{
    auto opened = store.open(settings);
    return opened ? store.use(shape) : opened;
}

/// Tables for `classicShape`, for all databases.
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

/// For initTestCase_data(): the test is run on each of them; behind a pooler on PostgreSQL alone.
inline void addDialects()
{
    QTest::addColumn<int>("dialect");
    for (const TestWords &words : allTestWords()) {
        if (!isDatabasePooled() || words.dialect == DatabaseUrl::Dialect::PostgreSql)
            QTest::newRow(words.name) << int(words.dialect);
    }
}

/// The one of `addDialects` that it is run on.
inline DatabaseUrl::Dialect dialect()
{
    QFETCH_GLOBAL(int, dialect);
    return static_cast<DatabaseUrl::Dialect>(dialect);
}

inline const TestWords &testWords()
{
    return testWords(dialect());
}

} // namespace outbox
