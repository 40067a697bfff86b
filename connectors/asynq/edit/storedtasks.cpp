// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/edit/storedtasks.h"

#include "connectors/asynq/observe/reading.h"
#include "connectors/asynq/observe/taskread.h"
#include "connectors/asynq/wire/keys.h"
#include "connectors/asynq/wire/taskmessage.h"

#include <QDateTime>

#include <algorithm>
#include <cmath>

namespace outbox::asynq {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 bytesAtOnce = 16LL * 1024 * 1024;
constexpr qsizetype storedAtOnce = 500;
constexpr int storedRounds = 3;

/// How many of the sizes from `from` on fit into one exchange; at least one.
qsizetype fitting(const QList<qint64> &sizes, qsizetype from)
{
    qsizetype count = 0;
    for (qint64 sum = 0; from + count < sizes.size() && count < storedAtOnce; ++count) {
        sum += sizes.at(from + count);
        if (count > 0 && sum > bytesAtOnce)
            break;
    }
    return count;
}

/// What is known of a hash before it is read whole.
struct Head
{
    QByteArray state;
    QByteArray group;
    qint64 bytes = 0;
};

/// An answer that is about one key (a key of another type) makes that one empty.
Result<void> checkServer(const QList<RedisReply> &replies, const RedisAsker &asker,
                         const QString &doing)
{
    for (const RedisReply &reply : replies) {
        if (reply.isError() && errorWord(reply) != "WRONGTYPE")
            return tl::unexpected(errorFromReply(reply, doing, asker));
    }
    return {};
}

/// Until when each of these tasks holds its unique lock, for those that do.
Result<void> readLocks(RedisConnection &connection, const QueueKeys &keys, QList<StoredTask> &tasks,
                       const QString &doing)
{
    QList<qsizetype> rows;
    QList<RedisCommand> commands;
    for (qsizetype row = 0; row < tasks.size(); ++row) {
        const QByteArray lock = fieldOf(tasks.at(row), "unique_key");
        if (!lock.startsWith(keys.lockPrefix()))
            continue;
        rows += row;
        commands += {"GET", lock};
        commands += {"PTTL", lock};
    }
    for (qsizetype start = 0; start < rows.size(); start += storedAtOnce) {
        const auto replies = TRY(ask(connection, commands.mid(2 * start, 2 * storedAtOnce), doing));
        TRY(checkServer(replies, connection.asker(), doing));
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        for (qsizetype i = 0; 2 * i + 1 < replies.size(); ++i) {
            StoredTask &task = tasks[rows.at(start + i)];
            const qint64 left = replies.at(2 * i + 1).integer;
            if (replies.at(2 * i).bytes == task.id.text.toUtf8() && left > 0)
                task.lockedUntil = QByteArray::number(now + left);
        }
    }
    return {};
}

/// How long a lock that is taken again lasts, in ms; 0: it is over, or there was none.
qint64 lockLeft(const StoredTask &task)
{
    return std::max<qint64>(0, task.lockedUntil.toLongLong() - QDateTime::currentMSecsSinceEpoch());
}

Result<QList<Head>> readHeads(RedisConnection &connection, const QueueKeys &keys,
                              const QList<TaskId> &ids, const QString &doing)
{
    constexpr qsizetype width = 3;
    QList<Head> heads;
    heads.reserve(ids.size());
    for (qsizetype start = 0; start < ids.size(); start += storedAtOnce) {
        const QList<TaskId> some = ids.mid(start, storedAtOnce);
        QList<RedisCommand> commands;
        for (const TaskId &id : some) {
            const QByteArray key = keys.task(id);
            commands += {"HMGET", key, "state", "group"};
            commands += {"HSTRLEN", key, "msg"};
            commands += {"HSTRLEN", key, "result"};
        }
        const auto replies = TRY(ask(connection, commands, doing));
        TRY(checkServer(replies, connection.asker(), doing));
        for (qsizetype i = 0; i < some.size(); ++i) {
            const QList<RedisReply> fields = replies.at(width * i).elements;
            heads += {fields.value(0).bytes, fields.value(1).bytes,
                      replies.at(width * i + 1).integer + replies.at(width * i + 2).integer};
        }
    }
    return heads;
}

QByteArray setOf(const QueueKeys &keys, const Head &head)
{
    const auto state = stateFromHash(head.state);
    if (!state || *state == TaskState::Pending || *state == TaskState::Active)
        return {};
    return *state == TaskState::Aggregating ? keys.group(head.group) : keys.container(*state);
}

TaskState stateOf(const StoredTask &task, bool stands)
{
    if (fieldOf(task, "msg").isEmpty())
        return TaskState::Stub;
    return stands ? stateFromHash(fieldOf(task, "state")).value_or(TaskState::Orphan)
                  : TaskState::Orphan;
}

/// One task from HGETALL and the score in the set that its head named. False: it has moved since.
bool take(StoredTask &task, const Head &head, const RedisReply &hash, const RedisReply &score)
{
    for (qsizetype i = 0; i + 1 < hash.elements.size(); i += 2)
        task.fields += {hash.elements.at(i).bytes, hash.elements.at(i + 1).bytes};
    std::sort(task.fields.begin(), task.fields.end());
    const bool hasScore = score.kind == RedisReply::Kind::Bulk;
    if (hasScore)
        task.score = score.bytes;
    const auto state = stateFromHash(head.state);
    const bool isInList = state == TaskState::Pending || state == TaskState::Active;
    task.state = stateOf(task, hasScore || isInList);
    return fieldOf(task, "state") == head.state && task.state != TaskState::Orphan;
}

/// Reads `ids` into their places in `tasks`; answers those that moved while they were read.
Result<QList<qsizetype>> readOnce(RedisConnection &connection, const QueueKeys &keys,
                                  const QList<qsizetype> &rows, QList<StoredTask> &tasks,
                                  const QString &doing)
{
    QList<TaskId> ids;
    for (const qsizetype row : rows)
        ids += tasks.at(row).id;
    const auto heads = TRY(readHeads(connection, keys, ids, doing));
    QList<qint64> sizes;
    for (const Head &head : heads)
        sizes += head.bytes;

    QList<qsizetype> moved;
    for (qsizetype start = 0; start < ids.size();) {
        const qsizetype count = fitting(sizes, start);
        QList<RedisCommand> commands;
        for (qsizetype i = start; i < start + count; ++i) {
            commands += {"HGETALL", keys.task(ids.at(i))};
            const QByteArray set = setOf(keys, heads.at(i));
            // A list has no score; the question keeps the replies in step.
            commands += {"ZSCORE", set.isEmpty() ? keys.lease() : set, ids.at(i).text.toUtf8()};
        }
        const auto replies = TRY(ask(connection, commands, doing));
        TRY(checkServer(replies, connection.asker(), doing));
        for (qsizetype i = 0; i < count; ++i) {
            const Head &head = heads.at(start + i);
            const RedisReply score
                = setOf(keys, head).isEmpty() ? RedisReply() : replies.at(2 * i + 1);
            StoredTask task{ids.at(start + i), tasks.at(rows.at(start + i)).queue, {}, {}, {}, {}};
            const bool stood = take(task, head, replies.at(2 * i), score);
            if (!stood && !task.fields.isEmpty())
                moved += rows.at(start + i);
            tasks[rows.at(start + i)] = task;
        }
        start += count;
    }
    return moved;
}

QByteArray freshMessage(const QByteArray &stored)
{
    Result<TaskMessage> message = decode(stored);
    if (!message)
        return {};
    message->retried = 0;
    message->error.clear();
    message->lastFailedAt = 0;
    message->completedAt = 0;
    if (message->deadline <= QDateTime::currentSecsSinceEpoch())
        message->deadline = 0; // workers fail what is late before they run it
    message->group.clear(); // or the next retry would put it into its group again
    return encode(*message).value_or(QByteArray());
}

} // namespace

