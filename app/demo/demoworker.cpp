// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/demoworker.h"

#include "app/demo/workerscripts.h"
#include "connectors/asynq/observe/serverinfo.h"
#include "connectors/asynq/wire/keys.h"
#include "connectors/asynq/wire/taskmessage.h"
#include "connectors/redis/script.h"

#include <QCoreApplication>
#include <QHash>
#include <QSysInfo>
#include <QUuid>

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using namespace asynq;

namespace {

constexpr qint64 leaseSeconds = 30;
constexpr qint64 heartbeatSeconds = 10; ///< how long a silent server is believed to live
constexpr qint64 archiveDays = 90;
constexpr qint64 archiveSize = 9'999;

QByteArray seconds(const QDateTime &time)
{
    return QByteArray::number(time.toSecsSinceEpoch());
}

/// When a counter of today is of no use any more.
QByteArray counterEnd(const QDateTime &now)
{
    return seconds(now.addDays(archiveDays));
}

} // namespace

struct DemoWorker::Private
{
    struct Running
    {
        TaskMessage message;
        QDateTime started;
    };

    RedisConnection connection;
    QueueServer self;
    QHash<std::pair<QueueName, TaskId>, Running> running;

    RedisScript dequeue{workerDequeueLua};
    RedisScript complete{workerCompleteLua};
    RedisScript fail{workerFailLua};
    RedisScript forward{workerForwardLua};
    RedisScript expire{workerExpireLua};

    [[nodiscard]] QByteArray ownKey(const QByteArray &set) const
    {
        return set + ":{" + self.host.toUtf8() + ':' + QByteArray::number(self.pid) + ':'
            + self.serverId.toUtf8() + '}';
    }
    [[nodiscard]] Result<TaskMessage> messageOf(const Task &task, const QString &doing) const;
    [[nodiscard]] Result<void> finishBadly(const Task &task, const QString &error, TaskState state,
                                           const QDateTime &score);
    /// Repeats a script that moves a hundred tasks until it finds none.
    [[nodiscard]] Result<qint64> repeat(const RedisScript &script, const QByteArrayList &keys,
                                        const QByteArrayList &arguments, const QString &doing);
    [[nodiscard]] Result<void> sendAll(const QList<RedisCommand> &commands, const QString &doing);
};

DemoWorker::DemoWorker() : d(std::make_unique<Private>())
{ }

DemoWorker::~DemoWorker() = default;

Result<void> DemoWorker::open(const RedisEndpoint &endpoint, const QMap<QString, int> &queues,
                              int concurrency, std::chrono::milliseconds timeout)
{
    d->self.host = QSysInfo::machineHostName();
    d->self.pid = static_cast<int>(QCoreApplication::applicationPid());
    d->self.serverId = QUuid::createUuid().toString(QUuid::WithoutBraces);
    d->self.concurrency = concurrency;
    d->self.queues = queues;
    d->self.status = u"active"_s;
    d->self.started = QDateTime::currentDateTimeUtc();
    d->running.clear();
    return d->connection.open(endpoint, RedisConnection::Access::Act, u"demo-worker"_s, timeout);
}

Result<std::optional<Task>> DemoWorker::dequeue(const QueueName &queue)
{
    const QString doing = u"taking a task from %1"_s.arg(queue.text);
    TRY(d->connection.ensureOpen());
    const QueueKeys keys(queue);
    const QDateTime now = QDateTime::currentDateTimeUtc();
    const QDateTime leaseEnd = now.addSecs(leaseSeconds);
    const auto reply = TRY(
        d->dequeue.run(d->connection, {keys.pending(), keys.active(), keys.lease(), keys.paused()},
                       {keys.taskPrefix(), seconds(leaseEnd)}, doing));
    if (reply.isNil())
        return std::optional<Task>();
    const auto message = TRY(decode(reply.elements.value(1).bytes));

    Task task;
    task.id.text = QString::fromUtf8(reply.elements.first().bytes);
    task.queue = queue;
    task.state = TaskState::Active;
    task.leaseUntil = leaseEnd;
    describe(message, -1, task);
    d->running.insert({queue, task.id}, {message, now});
    return std::optional(task);
}

Result<TaskMessage> DemoWorker::Private::messageOf(const Task &task, const QString &doing) const
{
    const auto found = running.constFind({task.queue, task.id});
    if (found == running.constEnd())
        return outbox::fail(Error::Kind::Conflict, doing, u"this worker does not run it"_s);
    return found->message;
}

Result<void> DemoWorker::complete(const Task &task, const QByteArray &result)
{
    const QString doing = u"completing the task %1"_s.arg(task.id.text);
    TaskMessage message = TRY(d->messageOf(task, doing));
    TRY(d->connection.ensureOpen());
    const QueueKeys keys(task.queue);
    const QDateTime now = QDateTime::currentDateTimeUtc();
    if (!result.isEmpty()) {
        TRY(d->connection.command({"HSET", keys.task(task.id), "result", result}, doing));
    }
    Result<QByteArray> bytes = QByteArray("");
    if (message.retentionSeconds > 0) {
        message.completedAt = now.toSecsSinceEpoch();
        bytes = encode(message);
        if (!bytes)
            return passOn(bytes);
    }
    QByteArrayList names{keys.active(),
                         keys.lease(),
                         keys.completed(),
                         keys.task(task.id),
                         keys.processed(now.date()),
                         keys.processed()};
    if (!message.uniqueKey.isEmpty())
        names += message.uniqueKey.toUtf8();
    const QDateTime until = now.addSecs(message.retentionSeconds);
    TRY(d->complete.run(d->connection, names,
                        {task.id.text.toUtf8(), seconds(until), *bytes, counterEnd(now)}, doing));
    d->running.remove({task.queue, task.id});
    return {};
}

