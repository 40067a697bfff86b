// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/redis/mastersearch.h"

#include "connectors/redis/connection.h"

#include <QByteArrayList>
#include <QHash>

#include <algorithm>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr auto timeOfSentinel = 300ms; ///< to connect, and to answer
constexpr qsizetype mostSentinels = 32; ///< anybody may say that there are more

HostPort hostPortOf(const QByteArray &host, const QByteArray &port)
{
    return {QString::fromUtf8(host), port.toUShort()};
}

/// Names and values that stand behind each other.
QHash<QByteArray, QByteArray> pairsOf(const RedisReply &reply)
{
    QHash<QByteArray, QByteArray> pairs;
    for (qsizetype i = 1; i < reply.elements.size(); i += 2)
        pairs.insert(reply.elements.at(i - 1).bytes, reply.elements.at(i).bytes);
    return pairs;
}

/// The names that it watches; none where it does not tell.
QStringList mastersOf(RedisConnection &connection)
{
    QStringList names;
    const auto replies = connection.pipeline({{"SENTINEL", "masters"}});
    if (!replies)
        return names;
    for (const RedisReply &master : replies->first().elements)
        names += QString::fromUtf8(pairsOf(master).value("name"));
    return names;
}

} // namespace

RedisEndpoint sentinelEndpoint(const RedisEndpoint &endpoint, const HostPort &at)
{
    RedisEndpoint sentinel = endpoint;
    sentinel.sentinels.reset();
    sentinel.transport
        = endpoint.sentinels->tls ? RedisEndpoint::Transport::Tls : RedisEndpoint::Transport::Tcp;
    sentinel.host = at.host;
    sentinel.port = at.port;
    sentinel.user = endpoint.sentinels->user;
    sentinel.password = endpoint.sentinels->password;
    sentinel.database = 0;
    return sentinel;
}

Result<SentinelAnswer> askSentinel(RedisConnection &connection, const QString &master)
{
    const QString doing = u"asking a sentinel"_s;
    const QByteArray name = master.toUtf8();
    const auto replies = TRY(connection.pipeline({{"SENTINEL", "get-master-addr-by-name", name},
                                                  {"SENTINEL", "master", name},
                                                  {"SENTINEL", "sentinels", name}}));
    const RedisReply &place = replies.first();
    if (errorWord(place) == "UNKNOWNCOMMAND")
        return fail(Error::Kind::Unsupported, doing, u"it is no sentinel"_s);
    if (place.isError())
        return tl::unexpected(errorFromReply(place, doing));
    SentinelAnswer answer;
    if (place.elements.size() != 2) {
        answer.known = mastersOf(connection);
        return answer;
    }
    answer.master = hostPortOf(place.elements.first().bytes, place.elements.last().bytes);
    const auto facts = pairsOf(replies.at(1)); // none where its user may not ask for them
    answer.epoch = facts.value("config-epoch").toLongLong();
    if (!facts.isEmpty()) {
        const QByteArray state = facts.value("failover-state");
        answer.failsOver
            = !QByteArrayList{"", "none", "reconf_slaves", "update_config"}.contains(state);
    }
    if (const int timeout = facts.value("failover-timeout").toInt(); timeout > 0)
        answer.failoverTimeoutMs = timeout;
    for (const RedisReply &other : replies.last().elements) {
        const auto pairs = pairsOf(other);
        const HostPort at = hostPortOf(pairs.value("ip"), pairs.value("port"));
        if (!at.host.isEmpty() && at.port > 0)
            answer.sentinels += at;
    }
    return answer;
}

/// What was heard in one search.
struct MasterSearch::Hearing
{
    struct Named
    {
        HostPort node;
        HostPort by;
    };
    QStringList said; ///< by each sentinel, for people
    QStringList known; ///< names of masters
    QList<Named> newest; ///< different nodes, by those whose configuration is the newest
    qint64 epoch = -1; ///< of that configuration
    bool isUnknown = false; ///< a sentinel does not know the name
    bool isRefused = false; ///< a sentinel lets nobody in

    void take(const HostPort &by, const SentinelAnswer &answer);
    [[nodiscard]] Failure failure(const QString &master) const;
};

