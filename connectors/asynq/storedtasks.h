// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task hashes as they lie in Redis, whole: what an export keeps, and what a replacement is made of.
#pragma once

#include "connectors/asynq/taskeditor.h"

#include <optional>

namespace outbox::asynq {

/// See TaskEditor::stored.
[[nodiscard]] Result<QList<StoredTask>>
readStored(RedisConnection &connection, const QueueName &queue, const QList<TaskId> &ids);

/// The arguments of restore-tasks.lua for one task; nullopt when it cannot be put back. `instead`:
/// the stamp of the pending task whose place it takes, empty for none.
[[nodiscard]] std::optional<QByteArrayList> restoreArguments(const StoredTask &task,
                                                             const QByteArray &instead);

/// A stored message and the one that takes its place, for a part of the ids.
struct Replacement
{
    QByteArray read; ///< empty: there is none
    QByteArray fresh; ///< empty: what is stored cannot be understood
};
/// Reads the messages of `ids` from `from` on, as many as fit in 16 MiB and at least one, and makes
/// the messages that an enqueue of the same work would store.
[[nodiscard]] Result<QList<Replacement>> readReplacements(RedisConnection &connection,
                                                          const QueueName &queue,
                                                          const QList<TaskId> &ids, qsizetype from);

} // namespace outbox::asynq
