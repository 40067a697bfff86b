// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Looks at asynq queues with plain, cheap reads: no script, no KEYS, no whole container.
#pragma once

#include "connectors/asynq/observe/taskguard.h"
#include "connectors/asynq/wire/keys.h"
#include "connectors/redis/cluster/clusterlink.h"
#include "models/message/task.h"
#include "models/operations/plan.h"
#include "models/result.h"
#include "models/system/snapshots.h"

#include <QHash>

#include <optional>
#include <utility>

namespace outbox {

/// What stands under a task id right now, as little as a table column needs.
struct TaskGlance
{
    TaskState state = TaskState::None;
    std::optional<QDateTime> keptUntil; ///< Completed: when the id becomes free, an estimate

    bool operator==(const TaskGlance &) const = default;
};

/// Read-only view of the queues in one Redis database, or in a Cluster. Lives in the queue room.
/// Every call is one to three pipelines, with a deadline; costs stand in asynq-protocol 11. Of a
/// Cluster the node is asked that has the queue, and for several queues one after the other.
/// Errors: those of `ClusterLink`. A queue whose slot is being moved cannot be looked at until
/// then.
class AsynqInspector
{
public:
    /// Opens the connection with ReadOnly access.
    [[nodiscard]] Result<void> open(const RedisEndpoint &endpoint, const QString &clientName,
                                    std::chrono::milliseconds timeout = std::chrono::seconds(3));
    /// The same where no connection is up.
    [[nodiscard]] Result<void> ready(const RedisEndpoint &endpoint, const QString &clientName)
    {
        return isOpen() ? Result<void>() : open(endpoint, clientName);
    }
    void close() { m_link.close(); }
    [[nodiscard]] bool isOpen() const { return m_link.isOpen(); }
    [[nodiscard]] bool isOfCluster() const { return m_link.isCluster(); }
    /// Runs `look(connection)`, which answers a Result, with the server that has the queue; of a
    /// Cluster again where the slot turns out to be at another node.
    template <typename Look> [[nodiscard]] auto at(const QueueName &queue, Look look)
    {
        return m_link.at(asynq::QueueKeys(queue).pending(), look);
    }

    [[nodiscard]] Result<QList<QueueName>> queues();
    /// Whether the queue is on asynq's list of them.
    [[nodiscard]] Result<bool> isListed(const QueueName &queue);
    /// One step of a walk through all keys, see `asynq::scanQueueNames`; of a Cluster it goes from
    /// primary to primary, and fails where one cannot be asked, see `walkOn`.
    [[nodiscard]] Result<QList<QueueName>> walkToQueues(QByteArray &cursor);
    /// Sizes of the queues asked for; a queue that no one knows answers with `known == false`.
    [[nodiscard]] Result<QList<QueueSnapshot>> snapshot(const QList<QueueName> &names);
    [[nodiscard]] Result<DedupSnapshot> dedup(const QueueName &queue);
    /// Tasks in one state: pending next-to-run first, scheduled, retry and completed soonest first,
    /// archived newest first. Payloads are cut at `payloadBytes` (whole messages over 1 MiB are not
    /// read).
    [[nodiscard]] Result<TaskPage> tasks(const QueueName &queue, TaskState state, int limit,
                                         const QString &after, int payloadBytes = 256);
    /// One task with its whole payload; nullopt when nothing stands under the id. A message or a
    /// result of more than `mostBytes` (0: of any size) is not read: then a note says so, the type
    /// is empty and `payloadBytes` is the whole message's.
    [[nodiscard]] Result<std::optional<Task>> find(const QueueName &queue, const TaskId &id,
                                                   qint64 mostBytes = 0);
    /// The first of these ids that stands anywhere: in `first`, else in any queue that exists.
    [[nodiscard]] Result<std::optional<Task>>
    findAnywhere(const QueueName &first, const QList<TaskId> &ids, qint64 mostBytes = 0);
    /// One step through the names of all keys, for task ids of any queue that consist of these
    /// parts with anything between them: a thousand keys or so, 1 to 10 ms. The same task may come
    /// again. `cursor` is empty at first, and again after the last step; an error leaves it
    /// as it was. For a search that somebody asked for, never on a timer. Of a Cluster as
    /// `walkToQueues`.
    [[nodiscard]] Result<QList<std::pair<QueueName, TaskId>>> tasksNamed(const QStringList &parts,
                                                                         QString &cursor);
    /// One pipelined read for a page of ids.
    [[nodiscard]] Result<QHash<TaskId, TaskGlance>> glance(const QueueName &queue,
                                                           const QList<TaskId> &ids);
    /// What stands under many ids, exactly enough to plan an act on them: a stub, an orphan and a
    /// key of the wrong type are told apart from sound tasks. Lists are paged through once for all
    /// ids, so ask for all of them in one call. Messages over 64 KiB are not read: their type is
    /// empty and `payloadBytes` is the whole message's. In the order of `ids`.
    [[nodiscard]] Result<QList<TaskSeen>> observe(const QueueName &queue, const QList<TaskId> &ids);
    /// The tasks that lie in the archive longest, at most `count`: who wants room in it removes
    /// these first.
    [[nodiscard]] Result<QList<TaskGuard>> oldestArchived(const QueueName &queue, int count);
    [[nodiscard]] Result<QList<QueueServer>> servers();
    [[nodiscard]] Result<QList<QueueWorker>> workers();
    [[nodiscard]] Result<QList<SchedulerEntry>> schedulers();
    /// Of a Cluster those of all primaries together, see `asynq::ofAllNodes`; fails where one
    /// cannot be reached.
    [[nodiscard]] Result<RedisFacts> facts();

private:
    ClusterLink m_link;
};

} // namespace outbox
