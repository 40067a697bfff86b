// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Puts tasks into a real Redis by hand, as asynq-protocol says that asynq does.
#pragma once

#include "connectors/asynq/wire/taskmessage.h"
#include "connectors/redis/connection.h"
#include "models/message/task.h"

#include <QMap>

namespace outbox {

/// A row of the queue "default", one day of retention.
[[nodiscard]] EnqueueRequest sampleRequest(const QString &id);
/// The rows "row-0", "row-1" and so on.
[[nodiscard]] QList<EnqueueRequest> sampleBatch(int size, const QByteArray &payload = "{}");
[[nodiscard]] asynq::TaskMessage messageOf(const EnqueueRequest &request);

/// The task of `request` in any of the seven sound states; scores are one hour from now, "g" is the
/// group.
[[nodiscard]] Result<void> placeTask(RedisConnection &redis, const EnqueueRequest &request,
                                     TaskState state);
/// The same with a message that has a history, or with any bytes at all.
[[nodiscard]] Result<void> placeMessage(RedisConnection &redis, const EnqueueRequest &request,
                                        TaskState state, const asynq::TaskMessage &message);
[[nodiscard]] Result<void> placeBytes(RedisConnection &redis, const EnqueueRequest &request,
                                      TaskState state, const QByteArray &message);

/// The containers of the queue "default" in which the id stands, by their names behind the prefix.
[[nodiscard]] QByteArrayList containersOf(RedisConnection &redis, const QByteArray &id);
/// Fields and values of a hash.
[[nodiscard]] QMap<QByteArray, QByteArray> hashAt(RedisConnection &redis, const QByteArray &key);
/// Every key with all that it holds, for "nothing was written".
[[nodiscard]] QMap<QByteArray, QByteArray> wholeRedis(RedisConnection &redis);
/// The number that a command answers; -1 when it fails.
[[nodiscard]] qint64 numberOf(RedisConnection &redis, const RedisCommand &command);

} // namespace outbox
