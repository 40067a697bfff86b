// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task hashes as they lie in Redis, whole: what an export keeps, and what a replacement is made of.
// Errors: those of `RedisConnection`.
#pragma once

#include "connectors/asynq/edit/taskeditor.h"

#include <optional>
#include <utility>

namespace outbox::asynq {

/// See TaskEditor::stored.
[[nodiscard]] Result<QList<StoredTask>>
readStored(RedisConnection &connection, const QueueName &queue, const QList<TaskId> &ids);

/// The value of a field of the hash; empty where there is none.
[[nodiscard]] QByteArray fieldOf(const StoredTask &task, const QByteArray &name);

/// State and stamp as they stood when the task was read.
[[nodiscard]] TaskGuard guardOf(const StoredTask &task);

/// Why this cannot be put back under its id, for people; empty when it can. A sound task must hold
/// its own message: what a worker would run is the message, not the id above it. Bytes that are no
/// message at all come back as they were.
[[nodiscard]] QString restoreObstacle(const StoredTask &task);

/// Whether it was enqueued as unique and comes back without its lock: that is over, or an older
/// file does not hold it.
[[nodiscard]] bool lacksLock(const StoredTask &task);

/// Whether its message says that a worker had it in hand: a retry, a failure, an end.
[[nodiscard]] bool wasTried(const StoredTask &task);

/// The arguments of restore-tasks.lua for a task that can be put back. `instead`: the stamp of the
/// pending task whose place it takes, empty for none.
[[nodiscard]] QByteArrayList restoreArguments(const StoredTask &task, const QByteArray &instead);

/// A stored message, empty where there is none, and the one that takes its place, empty where what
/// is stored cannot be understood.
using Replacement = std::pair<QByteArray, QByteArray>;

/// Reads the messages of `ids` from `from` on, as many as fit in 16 MiB and at least one, and makes
/// the messages that an enqueue of the same work would store.
[[nodiscard]] Result<QList<Replacement>> readReplacements(RedisConnection &connection,
                                                          const QueueName &queue,
                                                          const QList<TaskId> &ids, qsizetype from);

} // namespace outbox::asynq
