// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/queuedamage.h"

#include "connectors/asynq/wire/keys.h"
#include "tests/support/redisqueue.h"

#include <QDateTime>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 longAgoSeconds = 3'600;

/// A sorted set that no worker takes from, another one for each number.
TaskState restingState(int number)
{
    static const QList<TaskState> states{TaskState::Scheduled, TaskState::Retry,
                                         TaskState::Archived, TaskState::Completed};
    return states.at(number % states.size());
}

QByteArray secondsFromNow(qint64 seconds)
{
    return QByteArray::number(QDateTime::currentSecsSinceEpoch() + seconds);
}

} // namespace

QList<FindingKind> taskKinds()
{
    using enum FindingKind;
    return {StubHash,      MemberWithoutHash, ActiveWithoutLease,  LeaseWithoutActive,
            StateDiffers,  TwoContainers,     OrphanHash,          WrongType,
            TrimmedOrphan, Undecodable,       LeaseNobodyRecovers, ExpiredNotPurged};
}

Result<void> damage(RedisConnection &redis, FindingKind kind, const EnqueueRequest &request,
                    int number)
{
    const asynq::QueueKeys keys(request.queue);
    const QByteArray id = request.id.text.toUtf8();
    const QByteArray key = keys.task(id);
    const TaskState resting = restingState(number);
    QList<RedisCommand> commands;
    Result<void> placed;
    switch (kind) {
    case FindingKind::StubHash:
        placed = placeTask(redis, request, number % 5 == 4 ? TaskState::Active : resting);
        commands = {{"HDEL", key, "msg"}};
        if (number % 5 == 3) // one that stands nowhere
            commands += {"ZREM", keys.container(resting), id};
        break;
    case FindingKind::MemberWithoutHash:
        placed = placeTask(redis, request, number % 5 == 4 ? TaskState::Aggregating : resting);
        commands = {{"DEL", key}};
        break;
    case FindingKind::ActiveWithoutLease:
        placed = placeTask(redis, request, TaskState::Active);
        commands = {{"ZREM", keys.lease(), id}};
        break;
    case FindingKind::LeaseWithoutActive:
        placed = placeTask(redis, request, resting);
        commands = {{"ZADD", keys.lease(), secondsFromNow(longAgoSeconds), id}};
        break;
    case FindingKind::StateDiffers:
        placed = placeTask(redis, request, resting);
        commands = {{"HSET", key, "state", "active"}};
        break;
    case FindingKind::TwoContainers:
        placed = placeTask(redis, request, TaskState::Scheduled);
        commands = {{"ZADD", keys.completed(), secondsFromNow(2 * longAgoSeconds), id}};
        break;
    case FindingKind::OrphanHash:
        placed = placeTask(redis, request, TaskState::Retry);
        commands = {{"ZREM", keys.retry(), id}};
        if (number % 2 == 1) // as a completion leaves it that failed half-way
            commands += {"HSET", key, "state", "active"};
        break;
    case FindingKind::WrongType:
        commands = {{"SET", key, "not a hash"}};
        break;
    case FindingKind::TrimmedOrphan:
        placed = placeTask(redis, request, TaskState::Archived);
        commands = {{"ZREM", keys.archived(), id}};
        break;
    case FindingKind::Undecodable:
        placed = placeBytes(redis, request, number % 5 == 4 ? TaskState::Active : resting,
                            QByteArray("\x0a\x03\xff\xfe\xfd\x12\x01", 7));
        break;
    case FindingKind::LeaseNobodyRecovers:
        placed = placeTask(redis, request, TaskState::Active);
        commands = {{"ZADD", keys.lease(), secondsFromNow(-longAgoSeconds), id}};
        break;
    case FindingKind::ExpiredNotPurged:
        placed = placeTask(redis, request, TaskState::Completed);
        commands = {{"ZADD", keys.completed(), secondsFromNow(-longAgoSeconds), id}};
        break;
    default:
        return fail(Error::Kind::Invalid, u"damaging a task"_s,
                    u"%1 is no damage of a task"_s.arg(word(kind)));
    }
    if (!placed)
        return placed;
    const auto done = redis.pipeline(commands);
    if (!done)
        return passOn(done);
    for (const RedisReply &reply : *done) {
        if (reply.isError())
            return tl::unexpected(errorFromReply(reply, u"damaging a task"_s));
    }
    return {};
}

} // namespace outbox
