// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/redis/connection.h"

#include "connectors/redis/mastersearch.h"
#include "connectors/redis/reads.h"
#include "connectors/redis/replyreader.h"
#include "connectors/redis/transport.h"
#include "connectors/redis/wire.h"
#include "connectors/traffic.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 bytesPerExtraSecond = 16LL * 1024 * 1024;
constexpr qint64 leastShareMs = 300; ///< of a deadline that others have used up

/// CLIENT SETNAME takes no blanks and nothing outside ASCII.
QByteArray clientNameOf(const QString &name)
{
    QByteArray ascii = name.toLatin1();
    for (char &c : ascii) {
        if (c <= ' ' || c > '~')
            c = '-';
    }
    return ascii;
}

void append(RedisWire &wire, const RedisCommand &command)
{
    wire.begin(command.size());
    for (const QByteArray &argument : command)
        wire.add(argument);
}

} // namespace

struct RedisConnection::Private
{
    RedisEndpoint endpoint;
    Access access = Access::ReadOnly;
    QByteArray clientName;
    std::chrono::milliseconds timeout{3000};
    bool configured = false;
    qint64 timesConnected = 0;
    std::unique_ptr<RedisTransport> transport;
    std::unique_ptr<ReplyReader> reader;
    qsizetype owedReplies = 0; ///< to what `send` has sent
    qint64 owedBytes = 0; ///< how much that was
    bool isKindAsked = false; ///< of this connection's server
    MasterSearch search; ///< where the endpoint is that of sentinels