Result<void> DemoWorker::retryLater(const Task &task, const QString &error, const QDateTime &at)
{
    return d->finishBadly(task, error, TaskState::Retry, at);
}

Result<void> DemoWorker::archive(const Task &task, const QString &error)
{
    return d->finishBadly(task, error, TaskState::Archived, QDateTime::currentDateTimeUtc());
}

Result<void> DemoWorker::Private::finishBadly(const Task &task, const QString &error,
                                              TaskState state, const QDateTime &score)
{
    const QString doing = u"giving back the task %1"_s.arg(task.id.text);
    TaskMessage message = TRY(messageOf(task, doing));
    TRY(connection.ensureOpen());
    const QueueKeys keys(task.queue);
    const QDateTime now = QDateTime::currentDateTimeUtc();
    if (state == TaskState::Retry)
        ++message.retried;
    message.error = error;
    message.lastFailedAt = now.toSecsSinceEpoch();
    const QByteArray bytes = TRY(encode(message));
    TRY(fail.run(
        connection,
        {keys.active(), keys.lease(), keys.container(state), keys.task(task.id),
         keys.processed(now.date()), keys.failed(now.date()), keys.processed(), keys.failed()},
        {task.id.text.toUtf8(), seconds(score), bytes, word(state).toUtf8(), counterEnd(now),
         keys.taskPrefix(), seconds(now.addDays(-archiveDays)), QByteArray::number(archiveSize)},
        doing));
    running.remove({task.queue, task.id});
    return {};
}

Result<qint64> DemoWorker::forward(const QDateTime &now)
{
    qint64 moved = 0;
    for (const QString &name : d->self.queues.keys()) {
        const QueueKeys keys(QueueName{name});
        for (const TaskState state : {TaskState::Scheduled, TaskState::Retry}) {
            qint64 some = TRY(d->repeat(d->forward, {keys.container(state), keys.pending()},
                                        {seconds(now), keys.taskPrefix(), keys.group({}),
                                         QByteArray::number(now.toMSecsSinceEpoch() * 1'000'000)},
                                        u"forwarding due tasks of %1"_s.arg(name)));
            moved += some;
        }
    }
    return moved;
}

Result<qint64> DemoWorker::expire(const QDateTime &now)
{
    qint64 gone = 0;
    for (const QString &name : d->self.queues.keys()) {
        const QueueKeys keys(QueueName{name});
        qint64 some
            = TRY(d->repeat(d->expire, {keys.completed()}, {seconds(now), keys.taskPrefix()},
                            u"expiring completed tasks of %1"_s.arg(name)));
        gone += some;
    }
    return gone;
}

Result<qint64> DemoWorker::Private::repeat(const RedisScript &script, const QByteArrayList &keys,
                                           const QByteArrayList &arguments, const QString &doing)
{
    TRY(connection.ensureOpen());
    qint64 sum = 0;
    while (true) {
        const auto some = TRY(script.run(connection, keys, arguments, doing));
        if (some.integer == 0)
            return sum;
        sum += some.integer;
    }
}

Result<void> DemoWorker::heartbeat()
{
    d->self.activeWorkers = static_cast<int>(d->running.size());
    const QDateTime now = QDateTime::currentDateTimeUtc();
    const QByteArray lifetime = QByteArray::number(heartbeatSeconds);
    const QByteArray deadline = seconds(now.addSecs(heartbeatSeconds));
    const QByteArray serverKey = d->ownKey(allServers);
    const QByteArray workersKey = d->ownKey(allWorkers);
    QList<RedisCommand> commands{
        {"SET", serverKey, encodeServer(d->self), "EX", lifetime},
        {"ZADD", allServers, deadline, serverKey},
        {"DEL", workersKey},
    };
    for (auto task = d->running.cbegin(); task != d->running.cend(); ++task) {
        const auto &[queue, id] = task.key();
        QueueWorker worker;
        worker.serverId = d->self.serverId;
        worker.task = id;
        worker.type = task->message.type;
        worker.queue = queue.text;
        worker.started = task->started;
        worker.deadline = task->started.addSecs(task->message.timeoutSeconds);
        commands += {"HSET", workersKey, id.text.toUtf8(),
                     encodeWorker(d->self, worker, task->message.payload)};
        commands += {"ZADD", QueueKeys(queue).lease(), "XX", seconds(now.addSecs(leaseSeconds)),
                     id.text.toUtf8()};
    }
    commands += {"EXPIRE", workersKey, lifetime};
    commands += {"ZADD", allWorkers, deadline, workersKey};
    return d->sendAll(commands, u"sending a heartbeat"_s);
}

Result<void> DemoWorker::leave()
{
    const QByteArray serverKey = d->ownKey(allServers);
    const QByteArray workersKey = d->ownKey(allWorkers);
    return d->sendAll({{"ZREM", allServers, serverKey},
                       {"ZREM", allWorkers, workersKey},
                       {"DEL", serverKey},
                       {"DEL", workersKey}},
                      u"leaving the list of servers"_s);
}

Result<void> DemoWorker::Private::sendAll(const QList<RedisCommand> &commands, const QString &doing)
{
    TRY(connection.ensureOpen());
    const auto replies = TRY(connection.pipeline(commands));
    for (const RedisReply &reply : replies) {
        if (reply.isError())
            return tl::unexpected(errorFromReply(reply, doing));
    }
    return {};
}

} // namespace outbox
