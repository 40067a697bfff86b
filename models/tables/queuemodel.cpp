// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/queuemodel.h"

#include "models/payload/celltext.h"
#include "models/phrases.h"
#include "models/translation.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation queueText("outbox::QueueModel");

QueueModel::Column count(const char *title, qint64 QueueSnapshot::*member, TaskState state)
{
    return QueueModel::Column(
               queueText(title), Qt::AlignRight,
               [member](const QueueSnapshot &queue) { return countText(queue.*member); })
        .withNumber([member](const QueueSnapshot &queue) { return queue.*member; })
        .explained(queueText("asynq: %1").arg(word(state)));
}

QString nameWords(const QueueSnapshot &queue)
{
    QString name = cellText(queue.name.text);
    if (queue.paused)
        name += queueText(" (paused)");
    return name;
}

QString nameTip(const QueueSnapshot &queue)
{
    QString tip = queue.name.text;
    if (!queue.known)
        tip += u'\n'
            + queueText("Not registered with the queue server; nothing was ever sent here.");
    if (queue.paused)
        tip += u'\n' + queueText("Paused: workers take nothing from it.");
    for (auto note = queue.notes.cbegin(); note != queue.notes.cend(); ++note)
        tip += u'\n' + note.key() + u": "_s + note.value();
    return tipText(tip);
}

QString servedTip(const QueueSnapshot &queue)
{
    if (queue.servers.value_or(1) > 0)
        return {};
    return tipText(queueText("No live server takes tasks from this queue: nothing is forwarded, "
                             "recovered or expired here."));
}

QList<QueueModel::Column> queueColumns()
{
    using Column = QueueModel::Column;
    return {
        Column(queueText("Queue"), Qt::AlignLeft, nameWords).withTip(nameTip),
        count("Pending", &QueueSnapshot::pending, TaskState::Pending),
        count("Active", &QueueSnapshot::active, TaskState::Active),
        count("Scheduled", &QueueSnapshot::scheduled, TaskState::Scheduled),
        count("Retry", &QueueSnapshot::retry, TaskState::Retry),
        count("Dead", &QueueSnapshot::archived, TaskState::Archived),
        count("Done", &QueueSnapshot::completed, TaskState::Completed),
        Column(queueText("Oldest"), Qt::AlignRight,
               [](const QueueSnapshot &queue) {
                   return queue.oldestPendingSeconds ? spanText(*queue.oldestPendingSeconds)
                                                     : QString();
               })
            .withRoomFor(spanSamples())
            .explained(queueText("Age of the task that waits longest")),
        Column(queueText("Served by"), Qt::AlignLeft, servedWords).withTip(servedTip),
    };
}

} // namespace

QString servedWords(const QueueSnapshot &queue)
{
    if (!queue.servers)
        return queueText("not known");
    if (*queue.servers == 0)
        return queueText("NOBODY");
    return counted(*queue.servers, queueText("1 server"), queueText("%1 servers"));
}

QueueModel::QueueModel(QObject *parent)
    : KeyedTableModel(
        queueColumns(), [](const QueueSnapshot &queue) { return queue.name; }, parent)
{ }

namespace {

constexpr Translation workerText("outbox::WorkerModel");

QString queueList(const QueueServer &server)
{
    QStringList parts;
    for (auto one = server.queues.cbegin(); one != server.queues.cend(); ++one)
        parts.append(workerText("%1 (priority %2)").arg(one.key()).arg(one.value()));
    return parts.join(u", "_s);
}

QList<ServerModel::Column> serverColumns()
{
    using Column = ServerModel::Column;
    const Qt::Alignment left = Qt::AlignLeft;
    const Qt::Alignment right = Qt::AlignRight;
    return {
        Column(workerText("Host"), left, [](const QueueServer &one) { return cellText(one.host); })
            .withTip([](const QueueServer &one) { return tipText(one.serverId); }),
        Column(workerText("Process"), right,
               [](const QueueServer &one) { return QString::number(one.pid); }),
        Column(workerText("Status"), left,
               [](const QueueServer &one) { return cellText(one.status); }),
        Column(workerText("Busy"), right,
               [](const QueueServer &one) {
                   return workerText("%1 of %2").arg(one.activeWorkers).arg(one.concurrency);
               }),
        Column::ofText(workerText("Queues"), [](const QueueServer &one) { return queueList(one); }),
        Column::ofMoment(workerText("Started"), [](const QueueServer &one) { return one.started; }),
    };
}

QList<WorkerModel::Column> workerColumns()
{
    using Column = WorkerModel::Column;
    const Qt::Alignment left = Qt::AlignLeft;
    return {
        Column::ofText(workerText("Task"), [](const QueueWorker &one) { return one.task.text; }),
        Column::ofText(workerText("Type"), [](const QueueWorker &one) { return one.type; }),
        Column(workerText("Queue"), left,
               [](const QueueWorker &one) { return cellText(one.queue); }),
        Column::ofMoment(workerText("Running since"),
                         [](const QueueWorker &one) { return one.started; }),
        Column::ofMoment(workerText("Deadline"),
                         [](const QueueWorker &one) { return one.deadline; }),
        Column(workerText("Server"), left,
               [](const QueueWorker &one) { return cellText(one.serverId); }),
    };
}

} // namespace

ServerModel::ServerModel(QObject *parent)
    : KeyedTableModel(
        serverColumns(), [](const QueueServer &one) { return one.serverId; }, parent)
{ }

WorkerModel::WorkerModel(QObject *parent)
    : KeyedTableModel(
        workerColumns(),
        [](const QueueWorker &one) { return QString(one.queue + u'\0' + one.task.text); }, parent)
{ }

} // namespace outbox