    [[nodiscard]] QString doing() const { return u"talking to Redis at "_s + endpoint.shown(); }
    void drop()
    {
        transport.reset();
        reader.reset();
        owedReplies = 0;
        owedBytes = 0;
        isKindAsked = false;
    }
    [[nodiscard]] RedisAsker asker(const QByteArray &script = {},
                                   const QByteArray &keys = "asynq:*") const
    {
        return {endpoint.user.isEmpty() ? u"default"_s : endpoint.user, script,
                (access == Access::ReadOnly ? u"%R~"_s : u"~"_s) + QString::fromUtf8(keys)};
    }
    [[nodiscard]] Result<void> mayAct() const
    {
        if (access == Access::Act)
            return {};
        return fail(Error::Kind::Refused, doing(),
                    u"this connection only looks, and takes no commands it cannot read"_s);
    }
    [[nodiscard]] Result<void> connect()
    {
        ++timesConnected;
        drop();
        if (!endpoint.sentinels)
            return connectTo(endpoint, QDeadlineTimer(timeout));
        auto found = search.find(endpoint, QString::fromLatin1(clientName), timeout,
                                 [this](const RedisEndpoint &node, const QDeadlineTimer &deadline) {
                                     return meet(node, deadline);
                                 });
        if (!found && found.error().doing.isEmpty())
            found.error().doing = u"connecting to Redis at "_s + endpoint.shown();
        return found;
    }
    /// Connects to a node that sentinels named; it must call itself a master.
    [[nodiscard]] Result<void> meet(const RedisEndpoint &node, const QDeadlineTimer &deadline)
    {
        TRY(connectTo(node, deadline));
        RedisWire wire;
        append(wire, {"INFO", "replication"});
        const auto told = TRY(exchange(wire.bytes(), 1, timeout));
        const RedisReply &info = told.first();
        if (info.bytes.contains("role:master"))
            return {};
        drop();
        if (info.isError())
            return tl::unexpected(errorFromReply(info, doing(), asker()));
        return fail(Error::Kind::Unreachable, doing(), u"it is no master"_s);
    }
    [[nodiscard]] Result<void> connectTo(const RedisEndpoint &node, const QDeadlineTimer &deadline)
    {
        auto fresh = std::make_unique<RedisTransport>();
        const QString doingThis = u"connecting to Redis at "_s + node.shown();
        TRY(fresh->open(node, deadline, doingThis));
        transport = std::move(fresh);
        reader = std::make_unique<ReplyReader>();

        Result<void> greeted = greet();
        if (!greeted) {
            drop(); // after a refused AUTH too: what came next would run as the default user
            Error &error = greeted.error();
            error.doing = doingThis;
            const bool wasLost = error.kind == Error::Kind::Unreachable && error.code.isEmpty();
            const bool wasGarbage = error.kind == Error::Kind::Protocol && error.code.isEmpty();
            if (wasLost || wasGarbage)
                error.hint = hintForLostGreeting();
            else if (error.kind
                     == Error::Kind::Timeout) // nothing was asked for that could have happened
                error.hint
                    = u"Is it a Redis that listens there? It took the connection and is silent"_s;
        }
        return greeted;
    }
    [[nodiscard]] Result<void> greet()
    {
        RedisWire wire;
        if (!endpoint.user.isEmpty() || !endpoint.password.isEmpty()) {
            RedisCommand auth{"AUTH", endpoint.password.toUtf8()};
            if (!endpoint.user.isEmpty())
                auth.insert(1, endpoint.user.toUtf8());
            append(wire, auth);
            const auto answers = TRY(exchange(wire.bytes(), 1, timeout));
            if (answers.first().isError())
                return tl::unexpected(errorFromReply(answers.first(), doing()));
            wire = {};
        }
        append(wire, {"CLIENT", "SETNAME", clientName});
        if (endpoint.database != 0) // a viewer's ACL need not hold SELECT
            append(wire, {"SELECT", QByteArray::number(endpoint.database)});
        const auto answers = TRY(exchange(wire.bytes(), wire.commands(), timeout));
        // The name is a courtesy: a user without the right to set one is welcome all the same.
        const RedisReply &named = answers.first();
        if (named.isError() && errorWord(named) != "NOPERM")
            return tl::unexpected(errorFromReply(named, doing(), asker()));
        if (answers.last().isError() && answers.size() > 1)
            return tl::unexpected(errorFromReply(answers.last(), doing(), asker()));
        return {};
    }
    [[nodiscard]] QString hintForLostGreeting() const
    {
        switch (endpoint.transport) {
        case RedisEndpoint::Transport::Unix:
            return u"Is it a Redis that listens there?"_s;
        case RedisEndpoint::Transport::Tcp:
            return u"This looks like a TLS port: try rediss://, rediss+sentinel:// or "
                   "rediss+cluster://"_s;
        case RedisEndpoint::Transport::Tls:
            break;
        }
        return endpoint.certificateFile.isEmpty()
            ? u"The server closed right after the handshake: does it require a client certificate "
              u"(cert=, key=)?"_s
            : u"The server closed right after the handshake: does it accept this client certificate?"_s;
    }
    [[nodiscard]] Result<QList<RedisReply>> exchange(const QByteArray &wire, qsizetype replies,
                                                     std::chrono::milliseconds limit)
    {
        if (owedReplies > 0)
            return fail(Error::Kind::Refused, doing(), u"other replies have to be read first"_s);
        TRY(send(wire, replies));
        return receive(limit);
    }
    [[nodiscard]] Result<void> send(const QByteArray &wire, qsizetype replies)
    {
        if (!transport)
            return fail(Error::Kind::Unreachable, doing(), u"the connection is closed"_s);
        transport->send(wire);
        owedReplies += replies;
        owedBytes += wire.size();
        return {};
    }
    [[nodiscard]] Result<QList<RedisReply>> receive(std::chrono::milliseconds limit)
    {
        if (!transport)
            return fail(Error::Kind::Unreachable, doing(), u"the connection is closed"_s);
        const QDeadlineTimer deadline(limit
                                      + std::chrono::seconds(owedBytes / bytesPerExtraSecond));
        Result<QList<RedisReply>> answers = readReplies(owedReplies, deadline);
        owedReplies = 0;
        owedBytes = 0;
        if (!answers) {
            drop(); // a late reply would answer the next question
        } else if (isSentinel(*answers)) {
            drop();
            return fail(Error::Kind::Refused, doing(),
                        u"this is a Sentinel, which holds no queue"_s, {},
                        u"Name the sentinels, and what they call the master: "_s + sentinelForm());
        }
        return answers;
    }
    [[nodiscard]] Result<QList<RedisReply>> messages(QDeadlineTimer patience)
    {
        if (!transport)
            return fail(Error::Kind::Unreachable, doing(), u"the connection is closed"_s);
        QList<RedisReply> came;
        const auto bytes = transport->receive(patience, doing());
        if (!bytes && bytes.error().kind == Error::Kind::Timeout)
            return came;
        if (!bytes) {
            drop();
            return passOn(bytes);
        }
        const bool isSound = reader->feed(*bytes);
        while (auto reply = reader->next())
            came += *std::move(reply);
        if (!isSound || !reader->error().isEmpty()) {
            const QString why = reader->error();
            drop();
            return fail(Error::Kind::Protocol, doing(),
                        u"what came is no answer of Redis: "_s + why);
        }
        return came;
    }
    [[nodiscard]] Result<QList<RedisReply>> readReplies(qsizetype replies, QDeadlineTimer deadline)
    {
        qint64 credit = bytesPerExtraSecond;
        QList<RedisReply> answers;
        answers.reserve(replies);
        while (answers.size() < replies) {
            const QByteArray bytes = TRY(transport->receive(deadline, doing()));
            credit -= bytes.size();
            trafficOfThread().bytes += bytes.size();
            if (credit < 0) { // a large reply may take longer as long as it flows
                credit += bytesPerExtraSecond;
                deadline += 1000;
            }
            if (reader->feed(bytes)) {
                while (answers.size() < replies) {
                    std::optional<RedisReply> reply = reader->next();
                    if (!reply)
                        break;
                    answers += *std::move(reply);
                }
            }
            if (!reader->error().isEmpty()) {
                return fail(Error::Kind::Protocol, doing(),
                            u"what came is no answer of Redis: "_s + reader->error());
            }
        }
        if (!reader->isEmpty())
            return fail(Error::Kind::Protocol, doing(), u"more came than was asked for"_s);
        trafficOfThread().statements += replies;
        return answers;
    }
    /// The address that is right where a Sentinel answers at this one.
    [[nodiscard]] QString sentinelForm() const
    {
        const bool isTls = endpoint.transport == RedisEndpoint::Transport::Tls;
        const QString at = endpoint.socketPath.isEmpty()
            ? HostPort{endpoint.host, endpoint.port}.text()
            : u"HOST:26379"_s;
        return u"%1+sentinel://%2/NAME/%3"_s.arg(isTls ? u"rediss"_s : u"redis"_s, at,
                                                 QString::number(endpoint.database));
    }
    /// Asks the server, once for each connection, where an answer makes one doubt that it is a
    /// Redis: a Sentinel knows none of the commands that queues are read and written with.
    [[nodiscard]] bool isSentinel(const QList<RedisReply> &answers)
    {
        const bool isDoubted
            = std::any_of(answers.cbegin(), answers.cend(), [](const RedisReply &answer) {
                  return answer.isError() && errorWord(answer) == "UNKNOWNCOMMAND";
              });
        if (!isDoubted || std::exchange(isKindAsked, true))
            return false;
        RedisWire wire;
        append(wire, {"INFO", "server"});
        transport->send(wire.bytes());
        const auto told = readReplies(1, QDeadlineTimer(timeout));
        if (!told)
            drop(); // as above
        return told && told->first().bytes.contains("redis_mode:sentinel");
    }
};

