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

/// Where the servers of a list are, as SENTINEL sentinels and replicas have it.
QList<HostPort> placesIn(const RedisReply &list)
{
    QList<HostPort> places;
    for (const RedisReply &one : list.elements) {
        const auto pairs = pairsOf(one);
        const HostPort at = hostPortOf(pairs.value("ip"), pairs.value("port"));
        if (!at.host.isEmpty() && at.port > 0)
            places += at;
    }
    return places;
}

/// For sentinels that contradict each other.
QString hintForOthers()
{
    return u"Name sentinels of the same servers only: some of these watch others"_s;
}

/// A sentinel may have a name for what others have an address of.
bool nameSame(const SentinelAnswer &one, const SentinelAnswer &other)
{
    return one.master == other.master || (!one.runId.isEmpty() && one.runId == other.runId);
}

/// Both tell which server they watch, it is not one, and neither knows it as a replica.
bool watchOthers(const SentinelAnswer &one, const SentinelAnswer &other)
{
    const auto isReplicaOf = [](const SentinelAnswer &named, const SentinelAnswer &by) {
        return named.master && by.replicas.contains(*named.master);
    };
    return !nameSame(one, other) && !one.runId.isEmpty() && !other.runId.isEmpty()
        && !isReplicaOf(one, other) && !isReplicaOf(other, one);
}

/// Whether a sentinel may know the node that another one names. One without replicas may know any:
/// it does not tell them, or was started anew and waits for a master that is gone.
bool mayKnow(const SentinelAnswer &answer, const SentinelAnswer &named)
{
    return nameSame(answer, named) || answer.replicas.isEmpty()
        || answer.replicas.contains(*named.master);
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
    if (!endpoint.sentinels->tls) {
        for (QString RedisEndpoint::*ofTls :
             {&RedisEndpoint::caFile, &RedisEndpoint::certificateFile, &RedisEndpoint::keyFile,
              &RedisEndpoint::serverName})
            (sentinel.*ofTls).clear();
    }
    return sentinel;
}

Result<SentinelAnswer> askSentinel(RedisConnection &connection, const QString &master)
{
    const QString doing = u"asking a sentinel"_s;
    const QByteArray name = master.toUtf8();
    const auto replies = TRY(connection.pipeline({{"SENTINEL", "get-master-addr-by-name", name},
                                                  {"SENTINEL", "master", name},
                                                  {"SENTINEL", "sentinels", name},
                                                  {"SENTINEL", "replicas", name}}));
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
    answer.runId = facts.value("runid");
    answer.epoch = facts.value("config-epoch").toLongLong();
    if (!facts.isEmpty()) {
        const QByteArray state = facts.value("failover-state");
        answer.failsOver
            = !QByteArrayList{"", "none", "reconf_slaves", "update_config"}.contains(state);
    }
    if (const int timeout = facts.value("failover-timeout").toInt(); timeout > 0)
        answer.failoverTimeoutMs = timeout;
    answer.sentinels = placesIn(replies.at(2));
    answer.replicas = placesIn(replies.last());
    return answer;
}

/// What was heard in one search.
struct MasterSearch::Hearing
{
    struct Heard
    {
        HostPort by;
        SentinelAnswer answer; ///< which names a master
    };
    struct Named
    {
        HostPort node;
        Heard first; ///< who names it
        qsizetype votes = 0; ///< how many name it, by this address or by another one
    };
    QStringList said; ///< by each sentinel, for people
    QStringList known; ///< names of masters
    QList<Heard> heard;
    QString hint; ///< what may help those that did not answer; empty: nothing is known
    bool isUnknown = false; ///< a sentinel does not know the name
    bool isRefused = false; ///< a sentinel lets nobody in
    bool isUntrusted = false; ///< the certificate of a sentinel is not accepted

    void take(const HostPort &by, const SentinelAnswer &answer);
    void miss(const HostPort &by, const Error &error);
    /// Different nodes, by those whose configuration is the newest; first what most of them name.
    [[nodiscard]] QList<Named> newest() const;
    /// Most sentinels do not know this node.
    [[nodiscard]] bool isStrange(const Named &named) const;
    /// Those of the newest that may be met. Fails where sentinels contradict each other.
    [[nodiscard]] Result<QList<Named>> usable();
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
    heard += Heard{by, answer};
}

void MasterSearch::Hearing::miss(const HostPort &by, const Error &error)
{
    said += QString(by.text() + u": "_s + error.text);
    const bool isRefusal = error.kind == Error::Kind::Refused;
    isRefused = isRefused || (isRefusal && !error.code.isEmpty());
    isUntrusted = isUntrusted || (isRefusal && error.code.isEmpty());
    if (!error.hint.isEmpty() && (hint.isEmpty() || isRefusal))
        hint = error.hint;
}

