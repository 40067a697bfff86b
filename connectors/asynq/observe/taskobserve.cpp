// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/observe/containersearch.h"
#include "connectors/asynq/observe/reading.h"
#include "connectors/asynq/observe/taskread.h"
#include "connectors/asynq/wire/keys.h"
#include "connectors/asynq/wire/taskmessage.h"

#include <algorithm>
#include <array>

namespace outbox::asynq {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 largestSighted = 64LL * 1024;
constexpr qsizetype seenAtOnce = 250; ///< so a pipeline brings at most 16 MiB of messages
constexpr int sightingRounds = 8;

/// What is known of one id while it is looked at.
struct Sighting
{
    QByteArray id;
    TaskSeen seen;
    QByteArray state; ///< the hash's word
    QByteArray group;
    QByteArray pendingSince;
    qint64 messageBytes = 0;

    /// Whether the hash said the same at an earlier look.
    [[nodiscard]] bool hasHashOf(const Sighting &before) const
    {
        return state == before.state && pendingSince == before.pendingSince
            && messageBytes == before.messageBytes;
    }
};

using Sightings = QList<Sighting>;

/// A key of the wrong type is something to tell; any other error reply is about the look itself.
bool failsLook(const RedisReply &reply)
{
    return reply.isError() && errorWord(reply) != "WRONGTYPE";
}

/// What the hashes say, for one slice.
Result<void> readHashes(RedisConnection &connection, const QueueKeys &keys, Sighting *slice,
                        qsizetype count, const QString &doing)
{
    constexpr qsizetype width = 3;
    QList<RedisCommand> commands;
    for (qsizetype i = 0; i < count; ++i) {
        const QByteArray key = keys.task(slice[i].id);
        commands += {"HMGET", key, "state", "pending_since", "group"};
        commands += {"HSTRLEN", key, "msg"};
        commands += {"TYPE", key};
    }
    const auto replies = TRY(ask(connection, commands, doing));
    for (qsizetype i = 0; i < count; ++i) {
        const RedisReply &fields = replies.at(width * i);
        const RedisReply &length = replies.at(width * i + 1);
        const RedisReply &type = replies.at(width * i + 2);
        for (const RedisReply &reply : {fields, length, type}) {
            if (failsLook(reply))
                return tl::unexpected(errorFromReply(reply, doing, connection.asker()));
        }
        Sighting &sighting = slice[i];
        sighting.seen = {};
        if (type.bytes == "none")
            continue;
        if (type.bytes != "hash" || fields.isError() || length.isError()) {
            sighting.seen.state = TaskState::WrongType;
            continue;
        }
        sighting.state = fields.elements.value(0).bytes;
        sighting.pendingSince = fields.elements.value(1).bytes;
        sighting.group = fields.elements.value(2).bytes;
        sighting.messageBytes = length.integer;
        sighting.seen.state = length.integer == 0
            ? TaskState::Stub
            : stateFromHash(sighting.state).value_or(TaskState::Orphan);
    }
    return {};
}

RedisCommand scoreCommand(const QueueKeys &keys, const Sighting &sighting)
{
    switch (sighting.seen.state) {
    case TaskState::Active:
        return {"ZSCORE", keys.lease(), sighting.id};
    case TaskState::Aggregating:
        return {"ZSCORE", keys.group(sighting.group), sighting.id};
    case TaskState::Scheduled:
    case TaskState::Retry:
    case TaskState::Archived:
    case TaskState::Completed:
        return {"ZSCORE", keys.container(sighting.seen.state), sighting.id};
    default:
        return {};
    }
}

void readMessage(TaskSeen &seen, const RedisReply &bytes)
{
    const Result<TaskMessage> message = decode(bytes.bytes);
    if (!message) {
        seen.damaged = true;
        seen.payloadBytes = bytes.bytes.size();
        return;
    }
    seen.type = message->type;
    seen.payloadBytes = message->payload.size();
    seen.retried = message->retried;
    seen.maxRetry = message->retry;
    seen.lastError = message->error;
}

/// The stamp, and whether the sorted set of the state holds the id at all.
void readScore(Sighting &sighting, const RedisReply &score)
{
    TaskSeen &seen = sighting.seen;
    seen.stamp = stampOf(seen.state, {}, score, score);
    if (seen.state == TaskState::Completed)
        seen.keptUntil = momentOf(score);
    const bool mayBeElsewhere
        = seen.state == TaskState::Active || seen.state == TaskState::Aggregating;
    if (score.kind != RedisReply::Kind::Bulk && !mayBeElsewhere)
        seen.state = TaskState::Orphan;
}

/// Scores and messages, for one slice whose hashes were read.
Result<void> readRest(RedisConnection &connection, const QueueKeys &keys, Sighting *slice,
                      qsizetype count, const QString &doing)
{
    QList<RedisCommand> commands;
    for (qsizetype i = 0; i < count; ++i) {
        const Sighting &sighting = slice[i];
        if (RedisCommand score = scoreCommand(keys, sighting); !score.isEmpty())
            commands += std::move(score);
        if (sighting.messageBytes > 0 && sighting.messageBytes <= largestSighted)
            commands += {"HGET", keys.task(sighting.id), "msg"};
    }
    const auto replies = TRY(ask(connection, commands, doing));
    qsizetype next = 0;
    for (qsizetype i = 0; i < count; ++i) {
        Sighting &sighting = slice[i];
        if (sighting.seen.state == TaskState::Pending)
            sighting.seen.stamp = sighting.pendingSince;
        if (!scoreCommand(keys, sighting).isEmpty()) {
            const RedisReply &score = replies.at(next++);
            if (score.isError()) // of the container, whatever it says
                return tl::unexpected(errorFromReply(score, doing, connection.asker()));
            readScore(sighting, score);
        }
        if (sighting.messageBytes > largestSighted) {
            sighting.seen.payloadBytes = sighting.messageBytes;
        } else if (sighting.messageBytes > 0) {
            const RedisReply &message = replies.at(next++);
            if (failsLook(message))
                return tl::unexpected(errorFromReply(message, doing, connection.asker()));
            if (message.kind == RedisReply::Kind::Bulk)
                readMessage(sighting.seen, message);
        }
    }
    return {};
}

/// Lists know no score: who is not met in one is an orphan, or has moved on.
Result<void> searchLists(RedisConnection &connection, const QueueKeys &keys, Sightings &sightings)
{
    for (const TaskState state : {TaskState::Pending, TaskState::Active}) {
        QSet<QByteArray> ids;
        for (const Sighting &sighting : std::as_const(sightings)) {
            if (sighting.seen.state == state)
                ids += sighting.id;
        }
        if (ids.isEmpty())
            continue;
        const auto found = TRY(findInList(connection, keys.container(state), ids));
        for (Sighting &sighting : sightings) {
            if (sighting.seen.state == state && !found.contains(sighting.id))
                sighting.seen.state = TaskState::Orphan;
        }
    }
    for (Sighting &sighting : sightings) {
        if (sighting.seen.state != TaskState::Aggregating || !sighting.seen.stamp.isEmpty())
            continue;
        const auto score = TRY(findInGroup(connection, keys, sighting.group, sighting.id));
        sighting.seen.stamp = score.bytes;
        if (score.isNil())
            sighting.seen.state = TaskState::Orphan;
    }
    return {};
}

Result<void> lookOnce(RedisConnection &connection, const QueueKeys &keys, Sightings &sightings,
                      const QString &doing)
{
    for (qsizetype start = 0; start < sightings.size(); start += seenAtOnce) {
        Sighting *slice = sightings.data() + start;
        const qsizetype count = std::min(seenAtOnce, sightings.size() - start);
        TRY(readHashes(connection, keys, slice, count, doing));
        TRY(readRest(connection, keys, slice, count, doing));
    }
    return searchLists(connection, keys, sightings);
}

/// Of `suspects`, those that do stand where their hash says. Redis takes all of a small write in
/// hand before it serves anybody else, so its answers to one are a picture of one moment, as far
/// as the lists are looked through.
Result<QSet<QByteArray>> standingRight(RedisConnection &connection, const QueueKeys &keys,
                                       const QByteArrayList &suspects, const QString &doing)
{
    constexpr qsizetype atOnce = 8; // a write of some kilobytes
    constexpr std::array places{TaskState::Scheduled, TaskState::Retry,   TaskState::Archived,
                                TaskState::Completed, TaskState::Pending, TaskState::Active};
    constexpr qsizetype width = 1 + qsizetype(places.size());
    QSet<QByteArray> right;
    for (qsizetype start = 0; start < suspects.size(); start += atOnce) {
        const QByteArrayList slice = suspects.mid(start, atOnce);
        QList<RedisCommand> commands;
        for (const QByteArray &id : slice) {
            commands += {"HGET", keys.task(id), "state"};
            for (const TaskState place : places) {
                const bool isList = place == TaskState::Pending || place == TaskState::Active;
                commands += isList
                    ? RedisCommand{"LPOS", keys.container(place), id, "MAXLEN", "10000"}
                    : RedisCommand{"ZSCORE", keys.container(place), id};
            }
        }
        const auto replies = TRY(ask(connection, commands, doing));
        for (qsizetype i = 0; i < slice.size(); ++i) {
            const auto state = stateFromHash(replies.at(i * width).bytes);
            const auto place = std::find(places.begin(), places.end(), state);
            if (place == places.end())
                continue;
            const RedisReply &found = replies.at(i * width + 1 + (place - places.begin()));
            if (!found.isNil() && !found.isError())
                right += slice.at(i);
        }
    }
    return right;
}

bool isSuspect(const TaskSeen &seen)
{
    return seen.state == TaskState::Orphan || seen.state == TaskState::Stub;
}

} // namespace

