// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/redisqueue.h"

#include "connectors/asynq/wire/keys.h"

#include <QDateTime>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

EnqueueRequest sampleRequest(const QString &id)
{
    EnqueueRequest request;
    request.id.text = id;
    request.queue.text = u"default"_s;
    request.type = u"mail:deliver"_s;
    request.payload = R"({"n":1})";
    request.retentionSeconds = 86400;
    return request;
}

QList<EnqueueRequest> sampleBatch(int size, const QByteArray &payload)
{
    QList<EnqueueRequest> batch;
    for (int i = 0; i < size; ++i) {
        batch += sampleRequest(u"row-%1"_s.arg(i));
        batch.last().payload = payload;
    }
    return batch;
}

asynq::TaskMessage messageOf(const EnqueueRequest &request)
{
    asynq::TaskMessage message;
    message.type = request.type;
    message.payload = request.payload;
    message.id = request.id.text;
    message.queue = request.queue.text;
    message.retry = request.maxRetry;
    message.timeoutSeconds = request.timeoutSeconds;
    message.retentionSeconds = request.retentionSeconds;
    return message;
}

Result<void> placeTask(RedisConnection &redis, const EnqueueRequest &request, TaskState state)
{
    return placeMessage(redis, request, state, messageOf(request));
}

Result<void> placeMessage(RedisConnection &redis, const EnqueueRequest &request, TaskState state,
                          const asynq::TaskMessage &message)
{
    const Result<QByteArray> bytes = asynq::encode(message);
    return bytes ? placeBytes(redis, request, state, *bytes) : passOn(bytes);
}

Result<void> placeBytes(RedisConnection &redis, const EnqueueRequest &request, TaskState state,
                        const QByteArray &message)
{
    const asynq::QueueKeys keys(request.queue);
    const QByteArray id = request.id.text.toUtf8();
    const QByteArray score = QByteArray::number(QDateTime::currentSecsSinceEpoch() + 3600);
    QList<RedisCommand> commands{
        {"SADD", asynq::allQueues, request.queue.text.toUtf8()},
        {"HSET", keys.task(id), "msg", message, "state", word(state).toUtf8()},
    };
    if (state == TaskState::Pending) {
        const QByteArray now = QByteArray::number(QDateTime::currentMSecsSinceEpoch()) + "000000";
        commands += {"HSET", keys.task(id), "pending_since", now};
        commands += {"LPUSH", keys.pending(), id};
    } else if (state == TaskState::Active) {
        commands += {"LPUSH", keys.active(), id};
        commands += {"ZADD", keys.lease(), score, id};
    } else if (state == TaskState::Aggregating) {
        commands += {"HSET", keys.task(id), "group", "g"};
        commands += {"ZADD", keys.group("g"), score, id};
        commands += {"SADD", keys.groups(), "g"};
    } else {
        commands += {"ZADD", keys.container(state), score, id};
    }
    const auto done = redis.pipeline(commands);
    if (!done)
        return passOn(done);
    for (const RedisReply &reply : *done) {
        if (reply.isError())
            return tl::unexpected(errorFromReply(reply, u"placing a task"_s));
    }
    return {};
}

QByteArrayList containersOf(RedisConnection &redis, const QByteArray &id)
{
    const asynq::QueueKeys keys(QueueName{u"default"_s});
    QByteArrayList found;
    for (const char *name : {"pending", "active"}) {
        const auto places
            = redis.command({"LPOS", keys.prefix() + name, id, "COUNT", "0"}, u"looking"_s);
        for (qsizetype i = 0; places && i < places->elements.size(); ++i)
            found += name;
    }
    for (const char *name : {"lease", "scheduled", "retry", "archived", "completed", "g:g"}) {
        const auto score = redis.command({"ZSCORE", keys.prefix() + name, id}, u"looking"_s);
        if (score && !score->isNil())
            found += name;
    }
    return found;
}

QMap<QByteArray, QByteArray> hashAt(RedisConnection &redis, const QByteArray &key)
{
    QMap<QByteArray, QByteArray> fields;
    const auto hash = redis.command({"HGETALL", key}, u"looking"_s);
    for (qsizetype i = 0; hash && i + 1 < hash->elements.size(); i += 2)
        fields.insert(hash->elements.at(i).bytes, hash->elements.at(i + 1).bytes);
    return fields;
}

QMap<QByteArray, QByteArray> wholeRedis(RedisConnection &redis)
{
    QMap<QByteArray, QByteArray> whole;
    const auto keys = redis.command({"KEYS", "*"}, u"looking"_s);
    for (qsizetype i = 0; keys && i < keys->elements.size(); ++i) {
        const QByteArray key = keys->elements.at(i).bytes;
        const auto dump = redis.command({"DUMP", key}, u"looking"_s);
        whole.insert(key, dump ? dump->bytes : QByteArray());
    }
    return whole;
}

qint64 numberOf(RedisConnection &redis, const RedisCommand &command)
{
    const auto reply = redis.command(command, u"looking"_s);
    return reply && reply->kind == RedisReply::Kind::Integer ? reply->integer : -1;
}

} // namespace outbox
