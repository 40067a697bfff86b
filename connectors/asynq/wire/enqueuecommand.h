// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The calls of the enqueue script: from outbox rows to the bytes of a call, and from its answer to
// what the relay is told of each task in it.
#pragma once

#include "connectors/asynq/wire/enqueuemessage.h"
#include "connectors/asynq/wire/queuefence.h"
#include "connectors/redis/reply.h"
#include "connectors/redis/script.h"
#include "connectors/redis/wire.h"
#include "models/message/task.h"
#include "models/result.h"

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

/// What an answer says of one task.
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

/// What an error reply that does not concern the server says of the only task in a call.
[[nodiscard]] EnqueueFinding rejectedBy(const RedisReply &error);

/// The reply tells of a key of the queue that holds something else: no task of it can be stored,
/// and no other queue is concerned.
[[nodiscard]] bool concernsQueue(const RedisReply &reply);
[[nodiscard]] EnqueueFinding brokenQueue(const RedisReply &error);
/// What is said of each task of a queue whose node did not answer, or answered of itself; `node` is
/// its "host:port", as far as it is known.
[[nodiscard]] EnqueueAnswer awayQueue(const Result<RedisReply> &answer, const QString &node);

/// What is said of a message whose id stands nowhere, though its hash says `state`.
[[nodiscard]] EnqueueAnswer orphanAnswer(const QString &state, bool same);

/// Writes calls of the script, keeping what repeats from call to call in RESP form, and reads what
/// is answered to them.
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
    /// Writes down what `reply`, which is no error, says of the rows of `call`. Fails with Protocol
    /// when it makes no sense; then nothing is known of any of them. Where `askAlone` is set
    /// afterwards, the answer had no room for all that has to be known. `rowKeys` as for
    /// `AsynqQueue::setRowKeys`.
    [[nodiscard]] static Result<void> read(const QList<EnqueueRequest> &batch,
                                           const EnqueueCall &call, const RedisReply &reply,
                                           QList<EnqueueFinding> &findings,
                                           const QStringList &rowKeys = {});

private:
    /// The keys that all tasks of a queue share, in RESP form.
    [[nodiscard]] const QByteArray &containersOf(const QueueName &queue);
    void begin(RedisWire &wire, const QByteArray &containers, qsizetype tasks, qsizetype others,
               bool isInFull, const QueueFence::Stamp &stamp) const;
    /// `taskPrefix` is that of the tasks' keys.
    static void addCommon(RedisWire &wire, const QByteArray &taskPrefix, qint64 nowNs,
                          const QueueFence::Stamp &stamp, qsizetype others, bool mayReturn);

    RedisScript m_script;
    QHash<QueueName, QByteArray> m_containers; ///< of each queue that was met
    EnqueueMessage m_message;
};

} // namespace outbox::asynq
