// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// From one answer of the enqueue script to what the relay is told of each task in it.
#pragma once

#include "connectors/asynq/wire/enqueuecommand.h"
#include "connectors/redis/reply.h"
#include "models/message/task.h"
#include "models/result.h"

namespace outbox::asynq {

struct EnqueueFinding
{
    EnqueueAnswer answer{};
    bool unseen = false; ///< `Exists`, but its container was not searched to the end
    bool askAlone = false; ///< nothing is known yet
    TaskId id{}; ///< under which it stands
    /// So many of the other ids that were asked for are other messages'; the rest is not known.
    qsizetype ruledOut = 0;
    QByteArray group{}; ///< of an aggregating task
};

/// Writes down what `reply`, which is no error, says of the rows of `call`. Fails with Protocol
/// when it makes no sense; then nothing is known of any of them. Where `askAlone` is set
/// afterwards, the answer had no room for all that has to be known. `rowKeys` as for
/// `AsynqQueue::setRowKeys`.
[[nodiscard]] Result<void> readEnqueueReply(const QList<EnqueueRequest> &batch,
                                            const EnqueueCall &call, const RedisReply &reply,
                                            QList<EnqueueFinding> &findings,
                                            const QStringList &rowKeys = {});

/// What an error reply that does not concern the server says of the only task in a call.
[[nodiscard]] EnqueueFinding rejectedBy(const RedisReply &error);

/// The reply tells of a key of the queue that holds something else: no task of it can be stored,
/// and no other queue is concerned.
[[nodiscard]] bool concernsQueue(const RedisReply &reply);
[[nodiscard]] EnqueueFinding brokenQueue(const RedisReply &error);

/// What is said of a message whose id stands nowhere, though its hash says `state`.
[[nodiscard]] EnqueueAnswer orphanAnswer(const QString &state, bool same);

} // namespace outbox::asynq
