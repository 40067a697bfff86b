// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/contestants.h"

#include "app/settings/opening.h"
#include "connectors/asynq/wire/enqueuemessage.h"
#include "connectors/asynq/wire/keys.h"
#include "connectors/redis/script.h"
#include "connectors/redis/wire.h"

#include <QElapsedTimer>
#include <QUuid>

#include <chrono>
#include <limits>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// The effect of asynq's own enqueue for one task.
constexpr char oneTaskScript[]
    = "if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end\n"
      "redis.call('HSET', KEYS[1], 'msg', ARGV[1], 'state', 'pending', 'pending_since', ARGV[3])\n"
      "redis.call('LPUSH', KEYS[2], ARGV[2])\n"
      "return 1\n";

/// The time there is, and what has been done in it.
class Lap
{
public:
    Lap(const BenchDesk &desk, double mostSeconds)
        : m_desk(desk), m_mostNs(static_cast<qint64>(mostSeconds * 1e9)), m_before(desk.cpu())
    {
        m_clock.start();
    }
    [[nodiscard]] bool isOver() const { return m_clock.nsecsElapsed() >= m_mostNs; }
    [[nodiscard]] int leftMs() const
    {
        return static_cast<int>((m_mostNs - m_clock.nsecsElapsed()) / 1'000'000);
    }
    void add(qint64 messages) { m_messages += messages; }
    [[nodiscard]] LegResult end() const
    {
        const double seconds = static_cast<double>(m_clock.nsecsElapsed()) / 1e9;
        return {m_messages, seconds, m_desk.cpu() - m_before};
    }

private:
    const BenchDesk &m_desk;
    qint64 m_mostNs;
    CpuSpent m_before;
    QElapsedTimer m_clock;
    qint64 m_messages = 0;
};

/// Enqueues as asynq's client does: one call of a script for each task.
class OneByOne
{
public:
    [[nodiscard]] Result<void> open(const RedisEndpoint &endpoint)
    {
        if (auto opened = m_connection.open(endpoint, RedisConnection::Access::Act, u"bench"_s,
                                            std::chrono::seconds(30));
            !opened) {
            return opened;
        }
        const auto known = m_connection.command({"SADD", asynq::allQueues, "default"},
                                                u"announcing the queue"_s);
        return known ? m_script.load(m_connection) : passOn(known);
    }
    void append(const EnqueueRequest &request)
    {
        const auto now = std::chrono::system_clock::now().time_since_epoch();
        const QByteArray id = request.id.text.toUtf8();
        m_message.set(request, id);
        m_wire.begin(8);
        m_wire.add("EVALSHA");
        m_wire.add(m_script.sha());
        m_wire.add(qint64{2});
        m_wire.add(m_keys.taskPrefix(), id);
        m_wire.add(m_keys.pending());
        m_message.write(m_wire.addSpace(m_message.bytes()));
        m_wire.add(id);
        m_wire.add(qint64{std::chrono::duration_cast<std::chrono::nanoseconds>(now).count()});
    }
    /// Fails unless every task that was appended has been stored.
    [[nodiscard]] Result<void> send()
    {
        const auto replies = m_connection.exchange(m_wire.bytes(), m_wire.commands());
        m_wire = {};
        if (!replies)
            return passOn(replies);
        for (const RedisReply &reply : *replies) {
            if (reply.integer != 1)
                return fail(Error::Kind::Conflict, u"enqueueing"_s, u"a task was not stored"_s);
        }
        return {};
    }

private:
    RedisConnection m_connection;
    RedisScript m_script{oneTaskScript};
    asynq::QueueKeys m_keys{QueueName{u"default"_s}};
    asynq::EnqueueMessage m_message;
    RedisWire m_wire;
};

QByteArray valueAt(const PGresult *rows, int row, int column)
{
    return {PQgetvalue(rows, row, column), PQgetlength(rows, row, column)};
}

/// BEGIN, the claim, `handle` with its rows, COMMIT; until nothing is left or the time is up.
template <typename Handle>
Result<LegResult> claimWithLibpq(BenchDesk &desk, int batch, double mostSeconds, Handle handle)
{
    PlainPostgres postgres;
    if (auto opened = postgres.open(desk.databaseUrl()); !opened)
        return passOn(opened);
    if (auto prepared = postgres.prepare("claim", articleClaim("outbox")); !prepared)
        return passOn(prepared);
    Lap lap(desk, mostSeconds);
    while (!lap.isOver()) {
        if (const auto begun = postgres.run("BEGIN"); !begun)
            return passOn(begun);
        const auto rows = postgres.runPrepared("claim", batch);
        if (!rows)
            return passOn(rows);
        const int count = PQntuples(rows->get());
        if (const Result<void> handled = handle(rows->get()); !handled)
            return passOn(handled);
        if (const auto committed = postgres.run("COMMIT"); !committed)
            return passOn(committed);
        lap.add(count);
        if (count == 0)
            break;
    }
    return lap.end();
}

Result<LegResult> postgresAlone(BenchDesk &desk, int batch, double mostSeconds)
{
    return claimWithLibpq(desk, batch, mostSeconds,
                          [](const PGresult *) { return Result<void>(); });
}

