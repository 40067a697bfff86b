// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/benchdesk.h"

#include "connectors/sql/outbox/fencetable.h"
#include "tests/support/newlife.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Twelve hexadecimal digits of milliseconds, ten ids in each, then a random tail: version 7.
constexpr char timeOrderedId[]
    = "(lpad(to_hex(1795225841000 + n / 10), 12, '0') || '7' || lpad(to_hex(n % 10 * 400), 3, '0') "
      "|| substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid";
constexpr char randomId[] = "gen_random_uuid()";

/// An address of this machine that no server of others listens at.
constexpr QLatin1StringView tcpHost("127.0.113.7");

QByteArray seedOf(KeyOrder order)
{
    return order == KeyOrder::ByTime ? "seed_by_time" : "seed_random";
}

QByteArray rowsOf(KeyOrder order, qint64 count)
{
    return "SELECT " + BenchDesk::keySql(order)
        + " AS id, 'mail:deliver'::text AS type, convert_to(rpad('{\"n\":' || n || '}', 200, ' '), "
          "'UTF8') AS payload FROM generate_series(1, "
        + QByteArray::number(count) + ") AS n";
}

} // namespace

QByteArray BenchDesk::keySql(KeyOrder order)
{
    return order == KeyOrder::ByTime ? timeOrderedId : randomId;
}

Result<void> BenchDesk::start(qint64 rows, BenchLine line)
{
    m_rows = rows;
    m_line = line;
    QStringList postgresSettings;
    QStringList redisArguments;
    if (line == BenchLine::Tcp) {
        postgresSettings += u"listen_addresses="_s + tcpHost;
        redisArguments += {u"--port"_s, u"6379"_s, u"--bind"_s, tcpHost};
    }
    if (auto started = m_postgres.start(postgresSettings, true); !started)
        return started;
    if (auto started = m_redis.start(redisArguments); !started)
        return started;
    if (auto opened = m_hand.open(m_postgres); !opened)
        return opened;
    if (auto opened = m_redisHand.open(redis(), RedisConnection::Access::Act, u"bench"_s,
                                       std::chrono::seconds(60));
        !opened) {
        return opened;
    }
    for (const KeyOrder order : {KeyOrder::ByTime, KeyOrder::Random}) {
        const auto made
            = m_hand.run("CREATE UNLOGGED TABLE " + seedOf(order) + " AS " + rowsOf(order, rows));
        if (!made)
            return passOn(made);
    }
    return {};
}

Result<void> BenchDesk::layEmpty()
{
    if (const auto made
        = m_hand.run("SET client_min_messages = warning; "
                     "DROP TABLE IF EXISTS outbox, outbox_fence; CREATE TABLE outbox (id uuid "
                     "PRIMARY KEY, type text NOT NULL, payload bytea NOT NULL)");
        !made) {
        return passOn(made);
    }
    const QString doing = u"emptying Redis"_s;
    if (!forgetLives(stateFolder()))
        return fail(Error::Kind::Invalid, doing, u"the relays' memory could not be removed"_s);
    const auto cleared = m_redisHand.command({"FLUSHALL", "SYNC"}, doing);
    return cleared ? Result<void>() : passOn(cleared);
}

Result<void> BenchDesk::layFence()
{
    const auto made = m_hand.run(FenceTableAccess::sql(DatabaseUrl::Dialect::PostgreSql).toUtf8());
    return made ? Result<void>() : passOn(made);
}

Result<void> BenchDesk::expectFenced()
{
    const auto lines = m_hand.number("SELECT count(*) FROM outbox_fence");
    if (!lines)
        return passOn(lines);
    if (*lines > 0)
        return {};
    return fail(Error::Kind::Conflict, u"looking at outbox_fence"_s, u"it has no line"_s);
}

Result<void> BenchDesk::lay(KeyOrder order)
{
    if (auto laid = layEmpty(); !laid)
        return laid;
    if (const auto copied = m_hand.run("INSERT INTO outbox SELECT * FROM " + seedOf(order));
        !copied) {
        return passOn(copied);
    }
    return settle();
}

Result<void> BenchDesk::fill(KeyOrder order, qint64 rows)
{
    m_rows = rows;
    if (auto laid = layEmpty(); !laid)
        return laid;
    if (const auto made = m_hand.run("INSERT INTO outbox " + rowsOf(order, rows)); !made)
        return passOn(made);
    return settle();
}

Result<void> BenchDesk::settle()
{
    for (const char *sql : {"VACUUM ANALYZE outbox", "CHECKPOINT"}) {
        if (const auto done = m_hand.run(sql); !done)
            return passOn(done);
    }
    return {};
}

Result<void> BenchDesk::expectGone(qint64 gone)
{
    const auto left = m_hand.number("SELECT count(*) FROM outbox");
    if (!left)
        return passOn(left);
    if (*left == m_rows - gone)
        return {};
    return fail(Error::Kind::Conflict, u"counting rows"_s,
                u"%1 left of %2 after %3 were taken"_s.arg(*left).arg(m_rows).arg(gone));
}

Result<void> BenchDesk::expectWaiting(qint64 waiting)
{
    const auto length
        = m_redisHand.command({"LLEN", "asynq:{default}:pending"}, u"counting tasks"_s);
    if (!length)
        return passOn(length);
    if (length->integer == waiting)
        return {};
    return fail(Error::Kind::Conflict, u"counting tasks"_s,
                u"%1 wait instead of %2"_s.arg(length->integer).arg(waiting));
}

CpuSpent BenchDesk::cpu() const
{
    return {cpuSecondsOfTree(m_postgres.pid()), cpuSecondsOfTree(m_redis.pid()),
            cpuSecondsOfOurs()};
}

QString BenchDesk::databaseUrl() const
{
    return m_line == BenchLine::Socket
        ? m_postgres.url()
        : u"postgresql://%1@%2/postgres"_s.arg(m_postgres.user(), tcpHost);
}

RedisEndpoint BenchDesk::redis() const
{
    return *RedisEndpoint::fromUrl(m_line == BenchLine::Socket ? m_redis.url()
                                                               : QString(u"redis://"_s + tcpHost));
}

StoreSettings BenchDesk::settings(StoreAccess access) const
{
    StoreSettings settings;
    settings.url = *DatabaseUrl::fromUrl(databaseUrl());
    settings.access = access;
    settings.applicationName = u"bench"_s;
    return settings;
}

} // namespace outbox
