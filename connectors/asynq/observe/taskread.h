// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tasks as they stand: by pages of a container, one by its id, many at a glance.
// Errors: those of `RedisConnection`.
#pragma once

#include "connectors/asynq/observe/inspector.h"

namespace outbox::asynq {

/// See AsynqInspector::tasks. The cursor is an offset: tasks that come and go between two pages may
/// be seen twice or not at all.
[[nodiscard]] Result<TaskPage> readPage(RedisConnection &connection, const QueueName &queue,
                                        TaskState state, int limit, const QString &after,
                                        int payloadBytes);
/// See AsynqInspector::find.
[[nodiscard]] Result<std::optional<Task>>
findTask(RedisConnection &connection, const QueueName &queue, const TaskId &id, qint64 mostBytes);
/// See AsynqInspector::glance.
[[nodiscard]] Result<QHash<TaskId, TaskGlance>>
glanceAt(RedisConnection &connection, const QueueName &queue, const QList<TaskId> &ids);
/// See AsynqInspector::observe.
[[nodiscard]] Result<QList<TaskSeen>>
observeTasks(RedisConnection &connection, const QueueName &queue, const QList<TaskId> &ids);
/// See AsynqInspector::oldestArchived.
[[nodiscard]] Result<QList<TaskGuard>> oldestArchived(RedisConnection &connection,
                                                      const QueueName &queue, int count);

/// asynq's own word for a state, as it stands in a hash.
[[nodiscard]] std::optional<TaskState> stateFromHash(const QByteArray &word);
/// What guards an act on a task in this state: its pending_since, the end of its lease, or its
/// score.
[[nodiscard]] QByteArray stampOf(TaskState state, const RedisReply &pendingSince,
                                 const RedisReply &lease, const RedisReply &score);
/// Puts the container's score where it belongs for that state: next run, archived at, kept until.
void setScore(Task &task, const std::optional<QDateTime> &score);

} // namespace outbox::asynq
