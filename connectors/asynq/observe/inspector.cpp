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

struct AsynqInspector::Private
{
    RedisConnection connection;
};

AsynqInspector::AsynqInspector() : d(std::make_unique<Private>())
{ }

AsynqInspector::~AsynqInspector() = default;

Result<void> AsynqInspector::open(const RedisEndpoint &endpoint, const QString &clientName,
                                  std::chrono::milliseconds timeout)
{
    return d->connection.open(endpoint, RedisConnection::Access::ReadOnly, clientName, timeout);
}

void AsynqInspector::close()
{
    d->connection.close();
}

bool AsynqInspector::isOpen() const
{
    return d->connection.isOpen();
}

RedisConnection &AsynqInspector::connection()
{
    return d->connection;
}

Result<QList<QueueName>> AsynqInspector::queues()
{
    return asynq::readQueueNames(d->connection);
}

Result<QList<QueueSnapshot>> AsynqInspector::snapshot(const QList<QueueName> &names)
{
    return asynq::readSnapshots(d->connection, names);
}

Result<DedupSnapshot> AsynqInspector::dedup(const QueueName &queue)
{
    return asynq::readDedup(d->connection, queue);
}

Result<TaskPage> AsynqInspector::tasks(const QueueName &queue, TaskState state, int limit,
                                       const QString &after, int payloadBytes)
{
    return asynq::readPage(d->connection, queue, state, limit, after, payloadBytes);
}

Result<std::optional<Task>> AsynqInspector::find(const QueueName &queue, const TaskId &id,
                                                 qint64 mostBytes)
{
    return asynq::findTask(d->connection, queue, id, mostBytes);
}

Result<QHash<TaskId, TaskGlance>> AsynqInspector::glance(const QueueName &queue,
                                                         const QList<TaskId> &ids)
{
    return asynq::glanceAt(d->connection, queue, ids);
}

Result<QList<TaskSeen>> AsynqInspector::observe(const QueueName &queue, const QList<TaskId> &ids)
{
    return asynq::observeTasks(d->connection, queue, ids);
}

Result<QList<TaskGuard>> AsynqInspector::oldestArchived(const QueueName &queue, int count)
{
    return asynq::oldestArchived(d->connection, queue, count);
}

Result<std::optional<Task>> AsynqInspector::findAnywhere(const QueueName &first,
                                                         const QList<TaskId> &ids, qint64 mostBytes)
{
    auto names = queues();
    if (!names)
        return passOn(names);
    names->removeOne(first);
    names->prepend(first);
    QList<std::pair<QueueName, TaskId>> places;
    QList<RedisCommand> commands;
    for (const TaskId &id : ids) {
        for (const QueueName &name : std::as_const(*names)) {
            places += std::pair(name, id);
            commands += {"EXISTS", asynq::QueueKeys(name).task(id)};
        }
    }
    const auto there
        = asynq::askAll(d->connection, commands, u"looking for a task in all queues"_s);
    if (!there)
        return passOn(there);
    for (qsizetype i = 0; i < places.size(); ++i) {
        if (there->at(i).integer > 0)
            return find(places.at(i).first, places.at(i).second, mostBytes);
    }
    return std::optional<Task>();
}

Result<TaskNames> AsynqInspector::tasksNamed(const QStringList &parts, const QString &cursor)
{
    return asynq::namesOf(d->connection, parts, cursor);
}

Result<QList<QueueServer>> AsynqInspector::servers()
{
    return asynq::readServers(d->connection);
}

Result<QList<QueueWorker>> AsynqInspector::workers()
{
    return asynq::readWorkers(d->connection);
}

Result<QList<SchedulerEntry>> AsynqInspector::schedulers()
{
    return asynq::readSchedulers(d->connection);
}

Result<RedisFacts> AsynqInspector::facts()
{
    return asynq::readFacts(d->connection);
}

} // namespace outbox
