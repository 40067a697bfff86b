// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/redis/sentinel/masterwatch.h"

#include "connectors/redis/connection.h"
#include "connectors/redis/mastersearch.h"
#include "connectors/room.h"

#include <QByteArrayList>
#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QTimer>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr auto timeOfQuestion = 300ms; ///< to connect, and to answer
constexpr int roundMs = 20;
constexpr int questionEveryMs = 1000;
/// Of one that did not answer. Others wait while it is tried, and a name may take long: the next
/// try comes no sooner than after so many times what this one took.
constexpr int nextTryMs = 2000;
constexpr qint64 restAfterTry = 5;
constexpr int silenceMs = 5000;
constexpr std::size_t mostWatched = 32; ///< anybody may say that there are more

/// By their full names: a right to channels does not cover patterns.
QByteArrayList watchedChannels()
{
    return {"+switch-master",
            "+try-failover",
            "+selected-slave",
            "-failover-abort-not-elected",
            "-failover-abort-no-good-slave",
            "-failover-abort-slave-timeout"};
}

/// "master NAME …", or "slave … @ NAME …".
bool isAbout(const QByteArrayList &words, const QByteArray &master)
{
    const qsizetype at = words.indexOf(QByteArray("@"));
    return words.value(at < 0 ? 1 : at + 1) == master;
}

} // namespace

/// What one thread says and another one asks for.
struct MasterNews
{
    std::atomic_bool isHeld = false;
    std::atomic_bool hasBegun = false; ///< see `takeHold`
    std::atomic_bool hasMoved = false;
    std::atomic_bool isSilent = false;
};

struct WatchedSentinel
{
    HostPort at;
    RedisConnection questions{};
    RedisConnection events{};
    bool isSubscribed = false;
    QDeadlineTimer next{0}; ///< question, or try to connect
    std::optional<HostPort> master{}; ///< as it said last
    bool failsOver = false; ///< it has begun a failover
    int failoverTimeoutMs = SentinelAnswer().failoverTimeoutMs; ///< as it said last
    QDeadlineTimer heldUntil{0}; ///< at the most
};

/// Lives in its room.
class SentinelListener
{
public:
    void begin(const RedisEndpoint &endpoint, const QString &clientName, MasterNews &news);

private:
    void listenTo(const HostPort &at);
    void round();
    void ask(WatchedSentinel &sentinel);
    void hearAll();
    [[nodiscard]] Result<SentinelAnswer> answerOf(WatchedSentinel &sentinel) const;
    void hear(WatchedSentinel &sentinel);
    void heed(WatchedSentinel &sentinel, const QByteArray &channel, const QByteArray &message);
    /// The sentinel names this node.
    void take(WatchedSentinel &sentinel, const HostPort &master);
    void setHeld(WatchedSentinel &sentinel, bool isHeld);
    void move();

    RedisEndpoint m_endpoint;
    QString m_clientName;
    MasterNews *m_news = nullptr;
    std::vector<std::unique_ptr<WatchedSentinel>> m_sentinels;
    std::optional<HostPort> m_master; ///< the newest that was heard of
    QElapsedTimer m_sinceHeard;
    bool m_isSilenceTold = false;
    QTimer m_rounds;
};

void SentinelListener::begin(const RedisEndpoint &endpoint, const QString &clientName,
                             MasterNews &news)
{
    m_endpoint = endpoint;
    m_clientName = clientName;
    m_news = &news;
    m_sinceHeard.start();
    for (const HostPort &at : endpoint.sentinels->hosts)
        listenTo(at);
    round();
    m_news->hasMoved = false; // nobody has connected yet
    QObject::connect(&m_rounds, &QTimer::timeout, &m_rounds, [this] { round(); });
    m_rounds.start(roundMs);
}

void SentinelListener::listenTo(const HostPort &at)
{
    const bool isKnown = std::any_of(m_sentinels.cbegin(), m_sentinels.cend(),
                                     [&at](const auto &one) { return one->at == at; });
    if (isKnown || m_sentinels.size() >= mostWatched)
        return;
    m_sentinels.push_back(std::make_unique<WatchedSentinel>());
    m_sentinels.back()->at = at;
}

void SentinelListener::round()
{
    for (std::size_t i = 0; i < m_sentinels.size(); ++i) { // the list grows meanwhile
        WatchedSentinel &sentinel = *m_sentinels.at(i);
        hear(sentinel);
        QElapsedTimer asking;
        asking.start();
        ask(sentinel);
        if (asking.hasExpired(roundMs)) // the others have waited for it
            hearAll();
        if (sentinel.failsOver && sentinel.heldUntil.hasExpired())
            move(); // whoever goes on asks for the role first
    }
    if (m_sinceHeard.hasExpired(silenceMs) && !std::exchange(m_isSilenceTold, true))
        m_news->isSilent = true;
}

void SentinelListener::hearAll()
{
    for (const auto &one : m_sentinels)
        hear(*one);
}

