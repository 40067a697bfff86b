// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testoutbox.h"

#include "app/settings/opening.h"
#include "connectors/sql/driver/mariadbclient.h"
#include "tests/support/queueserver.h"
#include "tests/support/testpostgres.h"

#include <QDebug>
#include <QFile>
#include <QSqlError>
#include <QSqlQuery>
#include <QUuid>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString longAgo = u"2026-01-01 00:00:00"_s;
const QString farOff = u"2999-01-01 00:00:00"_s;

/// Bytes that no text codec survives, different for each row, the same for the same number.
QByteArray sampleBytes(int number, int size)
{
    QByteArray bytes(size, '\0');
    for (int i = 0; i < size; ++i)
        bytes[i] = static_cast<char>((number * 31 + i * 7) & 0xff);
    return bytes;
}

QString sampleText(int number, int size)
{
    QString text = u"{\"n\":%1,\"pad\":\""_s.arg(number);
    text += QString(std::max<qsizetype>(0, size - text.size() - 2), u'x');
    return text + u"\"}"_s;
}

} // namespace

QString word(BenchShape shape)
{
    switch (shape) {
    case BenchShape::Payload:
        return u"payload"_s;
    case BenchShape::CompletedAt:
        return u"completed_at"_s;
    case BenchShape::Reference:
        return u"reference"_s;
    case BenchShape::Due:
        return u"due time"_s;
    case BenchShape::Leased:
        return u"lease"_s;
    case BenchShape::ProcessedDate:
        break;
    }
    return u"ProcessedDate"_s;
}

QList<BenchShape> allBenchShapes()
{
    return {BenchShape::Payload, BenchShape::CompletedAt, BenchShape::Reference,
            BenchShape::ProcessedDate};
}

TestOutbox::TestOutbox(Kind kind, BenchShape shape, PrivatePostgres *postgres, PrivateRedis &redis,
                       PrivateMariadb *mariadb)
    : m_kind(kind), m_shape(shape), m_postgres(postgres), m_redisServer(redis), m_mariadb(mariadb),
      m_name(u"bench_"_s + QUuid::createUuid().toString(QUuid::Id128))
{ }

TestOutbox::~TestOutbox()
{
    mariadb::removeConnection(m_name);
}

QSqlDatabase TestOutbox::database() const
{
    return QSqlDatabase::database(m_name);
}

QString TestOutbox::url() const
{
    if (m_kind == Kind::MariaDb)
        return m_mariadb->urlFor(account(), m_name);
    return m_kind == Kind::Postgres ? databaseUrlOf(*m_postgres, m_name)
                                    : u"sqlite://"_s + m_folder.filePath(u"outbox.db"_s);
}

QString TestOutbox::table() const
{
    if (m_shape != BenchShape::ProcessedDate)
        return u"outbox"_s;
    return m_kind == Kind::Postgres ? u"app.OutboxMessages"_s : u"OutboxMessages"_s;
}

Result<OutboxShape> TestOutbox::takenShape(const QString &timeZone) const
{
    OutboxStore store;
    if (auto opened = store.open(settings(StoreAccess::ReadOnly)); !opened)
        return passOn(opened);
    Profile profile;
    profile.table = table();
    profile.timeZone = timeZone;
    return takeShape(store, profile);
}

StoreSettings TestOutbox::settings(StoreAccess access) const
{
    StoreSettings settings;
    settings.url = DatabaseUrl::fromUrl(url()).value();
    settings.access = access;
    settings.applicationName = u"bench/relay"_s;
    return settings;
}

RedisEndpoint TestOutbox::redis() const
{
    return RedisEndpoint::fromUrl(m_redisServer.url()).value();
}

QString TestOutbox::redisUrl() const
{
    return queueUrlOf(m_redisServer);
}

bool TestOutbox::openPostgres()
{
    {
        const QString admin = m_name + u"_admin"_s;
        QSqlDatabase first = QSqlDatabase::addDatabase(u"QPSQL"_s, admin);
        first.setHostName(m_postgres->socketFolder());
        first.setUserName(m_postgres->user());
        first.setDatabaseName(u"postgres"_s);
        if (!first.open() || QSqlQuery(first).exec(u"create database "_s + m_name) == false) {
            qWarning() << first.lastError();
            return false;
        }
    }
    QSqlDatabase::removeDatabase(m_name + u"_admin"_s);
    QSqlDatabase db = QSqlDatabase::addDatabase(u"QPSQL"_s, m_name);
    db.setHostName(m_postgres->socketFolder());
    db.setUserName(m_postgres->user());
    db.setDatabaseName(m_name);
    db.setConnectOptions(u"application_name=fixture-plain"_s);
    return db.open();
}

bool TestOutbox::openMariadb()
{
    QSqlDatabase db = mariadb::addConnection(m_name);
    db.setUserName(m_mariadb->user());
    db.setConnectOptions(u"UNIX_SOCKET="_s + m_mariadb->socketPath());
    if (!db.open() || !exec(u"create database %1 character set utf8mb4"_s.arg(m_name))
        || !exec(u"create user if not exists %1@localhost"_s.arg(account()))
        || !exec(u"grant all on %1.* to %2@localhost"_s.arg(m_name, account())))
        return false;
    db.close();
    db.setDatabaseName(m_name);
    return db.open() && speakAnsi();
}

