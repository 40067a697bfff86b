// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `queues` and `servers`: every queue that exists, and who works on them.
#include "app/cli/commands/command.h"

#include "app/cli/output/rowjson.h"
#include "app/cli/run/await.h"
#include "app/cli/run/systemreader.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "models/system/shardsums.h"

#include <QJsonArray>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

struct Serving
{
    QList<QueueServer> servers;
    QList<QueueWorker> workers;
    QList<SchedulerEntry> schedulers;
};

Result<Serving> servingOf(AsynqInspector &inspector)
{
    auto servers = TRY(inspector.servers());
    auto workers = TRY(inspector.workers());
    auto schedulers = TRY(inspector.schedulers());
    return Serving{std::move(servers), std::move(workers), std::move(schedulers)};
}

/// `work` with the queue's connection, opened.
template <typename Work> auto lookAt(const Target &target, Work work)
{
    SystemReader looker(target);
    using Answer = decltype(work(std::declval<AsynqInspector &>()));
    if (auto opened = looker.openQueue(); !opened)
        return Answer(passOn(opened));
    return await(looker.queue(), std::move(work));
}

QJsonObject jsonOf(const QueueServer &server)
{
    QJsonObject queues;
    for (auto queue = server.queues.cbegin(); queue != server.queues.cend(); ++queue)
        queues[queue.key()] = queue.value();
    return {{u"kind"_s, u"server"_s},
            {u"host"_s, server.host},
            {u"pid"_s, server.pid},
            {u"id"_s, server.serverId},
            {u"status"_s, server.status},
            {u"queues"_s, queues},
            {u"concurrency"_s, server.concurrency},
            {u"busy"_s, server.activeWorkers},
            {u"started"_s, timeJson(server.started)}};
}

QJsonObject jsonOf(const QueueWorker &worker)
{
    return {{u"kind"_s, u"worker"_s},
            {u"server"_s, worker.serverId},
            {u"task"_s, worker.task.text},
            {u"type"_s, worker.type},
            {u"queue"_s, worker.queue},
            {u"started"_s, timeJson(worker.started)},
            {u"deadline"_s, timeJson(worker.deadline)}};
}

QJsonObject jsonOf(const SchedulerEntry &entry)
{
    return {{u"kind"_s, u"scheduled"_s},
            {u"id"_s, entry.id},
            {u"spec"_s, entry.spec},
            {u"type"_s, entry.type},
            {u"options"_s, QJsonArray::fromStringList(entry.options)},
            {u"next"_s, timeJson(entry.next)},
            {u"previous"_s, timeJson(entry.previous)}};
}

QString priorities(const QMap<QString, int> &queues)
{
    QStringList parts;
    for (auto queue = queues.cbegin(); queue != queues.cend(); ++queue)
        parts += u"%1 (%2)"_s.arg(plainText(queue.key())).arg(queue.value());
    return parts.join(u", "_s);
}

QString sinceText(const QDateTime &since)
{
    return spanText(double(since.msecsTo(QDateTime::currentDateTimeUtc())) / 1000);
}

void print(const Serving &serving, const Printer &printer)
{
    QList<QStringList> servers{
        {u"SERVER"_s, u"PID"_s, u"STATUS"_s, u"BUSY"_s, u"QUEUES (PRIORITY)"_s, u"UP"_s}};
    for (const QueueServer &server : serving.servers) {
        servers += QStringList{plainText(server.host),
                               QString::number(server.pid),
                               plainText(server.status),
                               u"%1 of %2"_s.arg(server.activeWorkers).arg(server.concurrency),
                               priorities(server.queues),
                               sinceText(server.started)};
    }
    printer.line(tableText(servers));
    if (!serving.workers.isEmpty()) {
        QList<QStringList> workers{{u"RUNS"_s, u"TYPE"_s, u"QUEUE"_s, u"FOR"_s}};
        for (const QueueWorker &worker : serving.workers) {
            workers += QStringList{plainText(worker.task.text), plainText(worker.type),
                                   plainText(worker.queue), sinceText(worker.started)};
        }
        printer.line(tableText(workers));
    }
    if (serving.schedulers.isEmpty())
        return;
    QList<QStringList> entries{{u"SCHEDULED"_s, u"TYPE"_s, u"NEXT"_s, u"OPTIONS"_s}};
    const QDateTime now = QDateTime::currentDateTimeUtc();
    for (const SchedulerEntry &entry : serving.schedulers) {
        entries += QStringList{plainText(entry.spec), plainText(entry.type),
                               entry.next ? momentText(*entry.next, now) : u"-"_s,
                               plainText(entry.options.join(u' '))};
    }
    printer.line(tableText(entries));
}

