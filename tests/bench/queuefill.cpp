// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/queuefill.h"

#include "connectors/asynq/wire/keys.h"
#include "connectors/asynq/wire/taskmessage.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QByteArray idOf(int number)
{
    return "7e57d004-2b97-4e7a-b45f-" + QByteArray::number(number).rightJustified(12, '0');
}

} // namespace

bool fillQueue(RedisConnection &redis, int tasks, int orphans)
{
    const asynq::QueueKeys keys(QueueName{u"default"_s});
    asynq::TaskMessage message;
    message.type = u"mail:deliver"_s;
    message.payload = QByteArray(200, 'x');
    message.queue = u"default"_s;
    message.retentionSeconds = 86'400;
    QList<RedisCommand> commands{{"SADD", asynq::allQueues, "default"}};
    for (int number = 0; number < tasks + orphans; ++number) {
        const QByteArray id = idOf(number);
        message.id = QString::fromLatin1(id);
        const QByteArray bytes = asynq::encode(message).value_or(QByteArray());
        if (number >= tasks) {
            commands += {"HSET", keys.task(id), "msg", bytes, "state", "archived"};
        } else if (number % 2 == 0) {
            commands += {"HSET", keys.task(id), "msg", bytes, "state", "pending"};
            commands += {"LPUSH", keys.pending(), id};
        } else {
            commands += {"HSET", keys.task(id), "msg", bytes, "state", "completed"};
            commands += {"ZADD", keys.completed(), "9999999999", id};
        }
        if (commands.size() >= 2'000 || number + 1 == tasks + orphans) {
            if (!redis.pipeline(commands))
                return false;
            commands.clear();
        }
    }
    return true;
}

double queueSpentMs(RedisConnection &redis)
{
    const auto stats = redis.command({"INFO", "commandstats"}, u"reading the costs"_s);
    double microseconds = 0;
    for (const QByteArray &line : stats ? stats->bytes.split('\n') : QByteArrayList()) {
        if (line.startsWith("cmdstat_info"))
            continue;
        const qsizetype at = line.indexOf(",usec=");
        if (at >= 0)
            microseconds += line.mid(at + 6, line.indexOf(',', at + 1) - at - 6).toDouble();
    }
    return microseconds / 1000;
}

} // namespace outbox
