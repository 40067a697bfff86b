// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The hand that moves and removes asynq tasks, for an operator: scripts of our own, each guarded by
// the state and the stamp that were seen of a task (asynq-protocol 8 and 10.6).
#pragma once

#include "connectors/asynq/observe/taskguard.h"
#include "connectors/redis/cluster/clusterlink.h"
#include "models/ids.h"
#include "models/message/messagestate.h"
#include "models/message/task.h"
#include "models/message/tombstone.h"
#include "models/result.h"

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QString>

#include <memory>

namespace outbox {

/// What a script did to one task; answers stand in the order of the guards, or of the repairs.
struct TaskAnswer
{
    enum class Kind {
        Done,
        Changed, ///< not in the state, or with the stamp or signature, that was seen: nothing was
                 ///< written
        Gone, ///< no such task any more
        Active, ///< a worker runs it: nothing was written
        Damaged, ///< a stub, an orphan or a key of the wrong type: nothing was written
        Full, ///< archive, or a repair into it: it would pass 9,999; nothing was written
        Failed, ///< the server refused, or the verb or repair means nothing for it: it is as it was
        InDoubt, ///< of repairs alone: the server answered an error, and it is not as it was seen
    };
    Kind kind = Kind::Failed;
    TaskState state = TaskState::None; ///< found: before for Changed, after for Done
    QByteArray stamp; ///< after, for Done
    QString detail;

    bool operator==(const TaskAnswer &) const = default;
};

/// A task hash with its place, byte for byte: what an export keeps and `restore` puts back.
struct StoredTask
{
    TaskId id;
    QueueName queue;
    TaskState state = TaskState::None;
    QByteArray score; ///< of its sorted set; empty for lists
    QList<QPair<QByteArray, QByteArray>> fields; ///< of the hash, by name
    QByteArray lockedUntil; ///< Unix ms: the end of the unique lock that is its own; empty: none

    bool operator==(const StoredTask &) const = default;
};

/// The operation that left it, from its result; empty where there is none.
[[nodiscard]] QString tombstoneOwner(const QByteArray &result);

/// Blocking; made and used in one thread (the operator's room), opened with Act access. A call
/// takes as many guards as one likes: it cuts them into scripts of at most 500 ids, fewer where ids
/// stand deep in a long list, so that no script holds Redis for more than a few ms (one pending id
/// deep in a list of a million costs 20 ms by itself). When the Result fails with Timeout,
/// Unreachable or Protocol, what was sent last may or may not have happened: look again. When it
/// fails otherwise, or with an `effect` of None, nothing was written; a refusal after the first
/// script makes the rest Failed. Of a Cluster the node is asked that has the queue; it takes no
/// edit while the queue's slot is being moved.
/// Errors: those of `RedisConnection` and of `QueueNode`; Invalid for a message that cannot be
/// encoded.
class TaskEditor
{
public:
    TaskEditor();
    ~TaskEditor();
    TaskEditor(const TaskEditor &) = delete;
    TaskEditor &operator=(const TaskEditor &) = delete;

    [[nodiscard]] Result<void> open(const RedisEndpoint &endpoint, const QString &clientName,
                                    std::chrono::milliseconds timeout = std::chrono::seconds(3));
    void close();
    [[nodiscard]] bool isOpen() const;
    /// Whether what was opened answers still. Of a Cluster it is enough to know who has which slot:
    /// a node that is lost is noticed before it is sent a write.
    [[nodiscard]] bool isReady();
    [[nodiscard]] ClusterLink &link();

    /// To pending, from scheduled, retry, archived, completed or a group; sets pending_since.
    [[nodiscard]] Result<QList<TaskAnswer>> run(const QueueName &queue,
                                                const QList<TaskGuard> &tasks);
    /// To the archive, from pending, scheduled, retry or a group. Never trims: a task that would be
    /// number 10,000 is answered Full; make room with `remove` first.
    [[nodiscard]] Result<QList<TaskAnswer>> archive(const QueueName &queue,
                                                    const QList<TaskGuard> &tasks);
    /// Out of its container, its unique lock (when it is its own) and its hash, together. Any state
    /// but active.
    [[nodiscard]] Result<QList<TaskAnswer>> remove(const QueueName &queue,
                                                   const QList<TaskGuard> &tasks);
    /// `remove` and an enqueue of the same type, payload, queue, retries, timeout, deadline,
    /// retention and headers, with no retries used, in one script. A deadline that is over is left
    /// out, or no worker could run it. The new task keeps the unique lock and has no group. Answers
    /// Changed also when the message is no longer the one that was read.
    [[nodiscard]] Result<QList<TaskAnswer>> replace(const QueueName &queue,
                                                    const QList<TaskGuard> &tasks);
    /// Reads tasks whole, for an export: those that are hashes. States are told by the hash and the
    /// sorted sets; lists are not searched.
    [[nodiscard]] Result<QList<StoredTask>> stored(const QueueName &queue,
                                                   const QList<TaskId> &ids);
    /// Puts exported tasks back into their containers: pending ones to run last, an active one
    /// among them; a stub or an orphan as what it was. An id that exists is answered Changed, an
    /// archive that would pass 9,999 Full. A unique lock is taken again for the rest of its time
    /// where it is free; where it is not, the detail of Done says so. `instead`: stamps of pending
    /// tasks that stand under some of the ids and go in the same step; where such a task is not
    /// there any more nothing is put back.
    [[nodiscard]] Result<QList<TaskAnswer>> restore(const QueueName &queue,
                                                    const QList<StoredTask> &tasks,
                                                    const QHash<TaskId, QByteArray> &instead = {});

    /// Leaves a completed record without payload under an id where nothing is, so that an enqueue
    /// that is still on its way is refused; `operation` stands in its result. Answers Changed where
    /// something is. The record never equals a message: a relay that meets it parks.
    [[nodiscard]] Result<QList<TaskAnswer>> placeTombstone(const QueueName &queue,
                                                           const QList<TaskId> &ids,
                                                           qint64 retentionSeconds,
                                                           const QString &operation);
    /// Takes away the record that `placeTombstone` left for this operation, and no other.
    [[nodiscard]] Result<QList<TaskAnswer>>
    removeTombstone(const QueueName &queue, const QList<TaskId> &ids, const QString &operation);

    /// True when it was not paused before.
    [[nodiscard]] Result<bool> pause(const QueueName &queue);
    /// True when it was paused before.
    [[nodiscard]] Result<bool> unpause(const QueueName &queue);
    /// Asks the workers; best effort, nobody answers.
    [[nodiscard]] Result<void> cancel(const QList<TaskId> &ids);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace outbox
