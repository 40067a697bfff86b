// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Another message for one task, under the same id: what an edit reads of it, and the guarded write.
// Errors: those of `RedisConnection` and of `QueueNode`.
#pragma once

#include "connectors/asynq/edit/taskeditor.h"
#include "connectors/asynq/observe/inspector.h"
#include "models/content/rowcontent.h"
#include "models/message/task.h"

#include <optional>

namespace outbox::asynq {

/// Of a task that was seen in `seen`: the fields of its hash that an edit is about, its score, and
/// whether its unique lock is its own (`lockedUntil`). nullopt: its hash is gone, or says another
/// state by now. Only reads.
[[nodiscard]] Result<std::optional<StoredTask>> readForEdit(AsynqInspector &inspector,
                                                            const QueueName &queue,
                                                            const TaskId &id, const TaskSeen &seen);

/// The task as an editor shows it, `RowContent::queue` among it. Fails with Protocol where its
/// message cannot be decoded.
[[nodiscard]] Result<RowContent> contentOfTask(const StoredTask &task);

/// The parts that may be changed, each with what it is to hold. Fails with Invalid where something
/// else is asked for, or what no task can hold.
[[nodiscard]] Result<QList<EditedCell>> cellsOfTask(const RowContent &content, const RowEdit &edit);

/// What Redis is to hold behind such an edit at `now`: a dead task waits for a worker, or for the
/// time that is wanted; another one stays where it is, unless a time is wanted. Fails with Protocol
/// and Invalid.
[[nodiscard]] Result<TaskChange> changeOfTask(const StoredTask &task, const RowEdit &edit,
                                              const QDateTime &now);

/// What puts it back: `old`, as an export holds it, in the place of the message that it has now.
[[nodiscard]] TaskChange changeBack(const StoredTask &old, const StoredTask &now);

/// Blocking; `link` is open with Act access. One script: nothing is written where the task is not
/// as `task` and `change` say that it was seen. Answers Full where the archive has no room for it.
/// When this fails with Timeout, Unreachable or Protocol, and no `effect` of None, it may have
/// happened.
[[nodiscard]] Result<TaskAnswer> changeTask(ClusterLink &link, const QueueName &queue,
                                            const TaskGuard &task, const TaskChange &change);

} // namespace outbox::asynq
