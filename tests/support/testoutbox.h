// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A real outbox and a real queue for one test: the tables of the shapes, rows in them, counts by
// plain SQL and plain Redis, apart from the code under test.
#pragma once

#include "app/demo/privateserver.h"
#include "connectors/redis/connection.h"
#include "connectors/sql/outbox/outboxstore.h"
#include "models/shape/outboxshape.h"
#include "tests/support/privatemariadb.h"

#include <QSqlDatabase>
#include <QString>
#include <QVariant>

#include <map>
#include <memory>

namespace outbox {

/// The shapes of the first version; and two that are relayed when somebody confirms it. Due: a row
/// waits for its time, and beside those of each `insertRows` stands one whose time is far off.
/// Leased: every other row has the lease of a relay that died, which is over.
enum class BenchShape { Payload, CompletedAt, Reference, ProcessedDate, Due, Leased };

[[nodiscard]] QString word(BenchShape shape);
/// Those that are relayed as they are found.
[[nodiscard]] QList<BenchShape> allBenchShapes();

/// One throwaway database with one outbox table, beside one private Redis.
class TestOutbox
{
public:
    enum class Kind { Postgres, Sqlite, MariaDb };

    /// The servers run already; each kind uses its own alone.
    TestOutbox(Kind kind, BenchShape shape, PrivatePostgres *postgres, PrivateRedis &redis,
               PrivateMariadb *mariadb = nullptr);
    ~TestOutbox();
    TestOutbox(const TestOutbox &) = delete;
    TestOutbox &operator=(const TestOutbox &) = delete;

    /// Makes the database and the table, empties Redis.
    [[nodiscard]] bool setUp();
    /// Inserts `count` rows; payloads hold `payloadBytes` bytes, NUL bytes and broken UTF-8 among
    /// them where the column takes bytes. Rows are inserted in the order of their number.
    [[nodiscard]] bool insertRows(int count, int payloadBytes = 200);

    /// What an operator is told, see `databaseUrlOf`. On MariaDB as the account `account`, which
    /// may do everything in this database.
    [[nodiscard]] QString url() const;
    [[nodiscard]] static QString account() { return QStringLiteral("deck"); }
    [[nodiscard]] Kind kind() const { return m_kind; }
    [[nodiscard]] DatabaseUrl::Dialect dialect() const
    {
        return DatabaseUrl::fromUrl(url())->dialect;
    }
    [[nodiscard]] QString table() const;
    /// The shape that the console takes of it when it is told the table, and the zone of times
    /// without one.
    [[nodiscard]] Result<OutboxShape> takenShape(const QString &timeZone = {}) const;
    [[nodiscard]] StoreSettings settings(StoreAccess access) const;
    /// For a plain connection.
    [[nodiscard]] RedisEndpoint redis() const;
    /// What an operator is told, see `queueUrlOf`.
    [[nodiscard]] QString redisUrl() const;

    [[nodiscard]] bool exec(const QString &sql);
    [[nodiscard]] QVariant scalar(const QString &sql);
    /// Rows that are due and not yet delivered, by plain SQL.
    [[nodiscard]] qint64 unprocessed();
    /// The text of a key, in SQL.
    [[nodiscard]] QString keyText(const QString &key) const;
    /// Key texts of those rows.
    [[nodiscard]] QStringList unprocessedIds();
    /// Opens our own session anew: a server that was restarted took the old one with it.
    [[nodiscard]] bool reopen();
    /// Key texts of all rows ever inserted, in the order of insertion.
    [[nodiscard]] const QStringList &insertedIds() const { return m_ids; }
    /// The id of the row's task under `shape`, which is this table's; by plain SQL.
    [[nodiscard]] QString taskId(const OutboxShape &shape, const QString &id);
    /// The payload a task must carry for this id.
    [[nodiscard]] QByteArray expectedPayload(const QString &id) const { return m_payloads.at(id); }
    [[nodiscard]] QString expectedType(const QString &id) const { return m_types.at(id); }

    /// Ids in the pending list, next to run first.
    [[nodiscard]] QStringList pendingIds();
    [[nodiscard]] RedisConnection &plainRedis() { return m_plainRedis; }

private:
    [[nodiscard]] QSqlDatabase database() const;
    [[nodiscard]] bool openPostgres();
    [[nodiscard]] bool openMariadb();
    /// How the plain session of a MariaDB test speaks.
    [[nodiscard]] bool speakAnsi();
    [[nodiscard]] bool createTables();
    [[nodiscard]] QString unprocessedRows() const;
    /// Keys count up, and rows stay behind as processed ones.
    [[nodiscard]] bool hasNumbers() const;

    Kind m_kind;
    BenchShape m_shape;
    PrivatePostgres *m_postgres;
    PrivateRedis &m_redisServer;
    PrivateMariadb *m_mariadb;
    QTemporaryDir m_folder;
    QString m_name; ///< of the database and of our connection to it
    QString m_error;
    RedisConnection m_plainRedis;
    QStringList m_ids;
    std::map<QString, QByteArray> m_payloads;
    std::map<QString, QString> m_types;
    std::map<QString, qint64> m_births; ///< microseconds since 1970, as far as they were asked for
};

} // namespace outbox
