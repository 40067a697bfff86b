// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The queues of one profile, looked at again and again through a room of its own.
#pragma once

#include "app/system/sourcefeed.h"
#include "app/system/sources/queuereading.h"
#include "models/message/taskwalk.h"

#include <optional>

namespace outbox {

/// Sizes each interval, servers, retained ids and what tasks died of every five, the visible tasks
/// every two. Only plain reads. Where no Redis is named it asks nothing by itself. Lives in the
/// asker's thread.
class QueueFeed : public SourceFeed
{
    Q_OBJECT

public:
    QueueFeed(Profile profile, ProfilePasswords secrets, QObject *parent = nullptr);

    void setRunning(bool running) override;
    void refreshNow() override;
    /// The tasks in the states that the filter names, state by state; nothing else of it is asked.
    /// nullopt = no tasks are on screen.
    void showTasks(const std::optional<TaskRequest> &request);
    /// One page for a search, asked as `AsynqInspector::tasks` is; `token` comes back with the
    /// answer.
    void readTasks(const QueueName &queue, TaskState state, int limit, const QString &after,
                   int payloadBytes, quint64 token);
    /// The soonest-to-expire retained ids, while the Dedup page is on screen.
    void showRetained(bool shown);
    /// One task; a message of more than 1 MiB is not read.
    void find(const QueueName &queue, const TaskId &id);
    /// The first of these ids that stands in `queue`, or else in any other. `found` names the queue
    /// and the first id that were asked for.
    void findAnywhere(const QueueName &queue, const QList<TaskId> &ids);
    /// What stands under the ids of one page of rows; `token` comes back with the answer.
    void glance(const QueueName &queue, const QList<TaskId> &ids, quint64 token);

signals:
    void taken(const QList<outbox::QueueSnapshot> &queues);
    void serversTaken(const QList<outbox::QueueServer> &servers,
                      const QList<outbox::QueueWorker> &workers);
    void dedupTaken(const outbox::DedupSnapshot &dedup);
    void factsTaken(const outbox::RedisFacts &facts);
    void tasksTaken(const outbox::TaskRequest &request, const outbox::TaskPage &page);
    void tasksFailed(const outbox::Error &error);
    void tasksRead(quint64 token, const outbox::Result<outbox::TaskPage> &page);
    void retainedTaken(const outbox::TaskPage &page);
    void found(const outbox::QueueName &queue, const outbox::TaskId &id,
               const outbox::Result<std::optional<outbox::Task>> &task);
    /// An empty hash: the queue did not answer.
    void glanced(quint64 token, const outbox::QueueName &queue,
                 const QHash<outbox::TaskId, outbox::TaskGlance> &glances);

protected:
    void askFigures() override;

private:
    /// Runs a search for one task in the room; `found` tells its answer.
    template <typename Search> void askFor(const QueueName &queue, const TaskId &id, Search search);
    void askTasks();

    Poller m_tasks;
    std::optional<TaskRequest> m_shown;
    std::optional<DeadCause> m_dead; ///< as it was read last
    quint64 m_tasksToken = 0; ///< an answer to an older question is dropped
    int m_looks = 0;
    bool m_retainedShown = false;
    Room<AsynqInspector> m_room; ///< last: its thread ends first
};

} // namespace outbox
