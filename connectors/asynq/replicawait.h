// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// WAIT: how many replicas have what was written.
#pragma once

#include "connectors/redis/connection.h"
#include "models/ids.h"
#include "models/message/task.h"
#include "models/result.h"

#include <QHash>
#include <QList>

#include <utility>

namespace outbox::asynq {

/// How many replicas of each server have all that its connection has written so far, in the order
/// of `nodes`; each answers when `replicas` of them do, or after `timeoutMs`. All are asked before
/// any is read. Blocking; in the room of the connections.
/// Errors: those of `RedisConnection` and of a reply, each for its server alone.
[[nodiscard]] QList<Result<int>> countReplicas(const QList<RedisConnection *> &nodes, int replicas,
                                               int timeoutMs);

/// By whom something was answered: a connection, and how often it had been made by then.
using AnswerPlace = std::pair<RedisConnection *, qint64>;

/// The same for queues, each with the node of a Cluster that answered for it: those of which too
/// few replicas have what was written there, with what is said of their rows. Blocking, as above.
[[nodiscard]] QHash<QueueName, EnqueueAnswer>
withoutCopies(const QHash<QueueName, AnswerPlace> &answered, int replicas, int timeoutMs);

/// Why nothing is known of the copies of a queue.
[[nodiscard]] Failure nobodyAnswered();

/// What is said where `have` of the `replicas` replicas of a server have what was written.
[[nodiscard]] Error tooFewReplicas(int have, int replicas, int timeoutMs);

} // namespace outbox::asynq
