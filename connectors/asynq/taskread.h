// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tasks as they stand: by pages of a container, one by its id, many at a glance.
#pragma once

#include "connectors/asynq/inspector.h"

namespace outbox::asynq {

/// See AsynqInspector::tasks. The cursor is an offset: tasks that come and go between two pages may
/// be seen twice or not at all.
[[nodiscard]] Result<TaskPage> readPage(RedisConnection &connection, const QueueName &queue,
                                        TaskState state, int limit, const QString &after,
                                        int payloadBytes);
/// See AsynqInspector::find.
[[nodiscard]] Result<std::optional<Task>> findTask(RedisConnection &connection,
                                                   const QueueName &queue, const TaskId &id);
/// See AsynqInspector::glance.
[[nodiscard]] Result<QHash<TaskId, TaskGlance>>
glanceAt(RedisConnection &connection, const QueueName &queue, const QList<TaskId> &ids);

/// asynq's own word for a state, as it stands in a hash.
[[nodiscard]] std::optional<TaskState> stateFromHash(const QByteArray &word);
/// Puts the container's score where it belongs for that state: next run, archived at, kept until.
void setScore(Task &task, const std::optional<QDateTime> &score);

} // namespace outbox::asynq