QByteArray fieldOf(const StoredTask &task, const QByteArray &name)
{
    const auto found = std::find_if(task.fields.begin(), task.fields.end(),
                                    [&](const auto &pair) { return pair.first == name; });
    return found == task.fields.end() ? QByteArray() : found->second;
}

Result<QList<StoredTask>> readStored(RedisConnection &connection, const QueueName &queue,
                                     const QList<TaskId> &ids)
{
    const QString doing = u"reading %1 tasks of %2"_s.arg(ids.size()).arg(queue.text);
    const QueueKeys keys(queue);
    QList<StoredTask> tasks;
    QList<qsizetype> rows;
    for (const TaskId &id : ids) {
        rows += tasks.size();
        tasks += {id, queue, {}, {}, {}, {}};
    }
    for (int round = 0; round < storedRounds && !rows.isEmpty(); ++round) {
        rows = TRY(readOnce(connection, keys, rows, tasks, doing));
    }
    tasks.removeIf([](const StoredTask &task) { return task.fields.isEmpty(); });
    TRY(readLocks(connection, keys, tasks, doing));
    return tasks;
}

TaskGuard guardOf(const StoredTask &task)
{
    return {task.id, task.state,
            task.state == TaskState::Pending ? fieldOf(task, "pending_since") : task.score};
}

