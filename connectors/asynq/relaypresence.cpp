// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/relaypresence.h"

#include "connectors/asynq/scripts.h"
#include "connectors/asynq/wire/keys.h"
#include "connectors/asynq/wire/relayfield.h"
#include "connectors/redis/script.h"

#include <QDeadlineTimer>
#include <QHash>

#include <algorithm>
#include <utility>

namespace outbox::asynq {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype mostForgotten = 100; ///< relays, by one meeting
constexpr qsizetype mostToldOfAnEnd = 100; ///< queues
constexpr int lastWordMs = 500;

} // namespace

void RelayPresence::begin(const RelayAbout &about, qint64 goneAfterSeconds)
{
    m_about = about;
    m_goneAfterSeconds = goneAfterSeconds;
}

QByteArray RelayPresence::value() const
{
    return relayValue(m_about);
}

void RelayPresence::end(ClusterLink &link, const QByteArray &relay, QList<QueueName> queues)
{
    m_about.ended = QDateTime::currentDateTimeUtc();
    m_goneAfterSeconds = 0;
    if (queues.removeOne(m_met))
        queues.prepend(m_met);
    QHash<RedisConnection *, RedisWire> words;
    for (const QueueName &queue : queues.first(std::min(queues.size(), mostToldOfAnEnd))) {
        const QueueKeys keys(queue);
        RedisConnection *node = link.openConnectionFor(keys.pending());
        if (!node)
            continue;
        RedisWire &wire = words[node];
        wire.begin(4);
        wire.add("HSET");
        wire.add(keys.fence());
        wire.add("h:", relay);
        wire.add(value());
    }
    QList<RedisConnection *> asked;
    for (auto word = words.cbegin(); word != words.cend(); ++word) {
        if (word.key()->send(word->bytes(), word->commands()))
            asked += word.key();
    }
    const QDeadlineTimer deadline(lastWordMs);
    for (RedisConnection *node : std::as_const(asked))
        static_cast<void>(node->receive(deadline)); // whoever is silent learns it by silence
}

void RelayPresence::appendScan(RedisWire &wire, const QueueName &queue)
{
    wire.begin(5);
    wire.add("HSCAN");
    wire.add(QueueKeys(queue).fence());
    wire.add("0");
    wire.add("COUNT");
    wire.add(mostRelayFields);
}

Result<int> RelayPresence::forgetGone(ClusterLink &link, const QueueName &queue,
                                      const RedisReply &scan) const
{
    const QDateTime limit = QDateTime::currentDateTimeUtc().addSecs(-m_goneAfterSeconds);
    QByteArrayList arguments{QByteArray::number(limit.toMSecsSinceEpoch() * 1000)};
    for (const RelayEntry &relay : relaysIn(scan)) {
        if (relay.about && relay.lastBatch < limit && arguments.size() <= mostForgotten)
            arguments += relay.relay.toLatin1();
    }
    if (arguments.size() == 1)
        return 0;
    const QueueKeys keys(queue);
    const RedisScript script(forgetRelaysLua);
    const auto reply = TRY(link.at(keys.pending(), [&](RedisConnection &connection) {
        return script.run(connection, {keys.fence()}, arguments,
                          u"forgetting relays of queue "_s + queue.text);
    }));
    return static_cast<int>(reply.integer);
}

} // namespace outbox::asynq
