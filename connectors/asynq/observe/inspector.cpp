// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/observe/inspector.h"

#include "connectors/asynq/observe/queuesnapshots.h"
#include "connectors/asynq/observe/reading.h"
#include "connectors/asynq/observe/serverfacts.h"
#include "connectors/asynq/observe/serverinfo.h"
#include "connectors/asynq/observe/tasknames.h"
#include "connectors/asynq/observe/taskread.h"
#include "connectors/redis/cluster/nodescan.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

Result<void> AsynqInspector::open(const RedisEndpoint &endpoint, const QString &clientName,
                                  std::chrono::milliseconds timeout)
{
    return m_link.open(endpoint, RedisConnection::Access::ReadOnly, clientName, timeout);
}

Result<QList<QueueName>> AsynqInspector::queues()
{
    return m_link.at(asynq::allQueues, asynq::readQueueNames);
}

Result<bool> AsynqInspector::isListed(const QueueName &queue)
{
    const RedisCommand asksList{"SISMEMBER", asynq::allQueues, queue.text.toUtf8()};
    const auto replies = TRY(m_link.at(asynq::allQueues, [&](RedisConnection &connection) {
        return asynq::askAll(connection, {asksList}, u"looking at the list of queues"_s);
    }));
    return replies.first().integer == 1;
}

Result<QList<QueueName>> AsynqInspector::walkToQueues(QByteArray &cursor)
{
    return walkOn(m_link, cursor, asynq::scanQueueNames);
}

Result<QList<QueueSnapshot>> AsynqInspector::snapshot(const QList<QueueName> &names)
{
    return asynq::readSnapshots(m_link, names);
}

Result<DedupSnapshot> AsynqInspector::dedup(const QueueName &queue)
{
    return at(queue,
              [&](RedisConnection &connection) { return asynq::readDedup(connection, queue); });
}

Result<TaskPage> AsynqInspector::tasks(const QueueName &queue, TaskState state, int limit,
                                       const QString &after, int payloadBytes)
{
    return at(queue, [&](RedisConnection &connection) {
        return asynq::readPage(connection, queue, state, limit, after, payloadBytes);
    });
}

Result<std::optional<Task>> AsynqInspector::find(const QueueName &queue, const TaskId &id,
                                                 qint64 mostBytes)
{
    return at(queue, [&](RedisConnection &connection) {
        return asynq::findTask(connection, queue, id, mostBytes);
    });
}

Result<QHash<TaskId, TaskGlance>> AsynqInspector::glance(const QueueName &queue,
                                                         const QList<TaskId> &ids)
{
    return at(queue,
              [&](RedisConnection &connection) { return asynq::glanceAt(connection, queue, ids); });
}

Result<QList<TaskSeen>> AsynqInspector::observe(const QueueName &queue, const QList<TaskId> &ids)
{
    return at(queue, [&](RedisConnection &connection) {
        return asynq::observeTasks(connection, queue, ids);
    });
}

Result<QList<TaskGuard>> AsynqInspector::oldestArchived(const QueueName &queue, int count)
{
    return at(queue, [&](RedisConnection &connection) {
        return asynq::oldestArchived(connection, queue, count);
    });
}

Result<std::optional<Task>> AsynqInspector::findAnywhere(const QueueName &first,
                                                         const QList<TaskId> &ids, qint64 mostBytes)
{
    const QString doing = u"looking for a task in all queues"_s;
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
    QList<RedisReply> there;
    if (!isOfCluster()) {
        there = TRY(asynq::askAll(m_link.alone(), commands, doing));
    } else {
        for (const RedisCommand &command : std::as_const(commands)) {
            const auto one = TRY(m_link.at(command.at(1), [&](RedisConnection &connection) {
                return asynq::askAll(connection, QList<RedisCommand>{command}, doing);
            }));
            there += one.first();
        }
    }
    for (qsizetype i = 0; i < places.size(); ++i) {
        if (there.at(i).integer > 0)
            return find(places.at(i).first, places.at(i).second, mostBytes);
    }
    return std::optional<Task>();
}

Result<QList<std::pair<QueueName, TaskId>>> AsynqInspector::tasksNamed(const QStringList &parts,
                                                                       QString &cursor)
{
    QByteArray place = cursor.isEmpty() ? QByteArray("0") : cursor.toLatin1();
    auto names = walkOn(m_link, place, [&](RedisConnection &connection, QByteArray &own) {
        return asynq::namesOf(connection, parts, own);
    });
    if (names)
        cursor = place == "0" ? QString() : QString::fromLatin1(place);
    return names;
}

Result<QList<QueueServer>> AsynqInspector::servers()
{
    return asynq::readServers(m_link);
}

Result<QList<QueueWorker>> AsynqInspector::workers()
{
    return asynq::readWorkers(m_link);
}

Result<QList<SchedulerEntry>> AsynqInspector::schedulers()
{
    return asynq::readSchedulers(m_link);
}

Result<RedisFacts> AsynqInspector::facts()
{
    if (!isOfCluster())
        return asynq::readFacts(m_link.alone());
    const auto nodes = TRY(m_link.allNodes());
    QList<RedisFacts> facts;
    for (RedisConnection *node : nodes)
        facts += TRY(asynq::readFacts(*node));
    return asynq::ofAllNodes(facts);
}

} // namespace outbox
