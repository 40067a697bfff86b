// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/observe/containersearch.h"
#include "connectors/asynq/observe/reading.h"
#include "connectors/asynq/observe/taskread.h"
#include "connectors/asynq/wire/keys.h"
#include "connectors/asynq/wire/taskmessage.h"

#include <algorithm>

namespace outbox::asynq {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 idsFromEachEnd = 10'000; ///< from each end: 0.3 ms where the id is absent

/// Where the id stands, told by the containers and not by the hash.
struct Standing
{
    enum class Seen { Yes, No, NotSearched };
    Seen seen = Seen::No;
    RedisReply score{};
};

Result<Standing> standingIn(RedisConnection &connection, const QByteArray &list,
                            const QByteArray &id, const QString &doing)
{
    const QByteArray look = QByteArray::number(idsFromEachEnd);
    const auto replies = TRY(askAll(connection,
                                    {{"LLEN", list},
                                     {"LPOS", list, id, "MAXLEN", look},
                                     {"LPOS", list, id, "RANK", "-1", "MAXLEN", look}},
                                    doing));
    if (!replies.at(1).isNil() || !replies.at(2).isNil())
        return Standing{Standing::Seen::Yes, {}};
    const bool whole = replies.at(0).integer <= 2 * idsFromEachEnd;
    return Standing{whole ? Standing::Seen::No : Standing::Seen::NotSearched, {}};
}

Result<Standing> standing(RedisConnection &connection, const QueueKeys &keys, TaskState state,
                          const QByteArray &id, const QByteArray &group, const QString &doing)
{
    const QByteArray container = keys.container(state);
    if (state == TaskState::Pending || state == TaskState::Active)
        return standingIn(connection, container, id, doing);
    if (state == TaskState::Aggregating) {
        const auto score = TRY(findInGroup(connection, keys, group, id));
        return Standing{score.isNil() ? Standing::Seen::No : Standing::Seen::Yes, score};
    }
    if (container.isEmpty())
        return Standing{};
    const auto score = TRY(askAll(connection, {{"ZSCORE", container, id}}, doing));
    const bool stands = !score.first().isNil();
    return Standing{stands ? Standing::Seen::Yes : Standing::Seen::No, score.first()};
}

/// Fields of the hash that are too long to be read, with their lengths.
struct LongFields
{
    qint64 message = 0;
    qint64 result = 0;
};

Result<LongFields> longFields(RedisConnection &connection, const QByteArray &key, qint64 mostBytes,
                              const QString &doing)
{
    if (mostBytes <= 0)
        return LongFields{};
    const auto replies
        = TRY(ask(connection, {{"HSTRLEN", key, "msg"}, {"HSTRLEN", key, "result"}}, doing));
    const auto tooLong = [&](qsizetype reply) {
        const qint64 bytes = replies.at(reply).integer; // 0 of an error: the look itself tells it
        return bytes > mostBytes ? bytes : 0;
    };
    return LongFields{tooLong(0), tooLong(1)};
}

/// One look. An id that moves between the two pipelines may look like an orphan: look twice.
Result<std::optional<Task>> lookOnce(RedisConnection &connection, const QueueName &queue,
                                     const TaskId &taskId, qint64 mostBytes, const QString &doing)
{
    const QueueKeys keys(queue);
    const QByteArray id = taskId.text.toUtf8();
    const QByteArray key = keys.task(id);
    const auto tooLong = TRY(longFields(connection, key, mostBytes, doing));
    // No hash of asynq's has a field without a name: what is not to be read is nil.
    const QByteArray message = tooLong.message > 0 ? QByteArray("") : QByteArray("msg");
    const QByteArray result = tooLong.result > 0 ? QByteArray("") : QByteArray("result");
    const auto replies
        = TRY(ask(connection,
                  {{"TYPE", key},
                   {"HMGET", key, "state", message, "pending_since", result, "group"},
                   {"ZSCORE", keys.lease(), id}},
                  doing));
    if (replies.at(0).isError())
        return tl::unexpected(errorFromReply(replies.at(0), doing, connection.asker()));
    const QByteArray type = replies.at(0).bytes;
    if (type == "none")
        return std::optional<Task>();

    Task task;
    task.id = taskId;
    task.queue = queue;
    if (type != "hash") {
        task.state = TaskState::WrongType;
        task.damaged = true;
        task.note = u"its key holds a %1, not a hash"_s.arg(QString::fromUtf8(type));
        return std::optional(task);
    }
    if (replies.at(1).isError())
        return tl::unexpected(errorFromReply(replies.at(1), doing, connection.asker()));
    const QList<RedisReply> fields = replies.at(1).elements;
    const QString stated = QString::fromUtf8(fields.at(0).bytes);
    task.pendingSince = nanosecondsOf(fields.at(2));
    task.result = fields.at(3).bytes;
    task.leaseUntil = momentOf(replies.at(2));
    if (tooLong.message > 0) {
        task.payloadBytes = tooLong.message;
        task.note
            = u"its message of %1 bytes is not read unless it is asked for"_s.arg(tooLong.message);
    } else if (fields.at(1).isNil()) {
        task.state = TaskState::Stub;
        task.damaged = true;
        task.note = u"its hash says \"%1\" and holds no message"_s.arg(stated);
        return std::optional(task);
    }
    if (tooLong.message == 0) {
        task.payloadBytes = fields.at(1).bytes.size();
        if (const auto read = decode(fields.at(1).bytes)) {
            describe(*read, -1, task);
        } else {
            task.damaged = true;
            task.note = u"its message cannot be decoded"_s;
            task.payload = fields.at(1).bytes;
        }
    }
    if (tooLong.result > 0)
        task.result = "(" + QByteArray::number(tooLong.result) + " bytes, not read)";

    task.state = stateFromHash(fields.at(0).bytes).value_or(TaskState::Orphan);
    const auto stands = TRY(standing(connection, keys, task.state, id, fields.at(4).bytes, doing));
    if (stands.seen == Standing::Seen::No) {
        task.state = TaskState::Orphan;
        task.damaged = true;
        task.note = u"its hash says \"%1\", but its id is not there"_s.arg(stated);
    } else if (stands.seen == Standing::Seen::NotSearched) {
        task.note
            = u"not among the %1 ids at either end of the list; the middle was not searched"_s.arg(
                idsFromEachEnd);
    }
    setScore(task, momentOf(stands.score));
    task.stamp = stampOf(task.state, fields.at(2), replies.at(2), stands.score);
    return std::optional(task);
}

TaskGlance glanceOf(const RedisReply &state, const RedisReply &length, const RedisReply &kept)
{
    if (state.isError() || length.isError())
        return {TaskState::WrongType, {}};
    if (length.integer == 0)
        return {state.isNil() ? TaskState::None : TaskState::Stub, {}};
    const TaskState stated = stateFromHash(state.bytes).value_or(TaskState::Orphan);
    if (stated != TaskState::Completed)
        return {stated, {}};
    const auto until = momentOf(kept);
    return {until ? TaskState::Completed : TaskState::Orphan, until};
}

} // namespace

