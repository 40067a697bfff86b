// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Repairs what a survey found in a queue: one script that sees for itself, inside Redis, whether
// each id is still as it was seen.
#pragma once

#include "connectors/asynq/edit/taskeditor.h"
#include "connectors/redis/cluster/clusterlink.h"
#include "connectors/redis/script.h"
#include "models/operations/finding.h"

#include <QByteArray>
#include <QList>

namespace outbox {

namespace asynq {
class QueueNode;
}

/// One id, what to do, and the signature it must have.
struct RepairStep
{
    TaskId task;
    Repair repair = Repair::None; ///< None: only compares
    QByteArray signature;

    bool operator==(const RepairStep &) const = default;
};

/// Blocking. Needs Act access. Cuts what it is given into scripts of at most 500 ids, fewer where
/// the lists are long or the messages large, so that none holds Redis for more than a few ms.
/// Of a Cluster the node is asked that has the queue; it takes no repair while the queue's slot is
/// being moved.
/// Errors: those of `RedisConnection` and of `QueueNode`.
class TaskRepairer
{
public:
    /// `link` is open, with Act access, and outlives the repairer.
    explicit TaskRepairer(ClusterLink &link);

    /// Repairs of tasks: None, Drop, Requeue, ClearLease, Settle, RestoreStatus, Reattach. Answers
    /// stand in the order of `tasks`, without states and stamps, and are Done, Changed, Full,
    /// Failed or InDoubt; the detail of Changed is the signature found, that of Failed and InDoubt
    /// the error. Fails with Timeout or Unreachable when the outcome of a script is not
    /// known; every other error is the answer of the ids that it concerns.
    [[nodiscard]] Result<QList<TaskAnswer>> repair(const QueueName &queue,
                                                   const QList<RepairStep> &tasks);
    /// False when the lock is gone, names another task than `id`, or is held after all.
    [[nodiscard]] Result<bool> freeLock(const QueueName &queue, const QByteArray &id,
                                        const QByteArray &lock);
    /// Puts the queue's name on asynq's list.
    [[nodiscard]] Result<void> registerQueue(const QueueName &queue);

private:
    [[nodiscard]] Result<RedisReply> run(asynq::QueueNode &node, const QByteArrayList &keys,
                                         const QByteArrayList &arguments, const QString &doing);
    /// What a script that ended in an error did to each of `tasks`: scripts are not rolled back.
    [[nodiscard]] QList<TaskAnswer> lookAfter(const Error &error, const QueueName &queue,
                                              const QList<RepairStep> &tasks);

    ClusterLink &m_link;
    RedisScript m_repair;
    RedisScript m_freeLock;
    qsizetype m_atOnce = 50; ///< ids a script; grows and shrinks with what it takes
};

} // namespace outbox