Result<LegResult> articleLoop(BenchDesk &desk, int batch, double mostSeconds)
{
    OneByOne queue;
    if (auto opened = queue.open(desk.redis()); !opened)
        return passOn(opened);
    return claimWithLibpq(desk, batch, mostSeconds, [&queue](const PGresult *rows) {
        for (int row = 0; row < PQntuples(rows); ++row) {
            const QUuid id = QUuid::fromRfc4122(valueAt(rows, row, 0));
            EnqueueRequest request
                = requestWith(id.toString(QUuid::WithoutBraces), valueAt(rows, row, 2));
            request.type = QString::fromUtf8(valueAt(rows, row, 1));
            queue.append(request);
            if (auto stored = queue.send(); !stored)
                return stored;
        }
        return Result<void>();
    });
}

Result<LegResult> redisAlone(BenchDesk &desk, int batch, double mostSeconds)
{
    OneByOne queue;
    if (auto opened = queue.open(desk.redis()); !opened)
        return passOn(opened);
    QStringList ids; // of all rows, so that no time goes into making them
    for (qint64 row = 0; row < desk.rows(); ++row)
        ids += QUuid::createUuid().toString(QUuid::WithoutBraces);
    const QByteArray payload(200, 'x');
    Lap lap(desk, mostSeconds);
    for (qsizetype next = 0; next < ids.size() && !lap.isOver(); next += batch) {
        const QStringList part = ids.mid(next, batch);
        for (const QString &id : part)
            queue.append(requestWith(id, payload));
        if (auto stored = queue.send(); !stored)
            return passOn(stored);
        lap.add(part.size());
    }
    return lap.end();
}

Result<LegResult> ourRelay(BenchDesk &desk, int batch, double mostSeconds)
{
    constexpr int burstMs = 250; // as the driver has it
    constexpr int pollMs = 500;
    RelaySession relay;
    if (auto opened = openOurs(relay, desk); !opened)
        return passOn(opened);
    Lap lap(desk, mostSeconds);
    RelayBurst burst;
    burst.end = RelayBurst::End::BudgetSpent;
    while (burst.end == RelayBurst::End::BudgetSpent && !lap.isOver()) {
        burst = relay.work(batch, std::numeric_limits<qint64>::max(),
                           std::clamp(lap.leftMs(), 1, burstMs), pollMs, RelayAim::Drained, {});
        for (const RelayStep &step : std::as_const(burst.steps)) {
            if (step.error)
                return tl::unexpected(*step.error);
            lap.add(step.enqueued);
        }
    }
    return lap.end();
}

} // namespace

QByteArray articleClaim(const QByteArray &table)
{
    return "DELETE FROM " + table + " WHERE id IN (SELECT o.id FROM " + table
        + " o ORDER BY id FOR UPDATE SKIP LOCKED LIMIT $1::bigint) RETURNING id, type, payload";
}

EnqueueRequest requestWith(const QString &id, const QByteArray &payload)
{
    EnqueueRequest request;
    request.id.text = id;
    request.queue.text = u"default"_s;
    request.type = u"mail:deliver"_s;
    request.payload = payload;
    request.retentionSeconds = 86'400;
    return request;
}

Result<void> openOurs(RelaySession &relay, const BenchDesk &desk)
{
    OutboxStore looker;
    if (auto opened = looker.open(desk.settings(StoreAccess::ReadOnly)); !opened)
        return opened;
    const auto shape = takeShape(looker, Profile());
    if (!shape)
        return passOn(shape);
    RelayTarget target;
    target.store = desk.settings(StoreAccess::Relay);
    target.shape = *shape;
    target.redis = desk.redis();
    target.rules.queue.text = u"default"_s;
    target.clientName = u"bench"_s;
    target.stateFolder = desk.stateFolder();
    return relay.open(target);
}

Result<LegResult> runLeg(BenchDesk &desk, const Leg &leg, KeyOrder order, double mostSeconds)
{
    const bool usesPostgres = leg.who != Contestant::RedisAlone;
    const bool usesRedis = leg.who != Contestant::PostgresAlone;
    if (auto laid = usesPostgres ? desk.lay(order) : desk.layEmpty(); !laid)
        return passOn(laid);
    if (leg.who == Contestant::FencedRelay) {
        if (auto laid = desk.layFence(); !laid)
            return passOn(laid);
    }
    const auto run = [&]() -> Result<LegResult> {
        switch (leg.who) {
        case Contestant::PostgresAlone:
            return postgresAlone(desk, leg.batch, mostSeconds);
        case Contestant::RedisAlone:
            return redisAlone(desk, leg.batch, mostSeconds);
        case Contestant::Article:
            return articleLoop(desk, leg.batch, mostSeconds);
        case Contestant::Relay:
        case Contestant::FencedRelay:
            break;
        }
        return ourRelay(desk, leg.batch, mostSeconds);
    };
    auto result = run();
    if (!result)
        return result;
    if (result->messages == 0)
        return fail(Error::Kind::Protocol, u"measuring"_s, u"no message was taken"_s);
    if (leg.who == Contestant::FencedRelay) {
        if (auto fenced = desk.expectFenced(); !fenced)
            return passOn(fenced);
    }
    if (usesPostgres) {
        if (auto gone = desk.expectGone(result->messages); !gone)
            return passOn(gone);
    }
    if (usesRedis) {
        if (auto waiting = desk.expectWaiting(result->messages); !waiting)
            return passOn(waiting);
    }
    return result;
}

} // namespace outbox