std::optional<TaskState> stateFromHash(const QByteArray &text)
{
    const QString stated = QString::fromUtf8(text);
    const QList<TaskState> sound = soundTaskStates();
    const auto found = std::find_if(sound.begin(), sound.end(),
                                    [&](TaskState state) { return word(state) == stated; });
    return found == sound.end() ? std::nullopt : std::optional(*found);
}

QByteArray stampOf(TaskState state, const RedisReply &pendingSince, const RedisReply &lease,
                   const RedisReply &score)
{
    const RedisReply &stamp = state == TaskState::Pending ? pendingSince
        : state == TaskState::Active                      ? lease
                                                          : score;
    return stamp.kind == RedisReply::Kind::Bulk ? stamp.bytes : QByteArray();
}

void setScore(Task &task, const std::optional<QDateTime> &score)
{
    if (task.state == TaskState::Scheduled || task.state == TaskState::Retry)
        task.nextRun = score;
    else if (task.state == TaskState::Archived)
        task.archivedAt = score;
    else if (task.state == TaskState::Completed)
        task.keptUntil = score;
}

Result<std::optional<Task>> findTask(RedisConnection &connection, const QueueName &queue,
                                     const TaskId &id, qint64 mostBytes)
{
    const QString doing = u"looking for the task %1 in %2"_s.arg(id.text, queue.text);
    Result<std::optional<Task>> task = lookOnce(connection, queue, id, mostBytes, doing);
    if (task && *task && (*task)->state == TaskState::Orphan)
        task = lookOnce(connection, queue, id, mostBytes, doing);
    return task;
}

Result<QHash<TaskId, TaskGlance>> glanceAt(RedisConnection &connection, const QueueName &queue,
                                           const QList<TaskId> &ids)
{
    const QString doing = u"looking at %1 tasks of %2"_s.arg(ids.size()).arg(queue.text);
    const QueueKeys keys(queue);
    QList<RedisCommand> commands;
    for (const TaskId &id : ids) {
        const QByteArray key = keys.task(id);
        commands += {"HGET", key, "state"};
        commands += {"HSTRLEN", key, "msg"};
        commands += {"ZSCORE", keys.completed(), id.text.toUtf8()};
    }
    const auto replies = TRY(ask(connection, commands, doing));
    QHash<TaskId, TaskGlance> glances;
    for (qsizetype i = 0; i < ids.size(); ++i) {
        const RedisReply &state = replies.at(3 * i);
        if (state.isError() && errorWord(state) != "WRONGTYPE")
            return tl::unexpected(errorFromReply(state, doing, connection.asker()));
        glances.insert(ids.at(i), glanceOf(state, replies.at(3 * i + 1), replies.at(3 * i + 2)));
    }
    return glances;
}

} // namespace outbox::asynq