bool TestOutbox::speakAnsi()
{
    return m_kind != Kind::MariaDb
        || (exec(u"set session transaction isolation level read committed"_s)
            && exec(
                u"set session sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT,STRICT_ALL_TABLES', session"
                " time_zone = '+00:00', session max_recursive_iterations = 10000000"_s));
}

bool TestOutbox::setUp()
{
    // What relays know of the Redis of an earlier fixture is over; nothing goes to the user's
    // folder.
    qputenv("XDG_STATE_HOME", QFile::encodeName(m_folder.filePath(u"state"_s)));
    if (m_kind == Kind::Postgres) {
        if (!openPostgres())
            return false;
    } else if (m_kind == Kind::MariaDb) {
        if (!openMariadb())
            return false;
    } else {
        QSqlDatabase db = QSqlDatabase::addDatabase(u"QSQLITE"_s, m_name);
        db.setDatabaseName(m_folder.filePath(u"outbox.db"_s));
        if (!db.open() || !exec(u"pragma journal_mode=wal"_s))
            return false;
    }
    if (!m_plainRedis.open(redis(), RedisConnection::Access::Act, u"fixture"_s))
        return false;
    return m_plainRedis.command({"FLUSHALL"}, u"emptying Redis"_s).has_value() && createTables();
}

bool TestOutbox::exec(const QString &sql)
{
    QSqlQuery query(database());
    if (query.exec(sql))
        return true;
    qWarning() << sql << query.lastError();
    return false;
}

QVariant TestOutbox::scalar(const QString &sql)
{
    QSqlQuery query(database());
    if (!query.exec(sql) || !query.next()) {
        qWarning() << sql << query.lastError();
        return {};
    }
    return query.value(0);
}

QString TestOutbox::taskId(const OutboxShape &shape, const QString &id)
{
    if (!shape.needsBirth())
        return shape.taskIdFor(id, {}).text;
    if (!m_births.contains(id)) {
        const QString born = m_kind == Kind::Postgres
            ? u"(extract(epoch from created_at) * 1000000)::bigint"_s
            : m_kind == Kind::MariaDb ? u"timestampdiff(microsecond, '1970-01-01', created_at)"_s
                                      : u"strftime('%s', created_at) * 1000000"_s;
        QSqlQuery query(database());
        query.exec(u"select id, "_s + born + u" from "_s + table());
        while (query.next())
            m_births[query.value(0).toString()] = query.value(1).toLongLong();
    }
    const auto born = m_births.find(id);
    return born == m_births.end() ? QString() : shape.taskIdFor(id, born->second).text;
}

