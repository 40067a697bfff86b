// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// From an outbox row to the bytes of one call of the enqueue script.
#pragma once

#include "connectors/redis/script.h"
#include "connectors/redis/wire.h"
#include "models/task.h"

#include <QHash>

#include <memory>

namespace outbox::wire {
class TaskMessage;
}

namespace outbox::asynq {

/// The largest message Redis takes as one value.
inline constexpr qint64 maxMessageBytes = 512LL * 1024 * 1024;

/// Why this row must never be sent; empty when it may.
[[nodiscard]] QString refusal(const EnqueueRequest &request);

/// Writes calls of the script, keeping what repeats from row to row in RESP form.
class EnqueueCommand
{
public:
    EnqueueCommand();
    ~EnqueueCommand();

    [[nodiscard]] const RedisScript &script() const { return m_script; }
    /// Appends one call. `request` must not be refused; `nowNs` is Unix time in nanoseconds.
    void append(RedisWire &wire, const EnqueueRequest &request, qint64 nowNs);

private:
    struct QueuePart
    {
        QByteArray taskPrefix; ///< of the task's key
        QByteArray containers; ///< the other keys, in RESP form
    };
    [[nodiscard]] const QueuePart &partOf(const QueueName &queue);

    RedisScript m_script;
    QHash<QueueName, QueuePart> m_queues;
    std::unique_ptr<wire::TaskMessage> m_message; ///< reused: keeps its buffers
};

} // namespace outbox::asynq
