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
        .sortedBy([member](const QueueSnapshot &queue) { return queue.*member; })
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
        Column(queueText("Queue"), Qt::AlignLeft, nameWords)
            .sortedBy([](const QueueSnapshot &queue) { return queue.name.text; })
            .withTip(nameTip),
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
            .sortedBy(
                [](const QueueSnapshot &queue) { return queue.oldestPendingSeconds.value_or(-1); })
            .explained(queueText("Age of the task that waits longest")),
        Column(queueText("Served by"), Qt::AlignLeft, servedWords)
            .sortedBy([](const QueueSnapshot &queue) { return queue.servers.value_or(-1); })
            .withTip(servedTip),
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

} // namespace outbox
