// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/observe/inspector.h"

#include "connectors/asynq/observe/queuesnapshots.h"
#include "connectors/asynq/observe/reading.h"
#include "connectors/asynq/observe/serverfacts.h"
#include "connectors/asynq/observe/serverinfo.h"
#include "connectors/asynq/observe/tasknames.h"
#include "connectors/asynq/observe/taskread.h"
#include "connectors/asynq/wire/keys.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

Result<void> AsynqInspector::open(const RedisEndpoint &endpoint, const QString &clientName,
                                  std::chrono::milliseconds timeout)
{
    return m_connection.open(endpoint, RedisConnection::Access::ReadOnly, clientName, timeout);
}

Result<QList<QueueName>> AsynqInspector::queues()
{
    return asynq::readQueueNames(m_connection);
}

Result<QList<QueueSnapshot>> AsynqInspector::snapshot(const QList<QueueName> &names)
{
    return asynq::readSnapshots(m_connection, names);
}

Result<DedupSnapshot> AsynqInspector::dedup(const QueueName &queue)
{
    return asynq::readDedup(m_connection, queue);
}

Result<TaskPage> AsynqInspector::tasks(const QueueName &queue, TaskState state, int limit,
                                       const QString &after, int payloadBytes)
{
    return asynq::readPage(m_connection, queue, state, limit, after, payloadBytes);
}

Result<std::optional<Task>> AsynqInspector::find(const QueueName &queue, const TaskId &id,
                                                 qint64 mostBytes)
{
    return asynq::findTask(m_connection, queue, id, mostBytes);
}

Result<QHash<TaskId, TaskGlance>> AsynqInspector::glance(const QueueName &queue,
                                                         const QList<TaskId> &ids)
{
    return asynq::glanceAt(m_connection, queue, ids);
}

Result<QList<TaskSeen>> AsynqInspector::observe(const QueueName &queue, const QList<TaskId> &ids)
{
    return asynq::observeTasks(m_connection, queue, ids);
}

Result<QList<TaskGuard>> AsynqInspector::oldestArchived(const QueueName &queue, int count)
{
    return asynq::oldestArchived(m_connection, queue, count);
}

Result<std::optional<Task>> AsynqInspector::findAnywhere(const QueueName &first,
                                                         const QList<TaskId> &ids, qint64 mostBytes)
{
    auto names = TRY(queues());
    names.removeOne(first);
    names.prepend(first);
    QList<std::pair<QueueName, TaskId>> places;
    QList<RedisCommand> commands;
    for (const TaskId &id : ids) {
        for (const QueueName &name : std::as_const(names)) {
            places += std::pair(name, id);
            commands += {"EXISTS", asynq::QueueKeys(name).task(id)};
        }
    }
    const auto there
        = TRY(asynq::askAll(m_connection, commands, u"looking for a task in all queues"_s));
    for (qsizetype i = 0; i < places.size(); ++i) {
        if (there.at(i).integer > 0)
            return find(places.at(i).first, places.at(i).second, mostBytes);
    }
    return std::optional<Task>();
}

Result<QList<std::pair<QueueName, TaskId>>> AsynqInspector::tasksNamed(const QStringList &parts,
                                                                       QString &cursor)
{
    return asynq::namesOf(m_connection, parts, cursor);
}

Result<QList<QueueServer>> AsynqInspector::servers()
{
    return asynq::readServers(m_connection);
}

Result<QList<QueueWorker>> AsynqInspector::workers()
{
    return asynq::readWorkers(m_connection);
}

Result<QList<SchedulerEntry>> AsynqInspector::schedulers()
{
    return asynq::readSchedulers(m_connection);
}

Result<RedisFacts> AsynqInspector::facts()
{
    return asynq::readFacts(m_connection);
}

} // namespace outbox
