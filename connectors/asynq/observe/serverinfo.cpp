// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/observe/serverinfo.h"

#include "connectors/asynq/observe/reading.h"
#include "connectors/asynq/wire/keys.h"
#include "connectors/asynq/wire/protobuf.h"
#include "task.pb.h"

namespace outbox::asynq {

using namespace Qt::Literals::StringLiterals;

namespace {

QDateTime toDateTime(const wire::Moment &moment)
{
    // Anybody may have written it: no time where it is none.
    return QDateTime::fromSecsSinceEpoch(moment.seconds(), Qt::UTC)
        .addMSecs(moment.nanos() / 1'000'000);
}

void setMoment(wire::Moment &moment, const QDateTime &time)
{
    const qint64 ms = time.toMSecsSinceEpoch();
    moment.set_seconds(ms / 1000);
    moment.set_nanos(static_cast<int>(ms % 1000) * 1'000'000);
}

template <typename Wire> Result<Wire> parsed(const QByteArray &bytes, const QString &doing)
{
    Wire wire;
    if (!parse(wire, bytes))
        return fail(Error::Kind::Protocol, doing, u"its bytes are no asynq message"_s);
    return wire;
}

/// The answers to one command for each key in a set of servers, those with the freshest heartbeat
/// first. `command` makes it from the key. Of a Cluster each of these keys may have another node,
/// which is asked for it alone.
template <typename Command>
Result<QList<RedisReply>> askFreshest(ClusterLink &link, const QByteArray &set, Command command,
                                      const QString &doing)
{
    const RedisCommand freshest{"ZREVRANGE", set, "0", QByteArray::number(mostServers - 1)};
    const auto lookWith = [&doing](const QList<RedisCommand> &commands) {
        return [&doing, commands](RedisConnection &connection) {
            return askAll(connection, commands, doing);
        };
    };
    const auto names = TRY(link.at(set, lookWith({freshest})));
    QList<RedisCommand> commands;
    for (const RedisReply &name : names.first().elements)
        commands += command(name.bytes);
    if (!link.isCluster())
        return askAll(link.alone(), commands, doing);
    QList<RedisReply> replies;
    for (const RedisCommand &one : std::as_const(commands)) {
        const auto reply = TRY(link.at(one.at(1), lookWith({one})));
        replies += reply.first();
    }
    return replies;
}

} // namespace

Result<QueueServer> decodeServer(const QByteArray &bytes)
{
    const auto info = TRY(parsed<wire::ServerInfo>(bytes, u"reading a server's heartbeat"_s));
    QueueServer server;
    server.host = QString::fromStdString(info.host());
    server.pid = info.pid();
    server.serverId = QString::fromStdString(info.server_id());
    server.concurrency = info.concurrency();
    for (const auto &[name, priority] : info.queues())
        server.queues.insert(QString::fromStdString(name), priority);
    server.status = QString::fromStdString(info.status());
    server.started = toDateTime(info.start_time());
    server.activeWorkers = info.active_worker_count();
    return server;
}

Result<QueueWorker> decodeWorker(const QByteArray &bytes)
{
    const auto info = TRY(parsed<wire::WorkerInfo>(bytes, u"reading a worker's heartbeat"_s));
    QueueWorker worker;
    worker.serverId = QString::fromStdString(info.server_id());
    worker.task.text = QString::fromStdString(info.task_id());
    worker.type = QString::fromStdString(info.task_type());
    worker.queue = QString::fromStdString(info.queue());
    worker.started = toDateTime(info.start_time());
    worker.deadline = toDateTime(info.deadline());
    return worker;
}

Result<SchedulerEntry> decodeScheduled(const QByteArray &bytes)
{
    const auto read
        = TRY(parsed<wire::SchedulerEntry>(bytes, u"reading an entry of a scheduler"_s));
    const wire::SchedulerEntry &wire = read;
    SchedulerEntry entry;
    entry.id = QString::fromStdString(wire.id());
    entry.spec = QString::fromStdString(wire.spec());
    entry.type = QString::fromStdString(wire.task_type());
    for (const std::string &option : wire.enqueue_options())
        entry.options += QString::fromStdString(option);
    const auto setTime = [](const wire::Moment &moment) { // Go writes year 1 for never
        const QDateTime time = toDateTime(moment);
        return moment.seconds() > 0 && time.isValid() ? std::optional(time) : std::nullopt;
    };
    entry.next = setTime(wire.next_enqueue_time());
    entry.previous = setTime(wire.prev_enqueue_time());
    return entry;
}

QByteArray encodeServer(const QueueServer &server)
{
    wire::ServerInfo info;
    info.set_host(server.host.toStdString());
    info.set_pid(server.pid);
    info.set_server_id(server.serverId.toStdString());
    info.set_concurrency(server.concurrency);
    for (auto queue = server.queues.begin(); queue != server.queues.end(); ++queue)
        (*info.mutable_queues())[queue.key().toStdString()] = queue.value();
    info.set_status(server.status.toStdString());
    setMoment(*info.mutable_start_time(), server.started);
    info.set_active_worker_count(server.activeWorkers);
    return serialise(info);
}

QByteArray encodeWorker(const QueueServer &server, const QueueWorker &worker,
                        const QByteArray &payload)
{
    wire::WorkerInfo info;
    info.set_host(server.host.toStdString());
    info.set_pid(server.pid);
    info.set_server_id(worker.serverId.toStdString());
    info.set_task_id(worker.task.text.toStdString());
    info.set_task_type(worker.type.toStdString());
    info.set_task_payload(payload.toStdString());
    info.set_queue(worker.queue.toStdString());
    setMoment(*info.mutable_start_time(), worker.started);
    setMoment(*info.mutable_deadline(), worker.deadline);
    return serialise(info);
}

Result<QList<QueueServer>> readServers(ClusterLink &link)
{
    const auto infos = TRY(askFreshest(
        link, allServers,
        [](const QByteArray &key) {
            return RedisCommand{"GET", key};
        },
        u"looking for asynq servers"_s));
    QList<QueueServer> servers;
    for (const RedisReply &info : infos) {
        if (info.isNil())
            continue; // its heartbeat ran out
        if (const auto server = decodeServer(info.bytes))
            servers += *server;
    }
    return servers;
}

Result<QList<QueueWorker>> readWorkers(ClusterLink &link)
{
    const auto scans = TRY(askFreshest(
        link, allWorkers,
        [](const QByteArray &key) {
            return RedisCommand{"HSCAN", key, "0", "COUNT", "1000"};
        },
        u"looking for asynq workers"_s));
    QList<QueueWorker> workers;
    for (const RedisReply &scan : scans) {
        const QList<RedisReply> pairs = scan.elements.value(1).elements;
        for (qsizetype i = 1; i < pairs.size(); i += 2) {
            if (const auto worker = decodeWorker(pairs.at(i).bytes))
                workers += *worker;
        }
    }
    return workers;
}

Result<QList<SchedulerEntry>> readSchedulers(ClusterLink &link)
{
    const auto lists = TRY(askFreshest(
        link, allSchedulers,
        [](const QByteArray &key) {
            return RedisCommand{"LRANGE", key, "0", "999"};
        },
        u"looking for asynq schedulers"_s));
    QList<SchedulerEntry> entries;
    for (const RedisReply &list : lists) {
        for (const RedisReply &one : list.elements) {
            if (const auto entry = decodeScheduled(one.bytes))
                entries += *entry;
        }
    }
    return entries;
}

} // namespace outbox::asynq