void MasterSearch::Hearing::take(const HostPort &by, const SentinelAnswer &answer)
{
    if (!answer.master) {
        isUnknown = true;
        known += answer.known;
        said += QString(by.text() + u" does not know the name"_s);
        return;
    }
    said += QString(by.text() + u" names "_s + answer.master->text());
    if (answer.epoch > epoch)
        newest.clear();
    epoch = std::max(epoch, answer.epoch);
    const bool isNew = std::none_of(newest.cbegin(), newest.cend(), [&answer](const Named &one) {
        return one.node == *answer.master;
    });
    if (answer.epoch == epoch && isNew)
        newest += Named{*answer.master, by};
}

Failure MasterSearch::Hearing::failure(const QString &master) const
{
    if (newest.isEmpty() && isUnknown) {
        QStringList names = known;
        names.removeDuplicates();
        return fail(Error::Kind::Invalid, {}, u"the sentinels know no master \"%1\""_s.arg(master),
                    {},
                    names.isEmpty() ? u"Name one that they watch: SENTINEL masters lists them"_s
                                    : u"They know "_s + names.join(u", "_s));
    }
    const bool isLockedOut = newest.isEmpty() && isRefused;
    return fail(isLockedOut ? Error::Kind::Refused : Error::Kind::Unreachable, {},
                u"the sentinels name no master that is one: "_s + said.join(u"; "_s), {},
                isLockedOut ? u"The sentinels have a user and a password of their own: "
                              "sentinel_user= and redis-sentinel-password"_s
                            : QString());
}

void MasterSearch::hear(const RedisEndpoint &endpoint, const QString &clientName,
                        std::chrono::milliseconds timeout, Hearing &hearing)
{
    const QDeadlineTimer half(timeout / 2); // the rest is the node's, where one is named by then
    const QDeadlineTimer whole(timeout);
    QList<HostPort> silent;
    for (qsizetype i = 0; i < m_sentinels.size(); ++i) { // the list grows meanwhile
        if (whole.hasExpired() || (half.hasExpired() && !hearing.newest.isEmpty()))
            break;
        const HostPort at = m_sentinels.at(i);
        RedisConnection sentinel;
        const auto opened
            = sentinel.open(sentinelEndpoint(endpoint, at), RedisConnection::Access::ReadOnly,
                            clientName, std::min(timeout, timeOfSentinel));
        const auto answer = opened ? askSentinel(sentinel, endpoint.sentinels->master)
                                   : Result<SentinelAnswer>(passOn(opened));
        if (!answer) {
            silent += at;
            hearing.isRefused = hearing.isRefused || answer.error().kind == Error::Kind::Refused;
            hearing.said += QString(at.text() + u": "_s + answer.error().text);
            continue;
        }
        hearing.take(at, *answer);
        for (const HostPort &other : answer->sentinels) {
            if (m_sentinels.size() < mostSentinels && !m_sentinels.contains(other))
                m_sentinels += other;
        }
    }
    for (const HostPort &one : std::as_const(silent))
        moveTo(m_sentinels.size() - 1, one);
}

void MasterSearch::moveTo(qsizetype place, const HostPort &sentinel)
{
    m_sentinels.move(m_sentinels.indexOf(sentinel), place);
}

Result<void> MasterSearch::find(const RedisEndpoint &endpoint, const QString &clientName,
                                std::chrono::milliseconds timeout, const Meet &meet)
{
    const QDeadlineTimer deadline(timeout);
    if (m_sentinels.isEmpty())
        m_sentinels = endpoint.sentinels->hosts;
    Hearing hearing;
    hear(endpoint, clientName, timeout, hearing);
    for (const Hearing::Named &named : std::as_const(hearing.newest)) {
        RedisEndpoint node = endpoint;
        node.sentinels.reset();
        node.host = named.node.host;
        node.port = named.node.port;
        auto met = meet(node, deadline);
        if (met) {
            moveTo(0, named.by);
            return {};
        }
        if (met.error().kind != Error::Kind::Unreachable
            && met.error().kind != Error::Kind::Timeout)
            return met;
        moveTo(m_sentinels.size() - 1, named.by);
        hearing.said += QString(named.node.text() + u": "_s + met.error().text);
    }
    return hearing.failure(endpoint.sentinels->master);
}

} // namespace outbox