bool TestOutbox::insertRows(int count, int payloadBytes)
{
    const bool postgres = m_kind == Kind::Postgres;
    QSqlDatabase db = database();
    if (!db.transaction())
        return false;
    QSqlQuery query(db);
    QSqlQuery referred(db);
    const bool mariadb = m_kind == Kind::MariaDb;
    const QString cast = postgres                   ? u"cast(? as uuid)"_s
        : mariadb && m_shape == BenchShape::Payload ? u"unhex(replace(?, '-', ''))"_s
                                                    : u"?"_s;
    switch (m_shape) {
    case BenchShape::Payload:
        query.prepare(u"insert into outbox (id, type, payload) values (%1, ?, ?)"_s.arg(cast));
        break;
    case BenchShape::CompletedAt:
        query.prepare(u"insert into outbox (type, payload) values (?, ?)"_s
                      + (mariadb ? QString() : u" returning id"_s));
        break;
    case BenchShape::Due:
        query.prepare(u"insert into outbox (type, payload, available_at) values (?, ?, ?)"_s
                      + (mariadb ? QString() : u" returning id"_s));
        break;
    case BenchShape::Leased:
        query.prepare(
            u"insert into outbox (type, payload, locked_until, locked_by) values (?, ?, ?, ?)"_s
            + (mariadb ? QString() : u" returning id"_s));
        break;
    case BenchShape::Reference:
        referred.prepare(
            u"insert into mail_deliveries (id, recipient, subject) values (?, ?, ?)"_s);
        query.prepare(
            u"insert into outbox (id, table_id, table_name) values (%1, ?, 'mail_deliveries')"_s
                .arg(cast));
        break;
    case BenchShape::ProcessedDate:
        query.prepare(u"insert into %1 (\"Id\", \"OccurredOn\", \"Type\", \"Data\") "
                      u"values (%2, %3, ?, ?)"_s.arg(
                          postgres ? u"app.\"OutboxMessages\""_s : u"\"OutboxMessages\""_s, cast,
                          postgres ? u"timestamptz '2026-01-01' + ? * interval '1 ms'"_s
                              : mariadb
                              ? u"timestamp '2026-01-01 00:00:00' + interval ? * 1000 microsecond"_s
                              : u"strftime('%Y-%m-%d %H:%M:%f', '2026-01-01', "
                                u"(? / 1000.0) || ' seconds')"_s));
        break;
    }
    const int before = static_cast<int>(m_ids.size());
    for (int number = before; number < before + count; ++number) {
        QString id = QUuid::createUuid().toString(QUuid::WithoutBraces);
        QString type = number % 3 == 0 ? u"email:deliver"_s : u"invoice:issue"_s;
        QByteArray payload;
        switch (m_shape) {
        case BenchShape::Payload:
            payload = sampleBytes(number, payloadBytes);
            query.bindValue(0, id);
            query.bindValue(1, type);
            query.bindValue(2, payload);
            break;
        case BenchShape::CompletedAt:
        case BenchShape::Due:
        case BenchShape::Leased:
            payload = sampleBytes(number, payloadBytes);
            query.bindValue(0, type);
            query.bindValue(1, payload);
            if (m_shape == BenchShape::Due)
                query.bindValue(2, longAgo);
            if (m_shape == BenchShape::Leased) {
                const bool isLeased = number % 2 == 0;
                query.bindValue(2, isLeased ? longAgo : QString());
                query.bindValue(3, isLeased ? u"relay-dead"_s : QString());
            }
            break;
        case BenchShape::Reference: {
            type = u"mail_deliveries"_s;
            const QString recipient = u"reader-%1@example.org"_s.arg(number);
            payload = u"{\"id\":%1,\"recipient\":\"%2\",\"subject\":null}"_s.arg(number)
                          .arg(recipient)
                          .toUtf8();
            referred.bindValue(0, number);
            referred.bindValue(1, recipient);
            referred.bindValue(2, QVariant(QMetaType::fromType<QString>()));
            if (!referred.exec())
                return false;
            query.bindValue(0, id);
            query.bindValue(1, number);
            break;
        }
        case BenchShape::ProcessedDate: {
            const QString data = sampleText(number, payloadBytes);
            payload = data.toUtf8();
            query.bindValue(0, id);
            query.bindValue(1, number);
            query.bindValue(2, type);
            query.bindValue(3, data);
            break;
        }
        }
        if (!query.exec()) {
            qWarning() << query.lastError();
            return false;
        }
        if (hasNumbers() && mariadb)
            id = query.lastInsertId().toString();
        else if (hasNumbers() && query.next())
            id = query.value(0).toString();
        m_ids += id;
        m_payloads[id] = payload;
        m_types[id] = type;
    }
    query.finish();
    if (m_shape == BenchShape::Due
        && !exec(
            u"insert into outbox (type, payload, available_at) values ('not:due', 'x', '%1')"_s.arg(
                farOff)))
        return false;
    return db.commit();
}

QString TestOutbox::unprocessedRows() const
{
    switch (m_shape) {
    case BenchShape::Payload:
    case BenchShape::Reference:
        return u"outbox"_s;
    case BenchShape::CompletedAt:
        return u"outbox where completed_at is null"_s;
    case BenchShape::Due:
        return u"outbox where processed_at is null and available_at < '%1'"_s.arg(farOff);
    case BenchShape::Leased:
        return u"outbox where processed_at is null"_s;
    case BenchShape::ProcessedDate:
        break;
    }
    return u"%1\"OutboxMessages\" where \"ProcessedDate\" is null"_s.arg(
        m_kind == Kind::Postgres ? u"app."_s : QString());
}

bool TestOutbox::hasNumbers() const
{
    return m_shape == BenchShape::CompletedAt || m_shape == BenchShape::Due
        || m_shape == BenchShape::Leased;
}

qint64 TestOutbox::unprocessed()
{
    return scalar(u"select count(*) from "_s + unprocessedRows()).toLongLong();
}

QString TestOutbox::keyText(const QString &key) const
{
    if (m_kind != Kind::MariaDb)
        return u"cast(%1 as text)"_s.arg(key);
    return (m_shape == BenchShape::Payload ? u"cast(cast(%1 as uuid) as char)"_s
                                           : u"cast(%1 as char)"_s)
        .arg(key);
}

QStringList TestOutbox::unprocessedIds()
{
    const QString key = m_shape == BenchShape::ProcessedDate ? u"\"Id\""_s : u"id"_s;
    QStringList ids;
    QSqlQuery query(database());
    if (!query.exec(u"select %1 from "_s.arg(keyText(key)) + unprocessedRows()))
        qWarning() << query.lastError();
    while (query.next())
        ids += query.value(0).toString();
    return ids;
}

bool TestOutbox::reopen()
{
    QSqlDatabase db = database();
    db.close();
    return db.open() && speakAnsi();
}

QStringList TestOutbox::pendingIds()
{
    QStringList ids;
    if (!m_plainRedis.ensureOpen()) // a Redis that was restarted took our connection with it
        return ids;
    const auto reply = m_plainRedis.command({"LRANGE", "asynq:{default}:pending", "0", "-1"},
                                            u"reading the pending list"_s);
    if (!reply)
        return ids;
    for (const RedisReply &element : reply->elements)
        ids.prepend(QString::fromUtf8(element.bytes)); // pushed left, run from the right
    return ids;
}

} // namespace outbox
