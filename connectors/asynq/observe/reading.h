// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What all looks at a queue have in common: asking, and turning replies into numbers and times.
// Errors: those of `RedisConnection`.
#pragma once

#include "connectors/redis/connection.h"

#include <QDateTime>

#include <optional>

namespace outbox::asynq {

/// Opens the connection again if need be and sends one pipeline; an error names `doing`. Error
/// replies stay values in the list, but for those by which a node of a Cluster says that the slot
/// is elsewhere: nothing is known then, and the whole fails.
[[nodiscard]] Result<QList<RedisReply>>
ask(RedisConnection &connection, const QList<RedisCommand> &commands, const QString &doing);
/// The same; the first error reply fails the whole, for looks in which each number counts.
[[nodiscard]] Result<QList<RedisReply>>
askAll(RedisConnection &connection, const QList<RedisCommand> &commands, const QString &doing);

/// Answer of TIME.
[[nodiscard]] QDateTime redisTime(const RedisReply &reply);
/// A text reply that is a number, or an integer reply.
[[nodiscard]] std::optional<qint64> numberOf(const RedisReply &reply);
/// A score as Unix seconds; nullopt when the member is not there.
[[nodiscard]] std::optional<QDateTime> momentOf(const RedisReply &score);
/// `pending_since`, which is in nanoseconds.
[[nodiscard]] std::optional<QDateTime> nanosecondsOf(const RedisReply &reply);

} // namespace outbox::asynq
