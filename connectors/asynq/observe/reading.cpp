// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/observe/reading.h"

#include <QSet>

#include <cmath>

namespace outbox::asynq {

namespace {

/// A node of a Cluster says that it does not know what stands there.
bool saysElsewhere(const RedisReply &reply)
{
    static const QSet<QByteArray> words{"MOVED", "ASK", "TRYAGAIN", "CLUSTERDOWN"};
    return reply.isError() && words.contains(reply.errorPrefix());
}

} // namespace

Result<QList<RedisReply>> ask(RedisConnection &connection, const QList<RedisCommand> &commands,
                              const QString &doing)
{
    if (commands.isEmpty())
        return QList<RedisReply>();
    if (Result<void> open = connection.ensureOpen(); !open) {
        open.error().doing = doing;
        return passOn(open);
    }
    Result<QList<RedisReply>> replies = connection.pipeline(commands);
    if (!replies) {
        replies.error().doing = doing;
        return replies;
    }
    for (const RedisReply &reply : std::as_const(*replies)) {
        if (saysElsewhere(reply))
            return tl::unexpected(errorFromReply(reply, doing, connection.asker()));
    }
    return replies;
}

Result<QList<RedisReply>> askAll(RedisConnection &connection, const QList<RedisCommand> &commands,
                                 const QString &doing)
{
    Result<QList<RedisReply>> replies = ask(connection, commands, doing);
    if (!replies)
        return replies;
    for (const RedisReply &reply : std::as_const(*replies)) {
        if (reply.isError())
            return tl::unexpected(errorFromReply(reply, doing, connection.asker()));
    }
    return replies;
}

QDateTime redisTime(const RedisReply &reply)
{
    if (reply.elements.size() != 2)
        return {};
    const qint64 seconds = reply.elements.at(0).bytes.toLongLong();
    const qint64 microseconds = reply.elements.at(1).bytes.toLongLong();
    return QDateTime::fromSecsSinceEpoch(seconds, Qt::UTC).addMSecs(microseconds / 1000);
}

std::optional<qint64> numberOf(const RedisReply &reply)
{
    if (reply.kind == RedisReply::Kind::Integer)
        return reply.integer;
    bool isNumber = false;
    const qint64 number = reply.bytes.toLongLong(&isNumber);
    return isNumber && !reply.isError() ? std::optional(number) : std::nullopt;
}

std::optional<QDateTime> momentOf(const RedisReply &score)
{
    bool isNumber = false;
    const double seconds = score.bytes.toDouble(&isNumber);
    if (score.kind != RedisReply::Kind::Bulk || !isNumber || !std::isfinite(seconds)
        || std::abs(seconds) > 1e12) {
        return std::nullopt;
    }
    return QDateTime::fromMSecsSinceEpoch(std::llround(seconds * 1000), Qt::UTC);
}

std::optional<QDateTime> nanosecondsOf(const RedisReply &reply)
{
    const std::optional<qint64> nanoseconds = numberOf(reply);
    if (!nanoseconds)
        return std::nullopt;
    return QDateTime::fromMSecsSinceEpoch(*nanoseconds / 1'000'000, Qt::UTC);
}

} // namespace outbox::asynq
