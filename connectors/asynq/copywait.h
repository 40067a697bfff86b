// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// WAIT and WAITAOF: whether replicas and the disk have what was written.
#pragma once

#include "connectors/redis/connection.h"
#include "connectors/taskqueue.h"
#include "models/ids.h"
#include "models/message/task.h"
#include "models/result.h"

#include <QHash>
#include <QList>

#include <utility>

namespace outbox::asynq {

/// Whether the copies that `terms` ask for of all that its connection has written so far are there,
/// for each server, in the order of `nodes`. Each is asked before any is read. Blocking; in the
/// room of the connections.
/// Errors: those of `RedisConnection` and of a reply, each for its server alone; Timeout where the
/// copies are not there in time, Refused where the server cannot say it of its disk.
[[nodiscard]] QList<Result<void>> askForCopies(const QList<RedisConnection *> &nodes,
                                               const CopyTerms &terms);
/// Whether each server can say of its disk what was written there; waits for nothing. As above.
[[nodiscard]] QList<Result<void>> tryWaitForDisk(const QList<RedisConnection *> &nodes);

/// By whom something was answered: a connection, and how often it had been made by then.
using AnswerPlace = std::pair<RedisConnection *, qint64>;

/// The same for queues, each with the node of a Cluster that answered for it: those of which not
/// all copies are there of what was written there, with what is said of their rows. Blocking, as
/// above.
[[nodiscard]] QHash<QueueName, EnqueueAnswer>
withoutCopies(const QHash<QueueName, AnswerPlace> &answered, const CopyTerms &terms);

/// Why nothing is known of the copies of a queue.
[[nodiscard]] Failure nobodyAnswered(const CopyTerms &terms);

} // namespace outbox::asynq
