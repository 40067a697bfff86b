// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// From outbox rows to the bytes of calls of the enqueue script.
#pragma once

#include "connectors/asynq/wire/enqueuemessage.h"
#include "connectors/asynq/wire/queuefence.h"
#include "connectors/redis/script.h"
#include "connectors/redis/wire.h"
#include "models/message/task.h"

#include <QHash>

namespace outbox::asynq {

/// The largest message Redis takes as one value.
inline constexpr qint64 maxMessageBytes = 512LL * 1024 * 1024;
/// Nobody else is served while a call runs: so many tasks are stored in about half a millisecond.
inline constexpr qsizetype tasksPerCall = 128;
inline constexpr qsizetype bytesPerCall = 1024LL * 1024; ///< a larger task is alone in its call

/// Why this row must never be sent; empty when it may.
[[nodiscard]] QString refusal(const EnqueueRequest &request);

using EnqueueRows = QList<qsizetype>; ///< positions in a batch

/// The rows of one call, all of one queue.
struct EnqueueCall
{
    EnqueueRows rows;
    qsizetype bytes = 0; ///< about what it has on the wire
    qsizetype firstOther = 0; ///< of the other ids of each task those from here on are asked for
};

/// Shares rows out among calls. The rows of a queue keep their order.
[[nodiscard]] QList<EnqueueCall> callsFor(const QList<EnqueueRequest> &batch,
                                          const EnqueueRows &rows, qsizetype firstOther = 0);

/// Writes calls of the script, keeping what repeats from call to call in RESP form.
class EnqueueCommand
{
public:
    EnqueueCommand();

    [[nodiscard]] const RedisScript &script() const { return m_script; }
    /// Appends one call. No row of it may be refused; `nowNs` is Unix time in nanoseconds. The
    /// script is named by its hash, which is short, and which Redis may have forgotten; `isInFull`:
    /// by its text, so that Redis needs to remember nothing.
    void append(RedisWire &wire, const QList<EnqueueRequest> &batch, const EnqueueCall &call,
                qint64 nowNs, bool isInFull, const QueueFence::Stamp &stamp);
    /// A call without tasks: it only meets the queue's fence.
    void appendMeeting(RedisWire &wire, const QueueName &queue, const QueueFence::Stamp &stamp);

private:
    /// The keys that all tasks of a queue share, in RESP form.
    [[nodiscard]] const QByteArray &containersOf(const QueueName &queue);
    void begin(RedisWire &wire, const QByteArray &containers, qsizetype tasks, qsizetype others,
               bool isInFull) const;
    /// `taskPrefix` is that of the tasks' keys.
    static void addCommon(RedisWire &wire, const QByteArray &taskPrefix, qint64 nowNs,
                          const QueueFence::Stamp &stamp, qsizetype others, bool mayReturn);

    RedisScript m_script;
    QHash<QueueName, QByteArray> m_containers; ///< of each queue that was met
    EnqueueMessage m_message;
};

} // namespace outbox::asynq