RedisConnection::RedisConnection() : d(std::make_unique<Private>())
{ }

RedisConnection::~RedisConnection() = default;

Result<void> RedisConnection::open(const RedisEndpoint &endpoint, Access access,
                                   const QString &clientName, std::chrono::milliseconds timeout)
{
    if (endpoint.isCluster()) { // not Unsupported, by which verbs go on without a queue
        return fail(Error::Kind::Refused, u"connecting to Redis at "_s + endpoint.shown(),
                    u"a Cluster has several nodes, and this is done at one"_s, {},
                    u"Use a Redis that is no Cluster for it"_s);
    }
    d->endpoint = endpoint;
    d->search = {};
    d->access = access;
    d->clientName = clientNameOf(clientName);
    d->timeout = timeout;
    d->configured = true;
    return d->connect();
}

Result<void> RedisConnection::ensureOpen()
{
    if (!d->configured)
        return fail(Error::Kind::Invalid, u"opening Redis"_s, u"no Redis was named"_s);
    if (d->transport && d->transport->isStale())
        d->drop();
    return d->transport ? Result<void>() : d->connect();
}

void RedisConnection::close()
{
    d->drop();
}

bool RedisConnection::isOpen() const
{
    return d->transport != nullptr;
}

qint64 RedisConnection::timesConnected() const
{
    return d->timesConnected;
}

const RedisEndpoint &RedisConnection::endpoint() const
{
    return d->endpoint;
}

RedisAsker RedisConnection::asker(const QByteArray &script, const QByteArray &keys) const
{
    return d->asker(script, keys);
}

Result<QList<RedisReply>> RedisConnection::pipeline(const QList<RedisCommand> &commands)
{
    return pipeline(commands, d->timeout);
}

Result<QList<RedisReply>> RedisConnection::pipeline(const QList<RedisCommand> &commands,
                                                    std::chrono::milliseconds timeout)
{
    RedisWire wire;
    for (const RedisCommand &command : commands) {
        if (d->access == Access::ReadOnly && !onlyReads(command)) {
            return fail(Error::Kind::Refused, d->doing(),
                        u"%1 is no reading command, and this connection only looks"_s.arg(
                            QString::fromUtf8(command.value(0))));
        }
        append(wire, command);
    }
    return d->exchange(wire.bytes(), wire.commands(), timeout);
}

Result<QList<RedisReply>> RedisConnection::exchange(const QByteArray &wire, qsizetype replies)
{
    TRY(d->mayAct());
    return d->exchange(wire, replies, d->timeout);
}

Result<void> RedisConnection::send(const QByteArray &wire, qsizetype replies)
{
    const Result<void> may = d->mayAct();
    return may ? d->send(wire, replies) : may;
}

Result<QList<RedisReply>> RedisConnection::receive()
{
    return d->receive(d->timeout);
}

Result<QList<RedisReply>> RedisConnection::receive(const QDeadlineTimer &deadline)
{
    return d->receive(std::chrono::milliseconds(std::max(leastShareMs, deadline.remainingTime())));
}

Result<void> RedisConnection::subscribe(const QByteArrayList &channels)
{
    RedisWire wire;
    append(wire, QByteArrayList{"SUBSCRIBE"} + channels);
    return d->send(wire.bytes(), 0);
}

Result<QList<RedisReply>> RedisConnection::messages(std::chrono::milliseconds patience)
{
    return d->messages(QDeadlineTimer(patience));
}

Result<RedisReply> RedisConnection::command(const RedisCommand &command, const QString &what)
{
    Result<QList<RedisReply>> answers = pipeline({command});
    if (!answers) {
        answers.error().doing = what;
        return passOn(answers);
    }
    if (answers->first().isError())
        return tl::unexpected(errorFromReply(answers->first(), what, asker()));
    return answers->first();
}

} // namespace outbox
