// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/crash/designcells.h"

#include "connectors/redis/connection.h"
#include "models/designs/outboxstate.h"
#include "tests/support/redisqueue.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>

#include <csignal>

namespace outbox::crash {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int messages = 2; ///< that the business logic makes
const QByteArray taskPrefix = "asynq:{default}:t:";

RedisConnection &connectionTo(const PrivateRedis &redis)
{
    static RedisConnection connection;
    if (!connection.isOpen()) {
        const auto opened = connection.open(RedisEndpoint::fromUrl(redis.url()).value(),
                                            RedisConnection::Access::Act, u"cells"_s);
        if (!opened)
            qFatal("%s", qPrintable(oneLine(opened.error())));
    }
    return connection;
}

RedisReply asked(RedisConnection &connection, const RedisCommand &command)
{
    const auto reply = connection.command(command, u"counting"_s);
    if (!reply)
        qFatal("%s", qPrintable(oneLine(reply.error())));
    return *reply;
}

} // namespace

TestDesign::TestDesign(Databases &databases, PrivateRedis &redis, DesignCase what)
    : m_redis(redis), m_case(std::move(what)), m_url(databases.fresh(m_case.dialect)),
      m_urlText(databases.addressOf(m_url)), m_side(m_url)
{
    m_side.all(
        {u"CREATE TABLE done (id text PRIMARY KEY)"_s,
         u"CREATE TABLE tokens (id text PRIMARY KEY, attempt text, incoming text)"_s,
         u"CREATE TABLE entities (id text PRIMARY KEY, version bigint NOT NULL, document %1)"_s.arg(
             testWords(m_case.dialect).jsonType)});
}

void TestDesign::begin()
{
    ++m_number;
    m_executed.clear();
    asked(connectionTo(m_redis), {"FLUSHDB"});
    if (m_case.done == u"tokens set") {
        asked(connectionTo(m_redis), {"SADD", "tokens", "in-" + QByteArray::number(m_number)});
    } else if (m_case.design == Design::Tokens) {
        m_side.all({u"DELETE FROM tokens"_s,
                    u"INSERT INTO tokens (id) VALUES ('in-%1')"_s.arg(QString::number(m_number))});
    }
}

std::unique_ptr<RelayProcess> TestDesign::start(const Life &life)
{
    QStringList arguments{u"--database"_s, m_urlText,
                          u"--redis"_s,    m_redis.url(),
                          u"--design"_s,   word(m_case.design),
                          u"--document"_s, u"e-%1"_s.arg(m_number),
                          u"--incoming"_s, u"m-%1"_s.arg(m_number)};
    QStringList steps;
    for (const HandlerStep step : std::as_const(m_case.steps))
        steps += QString::number(static_cast<int>(step));
    if (!steps.isEmpty())
        arguments += {u"--steps"_s, steps.join(u',')};
    if (life.stopAt >= 0)
        arguments += {u"--stop-at"_s, QString::number(life.stopAt)};
    if (life.relay)
        arguments += u"--relay"_s;
    if (!m_case.done.isEmpty())
        arguments += {u"--done"_s, m_case.done, u"--ttl"_s, QString::number(m_case.ttlMs)};
    if (m_case.design == Design::Tokens)
        arguments += {u"--token"_s, u"in-%1"_s.arg(m_number)};
    if (m_case.stale)
        arguments += u"--stale"_s;
    auto process = std::make_unique<RelayProcess>();
    if (auto launched = process->launch(QStringLiteral(DESIGNCHILD), arguments); !launched)
        qFatal("%s", qPrintable(oneLine(launched.error())));
    return process;
}

void TestDesign::end(RelayProcess &process, QStringList &broken)
{
    if (process.end() != 0)
        broken += u"a life ended badly: "_s + QString::fromUtf8(process.complaints());
}

QStringList TestDesign::points(bool relay, int after)
{
    begin();
    if (relay) {
        const auto receiver = start({after, false, false});
        if (!receiver->heard("at\n"))
            qFatal("the receiver has no point %d", after);
        receiver->tell(SIGKILL);
        static_cast<void>(receiver->end());
    }
    const auto process = start({-1, relay, false});
    if (process->end() != 0)
        qFatal("%s", process->complaints().constData());
    QStringList names;
    for (const QByteArray &line : process->complaints().split('\n')) {
        if (line.startsWith("point "))
            names += QString::fromLatin1(line.mid(6));
    }
    return names;
}