QString restoreObstacle(const StoredTask &task)
{
    QString noTask = u"what stands in the file is no task"_s;
    if (task.fields.isEmpty())
        return noTask;
    bool isNumber = false;
    const double score = task.score.toDouble(&isNumber);
    switch (task.state) {
    case TaskState::None:
    case TaskState::WrongType:
        return noTask;
    case TaskState::Stub:
    case TaskState::Orphan:
        return {};
    case TaskState::Scheduled:
    case TaskState::Retry:
    case TaskState::Archived:
    case TaskState::Completed:
    case TaskState::Aggregating:
        if (!isNumber || std::isnan(score)) // Redis would refuse it behind the first write
            return u"its score in the file is no number"_s;
        if (task.state == TaskState::Aggregating && fieldOf(task, "group").isEmpty())
            return u"the file does not say of which group it is"_s;
        break;
    case TaskState::Pending:
    case TaskState::Active:
        break;
    }
    const Result<TaskMessage> message = decode(fieldOf(task, "msg"));
    if (!message || (message->id == task.id.text && message->queue == task.queue.text))
        return {};
    return u"the message in the file is that of task \"%1\" of queue \"%2\""_s.arg(message->id,
                                                                                   message->queue);
}

bool lacksLock(const StoredTask &task)
{
    return task.state != TaskState::Completed && lockLeft(task) == 0
        && !fieldOf(task, "unique_key").isEmpty();
}

bool wasTried(const StoredTask &task)
{
    const Result<TaskMessage> message = decode(fieldOf(task, "msg"));
    return task.state == TaskState::Active
        || (message
            && (message->retried > 0 || message->lastFailedAt > 0 || message->completedAt > 0));
}

QByteArrayList restoreArguments(const StoredTask &task, const QByteArray &instead)
{
    QByteArrayList fields;
    for (const auto &[name, value] : task.fields)
        fields += {name, value};
    return QByteArrayList{task.id.text.toUtf8(),
                          word(task.state).toUtf8(),
                          task.score,
                          fieldOf(task, "group"),
                          instead,
                          QByteArray::number(lockLeft(task)),
                          QByteArray::number(task.fields.size())}
    + fields;
}

Result<QList<Replacement>> readReplacements(RedisConnection &connection, const QueueName &queue,
                                            const QList<TaskId> &ids, qsizetype from)
{
    const QString doing = u"reading tasks of %1 to replace"_s.arg(queue.text);
    const QueueKeys keys(queue);
    const auto heads = TRY(readHeads(connection, keys, ids.mid(from, storedAtOnce), doing));
    QList<qint64> sizes;
    for (const Head &head : heads)
        sizes += head.bytes;
    QList<RedisCommand> commands;
    const qsizetype count = fitting(sizes, 0);
    for (qsizetype i = 0; i < count; ++i)
        commands += {"HGET", keys.task(ids.at(from + i)), "msg"};
    const auto replies = TRY(ask(connection, commands, doing));
    TRY(checkServer(replies, connection.asker(), doing));
    QList<Replacement> replacements;
    for (const RedisReply &reply : replies) {
        const QByteArray read = reply.isError() ? QByteArray() : reply.bytes;
        replacements.emplaceBack(read, freshMessage(read));
    }
    return replacements;
}

} // namespace outbox::asynq
