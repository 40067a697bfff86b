// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/benchdesk.h"

#include "tests/bench/processload.h"

#include <array>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Twelve hexadecimal digits of milliseconds, ten ids in each, then a random tail: version 7.
constexpr char timeOrderedId[]
    = "(lpad(to_hex(1795225841000 + n / 10), 12, '0') || '7' || lpad(to_hex(n % 10 * 400), 3, '0') "
      "|| substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid";
constexpr char randomId[] = "gen_random_uuid()";

QByteArray seedOf(KeyOrder order)
{
    return order == KeyOrder::ByTime ? "seed_by_time" : "seed_random";
}

} // namespace

Result<void> PlainPostgres::open(const PrivatePostgres &server)
{
    const QByteArray folder = server.socketFolder().toUtf8();
    const QByteArray user = server.user().toUtf8();
    const std::array names{"host", "user", "dbname", static_cast<const char *>(nullptr)};
    const std::array values{folder.constData(), user.constData(), "postgres",
                            static_cast<const char *>(nullptr)};
    m_connection.reset(PQconnectdbParams(names.data(), values.data(), 0));
    if (PQstatus(m_connection.get()) == CONNECTION_OK)
        return {};
    return fail(Error::Kind::Unreachable, u"connecting to PostgreSQL"_s,
                QString::fromUtf8(PQerrorMessage(m_connection.get())).trimmed());
}

Result<PgResult> PlainPostgres::checked(PGresult *raw, const QByteArray &what) const
{
    PgResult result(raw);
    const ExecStatusType status = PQresultStatus(raw);
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK)
        return result;
    return fail(Error::Kind::Constraint, u"running "_s + QString::fromUtf8(what),
                QString::fromUtf8(PQerrorMessage(m_connection.get())).trimmed());
}

Result<PgResult> PlainPostgres::run(const QByteArray &sql)
{
    return checked(PQexec(m_connection.get(), sql.constData()), sql);
}

Result<void> PlainPostgres::prepare(const char *name, const QByteArray &sql)
{
    const auto prepared
        = checked(PQprepare(m_connection.get(), name, sql.constData(), 1, nullptr), sql);
    return prepared ? Result<void>() : passOn(prepared);
}

Result<PgResult> PlainPostgres::runPrepared(const char *name, qint64 number)
{
    const QByteArray text = QByteArray::number(number);
    const char *value = text.constData();
    constexpr int binary = 1;
    return checked(PQexecPrepared(m_connection.get(), name, 1, &value, nullptr, nullptr, binary),
                   name);
}

Result<qint64> PlainPostgres::number(const QByteArray &sql)
{
    const auto result = run(sql);
    if (!result)
        return passOn(result);
    return QByteArray(PQgetvalue(result->get(), 0, 0)).toLongLong();
}

Result<void> BenchDesk::start(qint64 rows)
{
    m_rows = rows;
    if (auto started = m_postgres.start({}, true); !started)
        return started;
    if (auto started = m_redis.start(); !started)
        return started;
    if (auto opened = m_hand.open(m_postgres); !opened)
        return opened;
    if (auto opened = m_redisHand.open(redis(), RedisConnection::Access::Act, u"bench"_s,
                                       std::chrono::seconds(60));
        !opened) {
        return opened;
    }
    for (const KeyOrder order : {KeyOrder::ByTime, KeyOrder::Random}) {
        const QByteArray id = order == KeyOrder::ByTime ? timeOrderedId : randomId;
        const auto made = m_hand.run(
            "CREATE UNLOGGED TABLE " + seedOf(order) + " AS SELECT " + id
            + " AS id, 'mail:deliver'::text AS type, convert_to(rpad('{\"n\":' || n || '}', 200, "
              "' '), 'UTF8') AS payload FROM generate_series(1, "
            + QByteArray::number(rows) + ") AS n");
        if (!made)
            return passOn(made);
    }
    return {};
}

Result<void> BenchDesk::layEmpty()
{
    if (const auto made
        = m_hand.run("DROP TABLE IF EXISTS outbox; CREATE TABLE outbox (id uuid PRIMARY KEY, type "
                     "text NOT NULL, payload bytea NOT NULL)");
        !made) {
        return passOn(made);
    }
    const auto cleared = m_redisHand.command({"FLUSHALL", "SYNC"}, u"emptying Redis"_s);
    return cleared ? Result<void>() : passOn(cleared);
}

Result<void> BenchDesk::lay(KeyOrder order)
{
    if (auto laid = layEmpty(); !laid)
        return laid;
    const QByteArrayList statements{"INSERT INTO outbox SELECT * FROM " + seedOf(order),
                                    "VACUUM ANALYZE outbox", "CHECKPOINT"};
    for (const QByteArray &sql : statements) {
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

StoreSettings BenchDesk::settings(StoreAccess access) const
{
    StoreSettings settings;
    settings.url = *DatabaseUrl::fromUrl(m_postgres.url());
    settings.access = access;
    settings.applicationName = u"bench"_s;
    return settings;
}

} // namespace outbox