Result<QList<TaskSeen>> observeTasks(RedisConnection &connection, const QueueName &queue,
                                     const QList<TaskId> &ids)
{
    const QString doing = u"looking at %1 tasks of %2"_s.arg(ids.size()).arg(queue.text);
    const QueueKeys keys(queue);
    QList<TaskSeen> answers(ids.size());
    QList<qsizetype> rows;
    for (qsizetype row = 0; row < ids.size(); ++row)
        rows += row;

    // The reads are not one moment: who is moved meanwhile looks like an orphan. Only one whose
    // hash stays as it is, and that is missed again, the second time at one moment, is called one.
    Sightings before;
    for (int round = 0; round < sightingRounds && !rows.isEmpty(); ++round) {
        Sightings sightings(rows.size());
        for (qsizetype i = 0; i < rows.size(); ++i)
            sightings[i].id = ids.at(rows.at(i)).text.toUtf8();
        TRY(lookOnce(connection, keys, sightings, doing));
        QByteArrayList missedTwice;
        for (qsizetype i = 0; i < rows.size(); ++i) {
            if (round > 0 && sightings.at(i).hasHashOf(before.at(i)))
                missedTwice += sightings.at(i).id;
        }
        const QSet<QByteArray> missed(missedTwice.cbegin(), missedTwice.cend());
        const auto right = TRY(standingRight(connection, keys, missedTwice, doing));
        QList<qsizetype> again;
        Sightings suspects;
        for (qsizetype i = 0; i < rows.size(); ++i) {
            const Sighting &sighting = sightings.at(i);
            answers[rows.at(i)] = sighting.seen;
            const bool isMoving
                = sighting.seen.state == TaskState::Orphan && right.contains(sighting.id);
            if (!isSuspect(sighting.seen) || (missed.contains(sighting.id) && !isMoving))
                continue;
            again += rows.at(i);
            suspects += sighting;
        }
        rows = again;
        before = suspects;
    }
    // Faster than we can look: it is sound, and on its way.
    for (qsizetype i = 0; i < rows.size(); ++i)
        answers[rows.at(i)].state
            = stateFromHash(before.at(i).state).value_or(answers.at(rows.at(i)).state);
    return answers;
}

} // namespace outbox::asynq
