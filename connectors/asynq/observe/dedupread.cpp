// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/observe/queuesnapshots.h"
#include "connectors/asynq/observe/reading.h"
#include "connectors/asynq/wire/keys.h"
#include "models/elapsed.h"

#include <QElapsedTimer>
#include <QRandomGenerator>

namespace outbox::asynq {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int sampleSize = 30;
constexpr int hours = 24;
constexpr qint64 hourSeconds = 3600;

/// Ids at random ranks, for servers before 6.2.
QList<RedisCommand> randomRanks(const QByteArray &key, qint64 count)
{
    QList<RedisCommand> commands;
    for (int i = 0; i < sampleSize && count > 0; ++i) {
        const qint64 rank = QRandomGenerator::global()->bounded(count);
        commands += {"ZRANGE", key, QByteArray::number(rank), QByteArray::number(rank)};
    }
    return commands;
}

Result<QByteArrayList> sampleIds(RedisConnection &connection, const QByteArray &key,
                                 const RedisReply &random, qint64 count, const QString &doing)
{
    QByteArrayList ids;
    if (!random.isError()) {
        for (const RedisReply &id : random.elements)
            ids += id.bytes;
        return ids;
    }
    const auto ranks = TRY(askAll(connection, randomRanks(key, count), doing));
    for (const RedisReply &rank : ranks) {
        if (!rank.elements.isEmpty())
            ids += rank.elements.first().bytes;
    }
    return ids;
}

} // namespace

Result<DedupSnapshot> readDedup(RedisConnection &connection, const QueueName &queue)
{
    QElapsedTimer clock;
    clock.start();
    const QString doing = u"looking at the retained ids of %1"_s.arg(queue.text);
    const QueueKeys keys(queue);
    const QByteArray completed = keys.completed();
    const auto first = TRY(ask(connection,
                               {{"TIME"},
                                {"ZCARD", completed},
                                {"ZRANGE", completed, "0", "0", "WITHSCORES"},
                                {"ZRANGE", completed, "-1", "-1", "WITHSCORES"},
                                {"MEMORY", "USAGE", completed},
                                {"ZRANDMEMBER", completed, QByteArray::number(sampleSize)}},
                               doing));
    for (const RedisReply &reply : first.first(4)) {
        if (reply.isError())
            return tl::unexpected(errorFromReply(reply, doing, connection.asker()));
    }

    DedupSnapshot snapshot;
    snapshot.name = queue;
    snapshot.at = redisTime(first.at(0));
    snapshot.retained = first.at(1).integer;
    snapshot.soonestExpiry = momentOf(first.at(2).elements.value(1));
    snapshot.latestExpiry = momentOf(first.at(3).elements.value(1));
    const auto ids = TRY(sampleIds(connection, completed, first.at(5), snapshot.retained, doing));

    const qint64 now = snapshot.at.toSecsSinceEpoch();
    QList<RedisCommand> commands{{"ZCOUNT", completed, "-inf", QByteArray::number(now)}};
    for (int hour = 0; hour < hours; ++hour) {
        const QByteArray after = "(" + QByteArray::number(now + hour * hourSeconds);
        commands
            += {"ZCOUNT", completed, after, QByteArray::number(now + (hour + 1) * hourSeconds)};
    }
    for (const QByteArray &id : ids)
        commands += {"MEMORY", "USAGE", keys.task(id)};
    const auto second = TRY(ask(connection, commands, doing));
    for (const RedisReply &reply : second.first(1 + hours)) {
        if (reply.isError())
            return tl::unexpected(errorFromReply(reply, doing, connection.asker()));
    }
    snapshot.expired = second.first().integer;
    for (const RedisReply &count : second.mid(1, hours))
        snapshot.expiryPerHour += count.integer;

    qint64 sum = 0;
    for (const RedisReply &usage : second.mid(1 + hours)) {
        if (usage.kind == RedisReply::Kind::Integer) { // nil: it was freed meanwhile
            sum += usage.integer;
            ++snapshot.sampled;
        }
    }
    if (snapshot.sampled > 0 && first.at(4).kind == RedisReply::Kind::Integer)
        snapshot.bytes = sum / snapshot.sampled * snapshot.retained + first.at(4).integer;
    else if (snapshot.retained == 0)
        snapshot.bytes = 0;
    snapshot.tookMs = millisecondsOf(clock);
    return snapshot;
}

} // namespace outbox::asynq
