// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads all that Redis holds about a number of ids, and tells those that moved while it read.
// Errors: those of `RedisConnection`.
#pragma once

#include "connectors/asynq/observe/taskfacts.h"
#include "connectors/redis/connection.h"

#include <QHash>

namespace outbox::asynq {

/// Messages over this are not read: they are never judged undecodable, and never repaired.
inline constexpr qint64 mostMessageBytes = 16LL * 1024 * 1024;

/// Ids to look at, each with the keys of groups it was seen in.
using Suspects = QHash<QByteArray, QByteArrayList>;

struct FactsReading
{
    QHash<QByteArray, TaskFacts> facts; ///< of those that stood still
    QByteArrayList moving; ///< something of them changed meanwhile
};

/// One look: each id's hash and sorted sets, one pass over both lists for all of them, then hash
/// and sorted sets again. What differs between the two is `moving`. Plain reads in pipelines of a
/// hundred ids; nobody is blocked.
[[nodiscard]] Result<FactsReading> readFacts(RedisConnection &connection, const QueueName &queue,
                                             const Suspects &suspects);

/// Fills in what the message says; false when it is not there any more.
bool takeMessage(const QByteArray &bytes, TaskFacts &facts);

} // namespace outbox::asynq