Result<ExitCode> runQueuesCommand(const QCommandLineParser &, const Target &target,
                                  const Printer &printer)
{
    const auto queues = TRY(
        lookAt(target, [](AsynqInspector &inspector) -> Result<QList<QueueSnapshot>> {
            const auto names = inspector.queues();
            return names ? inspector.snapshot(*names) : Result<QList<QueueSnapshot>>(passOn(names));
        }));
    QList<QStringList> table{{u"QUEUE"_s, u"PENDING"_s, u"ACTIVE"_s, u"SCHEDULED"_s, u"RETRY"_s,
                              u"GROUPS"_s, u"DEAD"_s, u"DONE"_s, u"NEXT WAITS"_s, u"SERVERS"_s,
                              u"PAUSED"_s}};
    const QList<QueueSnapshot> shown
        = printer.isJson() ? queues : withSummedShards(queues, target.profile.shards());
    for (const QueueSnapshot &queue : shown) {
        if (printer.isJson()) {
            printer.object(queueJson(queue));
            continue;
        }
        table += QStringList{plainText(queue.name.text),
                             countText(queue.pending),
                             countText(queue.active),
                             countText(queue.scheduled),
                             countText(queue.retry),
                             queue.aggregating ? countText(*queue.aggregating) : u"?"_s,
                             countText(queue.archived),
                             countText(queue.completed),
                             queue.oldestPendingSeconds ? spanText(*queue.oldestPendingSeconds)
                                                        : u"-"_s,
                             queue.servers ? countText(*queue.servers) : u"?"_s,
                             queue.paused ? u"yes"_s : u"-"_s};
    }
    if (queues.isEmpty()) {
        printer.note(u"outboxctl: Redis knows no queue"_s);
        return ExitCode::NothingMatched;
    }
    if (!printer.isJson())
        printer.line(tableText(table));
    const QString shards = shown.constFirst().notes.value(u"shards"_s);
    if (!shards.isEmpty())
        printer.note(u"outboxctl: "_s + plainText(shards));
    return ExitCode::Ok;
}

Result<ExitCode> runServersCommand(const QCommandLineParser &, const Target &target,
                                   const Printer &printer)
{
    const auto serving = TRY(lookAt(target, servingOf));
    if (printer.isJson()) {
        for (const QueueServer &server : serving.servers)
            printer.object(jsonOf(server));
        for (const QueueWorker &worker : serving.workers)
            printer.object(jsonOf(worker));
        for (const SchedulerEntry &entry : serving.schedulers)
            printer.object(jsonOf(entry));
    }
    if (serving.servers.isEmpty() && serving.schedulers.isEmpty()) {
        printer.note(u"outboxctl: no server and no scheduler is alive"_s);
        return ExitCode::NothingMatched;
    }
    if (!printer.isJson())
        print(serving, printer);
    return ExitCode::Ok;
}

} // namespace

Command queuesCommand()
{
    return {.name = u"queues"_s,
            .summary = u"Every queue that asynq:queues names, with its sizes."_s,
            .run = runQueuesCommand};
}

Command serversCommand()
{
    return {.name = u"servers"_s,
            .summary = u"Who serves the queues: servers, what their workers run, schedulers."_s,
            .run = runServersCommand};
}

} // namespace outbox
