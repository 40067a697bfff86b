// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// From one answer of the enqueue script to what the relay is told.
#pragma once

#include "connectors/redis/reply.h"
#include "models/task.h"

namespace outbox::asynq {

struct EnqueueFinding
{
    EnqueueAnswer answer{};
    bool unseen = false; ///< `Exists`, but its container was not searched to the end
    QByteArray group{}; ///< of an aggregating task
};

/// `reply` is no error that concerns the server; others make the row `Rejected`.
[[nodiscard]] EnqueueFinding readEnqueueReply(const EnqueueRequest &request,
                                              const RedisReply &reply);

/// What is said of a message whose id stands nowhere, though its hash says `state`.
[[nodiscard]] EnqueueAnswer orphanAnswer(const QString &state, bool same);

} // namespace outbox::asynq