QStringList TestDesign::broken(const QList<Life> &lives, bool copyAtEnd)
{
    begin();
    QStringList broken;
    std::vector<std::unique_ptr<RelayProcess>> standing;
    for (const Life &life : lives) {
        auto process = start(life);
        // What was done before its point comes may be all there is to do.
        const bool stands = life.stopAt >= 0 && process->heard("at\n");
        receive();
        if (stands && life.goesOn) {
            standing.push_back(std::move(process));
            continue;
        }
        if (stands) {
            process->tell(SIGKILL);
            static_cast<void>(process->end());
        } else {
            end(*process, broken);
        }
        for (const auto &waiting : standing) {
            waiting->goOn();
            end(*waiting, broken);
            receive();
        }
        standing.clear();
    }
    if (m_case.ttlMs > 0)
        awaitExpiry();
    if (copyAtEnd)
        end(*start({}), broken);
    if (m_case.design != Design::EntityState) // takes away what a crash has leaked
        end(*start({-1, true, false}), broken);
    judge(broken);
    return broken;
}

bool TestDesign::consume(const QString &token)
{
    if (m_case.done == u"tokens set")
        return asked(connectionTo(m_redis), {"SREM", "tokens", token.toUtf8()}).integer == 1;
    return !m_side.run(u"DELETE FROM tokens WHERE id = '%1' RETURNING id"_s.arg(token)).isEmpty();
}

void TestDesign::receive()
{
    if (m_case.design != Design::Tokens)
        return;
    const QMap<QString, QByteArray> found = tasks();
    for (auto task = found.cbegin(); task != found.cend(); ++task) {
        if (consume(task.key()))
            ++m_executed[task.value()];
    }
}

void TestDesign::awaitExpiry()
{
    const QByteArray key = "done:m-" + QByteArray::number(m_number);
    while (asked(connectionTo(m_redis), {"EXISTS", key}).integer == 1) { }
}

QMap<QString, QByteArray> TestDesign::tasks()
{
    RedisConnection &connection = connectionTo(m_redis);
    QMap<QString, QByteArray> found;
    for (const RedisReply &key : asked(connection, {"KEYS", taskPrefix + "*"}).elements) {
        const auto message = asynq::decode(asked(connection, {"HGET", key.bytes, "msg"}).bytes);
        if (!message)
            qFatal("a task cannot be read");
        found.insert(QString::fromUtf8(key.bytes.mid(taskPrefix.size())), message->payload);
    }
    return found;
}

void TestDesign::judge(QStringList &broken)
{
    const QByteArray document
        = m_side.one(u"SELECT document FROM entities WHERE id = 'e-%1'"_s.arg(m_number)).toUtf8();
    const int applied = QJsonDocument::fromJson(document).object().value(u"Applied"_s).toInt();
    if (applied == 0)
        broken += u"state lost"_s;
    if (applied > 1)
        broken += u"state changed twice"_s;
    receive();
    QSet<QByteArray> outputs;
    for (const QByteArray &payload : tasks()) {
        if (m_case.design != Design::Tokens || m_executed.contains(payload))
            outputs.insert(payload);
    }
    for (const int times : std::as_const(m_executed)) {
        if (times > 1)
            broken += u"executed twice"_s;
    }
    if (m_case.design == Design::Tokens) {
        m_garbage += m_case.done == u"tokens set"
            ? int(asked(connectionTo(m_redis), {"SCARD", "tokens"}).integer)
            : m_side.one(u"SELECT count(*) FROM tokens"_s).toInt();
    }
    if (outputs.size() < messages)
        broken += u"output lost"_s;
    if (outputs.size() > messages)
        broken += u"outputs differ"_s;
    const auto state = OutboxState::read(document, DocumentShape());
    const OutboxEntry *entry = state ? state->entry(u"m-%1"_s.arg(m_number)) : nullptr;
    if (m_case.design == Design::EntityState
        && (!entry || entry->state != OutboxEntry::State::Dispatched))
        broken += u"entry not null"_s;
    if (m_case.design != Design::EntityState && entry)
        broken += u"entry left"_s;
}

} // namespace outbox::crash