QList<MasterSearch::Hearing::Named> MasterSearch::Hearing::newest() const
{
    qint64 epoch = -1;
    for (const Heard &one : heard)
        epoch = std::max(epoch, one.answer.epoch);
    QList<Named> found;
    for (const Heard &one : heard) {
        const HostPort node = one.answer.master.value_or(HostPort());
        const bool isListed
            = std::any_of(found.cbegin(), found.cend(),
                          [&node](const Named &other) { return other.node == node; });
        if (one.answer.epoch < epoch || isListed)
            continue;
        const auto votes
            = std::count_if(heard.cbegin(), heard.cend(), [&one, epoch](const Heard &other) {
                  return other.answer.epoch == epoch && nameSame(other.answer, one.answer);
              });
        found += Named{node, one, votes};
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Named &a, const Named &b) { return a.votes > b.votes; });
    return found;
}

bool MasterSearch::Hearing::isStrange(const Named &named) const
{
    const auto knowing = std::count_if(heard.cbegin(), heard.cend(), [&named](const Heard &one) {
        return mayKnow(one.answer, named.first.answer);
    });
    return 2 * knowing < heard.size();
}

Result<QList<MasterSearch::Hearing::Named>> MasterSearch::Hearing::usable()
{
    QList<Named> found;
    const QList<Named> all = newest();
    for (const Named &named : all) {
        if (isStrange(named)) {
            said += QString(named.node.text() + u": most sentinels do not know it"_s);
            hint = hintForOthers();
        } else {
            found += named;
        }
    }
    const bool isSplit = std::any_of(found.cbegin(), found.cend(), [&found](const Named &named) {
        const Named &first = found.constFirst();
        return named.votes == first.votes && watchOthers(named.first.answer, first.first.answer);
    });
    if (isSplit) {
        return fail(Error::Kind::Unreachable, {},
                    u"the sentinels name two masters: "_s + said.join(u"; "_s), {},
                    hintForOthers());
    }
    return found;
}

Failure MasterSearch::Hearing::failure(const QString &master) const
{
    if (heard.isEmpty() && isUnknown) {
        QStringList names = known;
        names.removeDuplicates();
        return fail(Error::Kind::Invalid, {}, u"the sentinels know no master \"%1\""_s.arg(master),
                    {},
                    names.isEmpty() ? u"Name one that they watch: SENTINEL masters lists them"_s
                                    : u"They know "_s + names.join(u", "_s));
    }
    const bool isLockedOut = heard.isEmpty() && isRefused;
    const bool isShut = isLockedOut || (heard.isEmpty() && isUntrusted);
    return fail(isShut ? Error::Kind::Refused : Error::Kind::Unreachable, {},
                u"the sentinels name no master that is one: "_s + said.join(u"; "_s), {},
                isLockedOut ? u"The sentinels have a user and a password of their own: "
                              "sentinel_user= and redis-sentinel-password"_s
                            : hint);
}

Result<void> MasterSearch::hear(const RedisEndpoint &endpoint, const QString &clientName,
                                std::chrono::milliseconds timeout, Hearing &hearing)
{
    const QDeadlineTimer half(timeout / 2); // the rest is the node's, where one is named by then
    const QDeadlineTimer whole(timeout);
    QList<HostPort> silent;
    for (qsizetype i = 0; i < m_sentinels.size(); ++i) { // the list grows meanwhile
        if (whole.hasExpired() || (half.hasExpired() && !hearing.heard.isEmpty()))
            break;
        const HostPort at = m_sentinels.at(i);
        RedisConnection sentinel;
        const auto opened
            = sentinel.open(sentinelEndpoint(endpoint, at), RedisConnection::Access::ReadOnly,
                            clientName, std::min(timeout, timeOfSentinel));
        if (!opened && opened.error().kind == Error::Kind::Invalid)
            return passOn(opened); // our own files, which are the same for all
        const auto answer = opened ? askSentinel(sentinel, endpoint.sentinels->master)
                                   : Result<SentinelAnswer>(passOn(opened));
        if (!answer) {
            silent += at;
            hearing.miss(at, answer.error());
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
    return {};
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
    TRY(hear(endpoint, clientName, timeout, hearing));
    const QList<Hearing::Named> usable = TRY(hearing.usable());
    for (const Hearing::Named &named : usable) {
        RedisEndpoint node = endpoint;
        node.sentinels.reset();
        node.host = named.node.host;
        node.port = named.node.port;
        auto met = meet(node, deadline);
        if (met) {
            moveTo(0, named.first.by);
            return {};
        }
        if (met.error().kind != Error::Kind::Unreachable
            && met.error().kind != Error::Kind::Timeout)
            return met;
        moveTo(m_sentinels.size() - 1, named.first.by);
        hearing.said += QString(named.node.text() + u": "_s + met.error().text);
        if (!met.error().hint.isEmpty())
            hearing.hint = met.error().hint;
    }
    return hearing.failure(endpoint.sentinels->master);
}

} // namespace outbox