Result<SentinelAnswer> SentinelListener::answerOf(WatchedSentinel &sentinel) const
{
    if (!sentinel.questions.isOpen()) {
        TRY(sentinel.questions.open(sentinelEndpoint(m_endpoint, sentinel.at),
                                    RedisConnection::Access::ReadOnly, m_clientName,
                                    timeOfQuestion));
    }
    if (!sentinel.events.isOpen()) {
        sentinel.isSubscribed = false;
        TRY(sentinel.events.open(sentinelEndpoint(m_endpoint, sentinel.at),
                                 RedisConnection::Access::ReadOnly, m_clientName, timeOfQuestion));
        TRY(sentinel.events.subscribe(watchedChannels()));
    }
    return askSentinel(sentinel.questions, m_endpoint.sentinels->master);
}

void SentinelListener::ask(WatchedSentinel &sentinel)
{
    if (!sentinel.next.hasExpired())
        return;
    QElapsedTimer asking;
    asking.start();
    const auto answer = answerOf(sentinel);
    sentinel.next.setRemainingTime(questionEveryMs);
    if (!answer) {
        sentinel.next.setRemainingTime(
            std::max<qint64>(nextTryMs, restAfterTry * asking.elapsed()));
        sentinel.questions.close();
        sentinel.events.close();
        return;
    }
    if (sentinel.isSubscribed) {
        m_sinceHeard.start();
        m_isSilenceTold = false;
    }
    sentinel.failoverTimeoutMs = answer->failoverTimeoutMs;
    if (answer->master) // first: where the master has moved, no hold may end before that is known
        take(sentinel, *answer->master);
    if (answer->failsOver)
        setHeld(sentinel, *answer->failsOver);
    for (const HostPort &other : answer->sentinels)
        listenTo(other);
}

void SentinelListener::hear(WatchedSentinel &sentinel)
{
    if (!sentinel.events.isOpen())
        return;
    const auto came = sentinel.events.messages(0ms);
    if (!came)
        return;
    for (const RedisReply &reply : *came) {
        if (reply.isError()) { // it may not listen
            sentinel.events.close();
            return;
        }
        sentinel.isSubscribed = true;
        if (reply.elements.size() == 3 && reply.elements.first().bytes == "message")
            heed(sentinel, reply.elements.at(1).bytes, reply.elements.at(2).bytes);
    }
}

void SentinelListener::heed(WatchedSentinel &sentinel, const QByteArray &channel,
                            const QByteArray &message)
{
    const QByteArrayList words = message.split(' ');
    const QByteArray name = m_endpoint.sentinels->master.toUtf8();
    if (channel == "+switch-master") { // the name, the old node, the new one
        if (words.size() != 5 || words.first() != name)
            return;
        take(sentinel, {QString::fromUtf8(words.at(3)), words.at(4).toUShort()});
        setHeld(sentinel, false);
    } else if (isAbout(words, name)) {
        setHeld(sentinel, !channel.startsWith("-failover-abort"));
    }
}

void SentinelListener::take(WatchedSentinel &sentinel, const HostPort &master)
{
    // Whoever changes its word counts, though another one said the same before: meanwhile somebody
    // may have connected to the old master by this one's word.
    const bool isNew = sentinel.master ? *sentinel.master != master : m_master != master;
    sentinel.master = master;
    if (!isNew)
        return;
    m_master = master;
    move();
}

void SentinelListener::setHeld(WatchedSentinel &sentinel, bool isHeld)
{
    if (isHeld && !sentinel.failsOver)
        sentinel.heldUntil.setRemainingTime(qint64{3} * sentinel.failoverTimeoutMs);
    sentinel.failsOver = isHeld;
    const bool isAny = std::any_of(m_sentinels.cbegin(), m_sentinels.cend(),
                                   [](const auto &one) { return one->failsOver; });
    if (isAny && !m_news->isHeld)
        m_news->hasBegun = true;
    m_news->isHeld = isAny;
}

void SentinelListener::move()
{
    m_news->hasMoved = true; // before the hold ends: nobody commits in between
    for (const auto &one : m_sentinels)
        one->failsOver = false;
    m_news->isHeld = false;
    m_news->hasBegun = false;
}

struct MasterWatch::Private
{
    MasterNews news;
    Room<SentinelListener> room{u"sentinels"_s}; ///< last member: its thread ends before the rest
};

MasterWatch::MasterWatch(const RedisEndpoint &endpoint, const QString &clientName)
    : d(std::make_unique<Private>())
{
    d->room
        .run([endpoint, clientName, news = &d->news](SentinelListener &listener) {
            listener.begin(endpoint, clientName, *news);
            return true;
        })
        .waitForFinished();
    takeOver();
}

MasterWatch::~MasterWatch() = default;

bool MasterWatch::isHeld() const
{
    return d->news.isHeld;
}

bool MasterWatch::isInDoubt() const
{
    return d->news.isHeld || d->news.hasMoved;
}

bool MasterWatch::takeMove()
{
    return d->news.hasMoved.exchange(false);
}

bool MasterWatch::takeHold()
{
    return d->news.hasBegun.exchange(false);
}

bool MasterWatch::takeSilence()
{
    return d->news.isSilent.exchange(false);
}

std::unique_ptr<MasterWatch> masterWatchOf(const RedisEndpoint &endpoint, const QString &clientName)
{
    return endpoint.sentinels ? std::make_unique<MasterWatch>(endpoint, clientName) : nullptr;
}

} // namespace outbox
