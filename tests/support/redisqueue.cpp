// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/redisqueue.h"

#include "connectors/asynq/keys.h"

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

} // namespace outbox
