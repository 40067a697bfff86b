// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/edit/taskeditor.h"

#include "connectors/asynq/edit/pacededit.h"
#include "connectors/asynq/edit/queuenode.h"
#include "connectors/asynq/edit/storedtasks.h"
#include "connectors/asynq/observe/reading.h"
#include "connectors/asynq/scripts.h"
#include "connectors/asynq/wire/keys.h"
#include "connectors/asynq/wire/taskmessage.h"

#include <QDateTime>

#include <algorithm>
#include <optional>

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using namespace asynq;

namespace {

const QByteArray tombstonePrefix = "purged by outbox deck, operation ";

enum class Act { Run, Archive, Delete, Replace };

QByteArray word(Act act)
{
    switch (act) {
    case Act::Run:
        return "run";
    case Act::Archive:
        return "archive";
    case Act::Delete:
        return "delete";
    case Act::Replace:
        break;
    }
    return "replace";
}

QString doing(Act act, qsizetype tasks, const QueueName &queue)
{
    const QString what = act == Act::Run ? u"running"_s
        : act == Act::Archive            ? u"archiving"_s
        : act == Act::Delete             ? u"deleting"_s
                                         : u"replacing"_s;
    return u"%1 %2 tasks of %3"_s.arg(what).arg(tasks).arg(queue.text);
}

TaskAnswer notTried(TaskAnswer::Kind kind, TaskState state, QString detail = {})
{
    if (detail.isEmpty())
        detail = explanation(kind, state);
    return {kind, state, {}, std::move(detail)};
}

/// The answer where there is nothing to send: what was seen cannot be acted on.
std::optional<TaskAnswer> refusal(Act act, const TaskGuard &task)
{
    switch (task.state) {
    case TaskState::None:
        return notTried(TaskAnswer::Kind::Gone, task.state);
    case TaskState::Stub:
    case TaskState::Orphan:
    case TaskState::WrongType:
        return notTried(TaskAnswer::Kind::Damaged, task.state);
    case TaskState::Pending:
        if (act == Act::Run)
            return notTried(TaskAnswer::Kind::Failed, task.state,
                            u"it waits for a worker already"_s);
        break;
    case TaskState::Archived:
    case TaskState::Completed:
        if (act == Act::Archive)
            return notTried(TaskAnswer::Kind::Failed, task.state, u"it has ended already"_s);
        break;
    case TaskState::Active: // the script says whether it still is
    case TaskState::Scheduled:
    case TaskState::Retry:
    case TaskState::Aggregating:
        break;
    }
    return std::nullopt;
}

QByteArray tombstoneMark(const QString &operation)
{
    return tombstonePrefix + operation.toUtf8();
}

} // namespace

QString tombstoneOwner(const QByteArray &result)
{
    return result.startsWith(tombstonePrefix)
        ? QString::fromUtf8(result.mid(tombstonePrefix.size()))
        : QString();
}

struct TaskEditor::Private
{
    ClusterLink link;
    RedisScript act{QByteArray(editingLua) + actOnTasksLua};
    RedisScript restore{QByteArray(editingLua) + restoreTasksLua};
    RedisScript placeTombstone{QByteArray(editingLua) + placeTombstonesLua};
    RedisScript removeTombstone{QByteArray(editingLua) + removeTombstonesLua};

    /// What comes before an edit: the length of the list, and the queue's name for those who list
    /// queues: whoever deleted it, or all of Redis, would else have made these tasks invisible.
    [[nodiscard]] Result<qint64> begin(QueueNode &node, const QueueName &queue, bool leavesTasks,
                                       const QString &doing)
    {
        QList<RedisCommand> commands{{"LLEN", QueueKeys(queue).pending()}};
        if (leavesTasks && !link.isCluster())
            commands += {"SADD", allQueues, queue.text.toUtf8()};
        const auto replies = TRY(node.look(
            [&](RedisConnection &connection) { return askAll(connection, commands, doing); }));
        if (leavesTasks && link.isCluster()) {
            if (const auto listed = node.enlist(doing); !listed)
                return withoutEffect(listed); // whatever became of the list, no task was touched
        }
        return replies.first().integer;
    }
    /// What the keys of exported tasks are, beside their hashes; `tasks` as for restore-tasks.lua.
    [[nodiscard]] static QByteArrayList keysOfStored(const QueueKeys &keys,
                                                     const QList<QByteArrayList> &tasks)
    {
        constexpr qsizetype groupAt = 3;
        constexpr qsizetype fieldsAt = 7;
        QByteArrayList found;
        for (const QByteArrayList &task : tasks) {
            if (const QByteArray &group = task.at(groupAt); !group.isEmpty())
                found += keys.group(group);
            for (qsizetype i = fieldsAt; i + 1 < task.size(); i += 2) {
                if (task.at(i) == "unique_key" && task.at(i + 1).startsWith(keys.lockPrefix()))
                    found += task.at(i + 1);
            }
        }
        return found;
    }
    /// `tasks` has the script's arguments for each place that is not answered yet.
    [[nodiscard]] static Result<QList<TaskAnswer>>
    answer(PacedEdit &edit, const QList<std::optional<TaskAnswer>> &known,
           const QList<QByteArrayList> &tasks)
    {
        const auto sent = TRY(edit.run(tasks));
        QList<TaskAnswer> answers;
        answers.reserve(known.size());
        auto next = sent.begin();
        for (const std::optional<TaskAnswer> &answer : known)
            answers += answer ? *answer : *next++;
        return answers;
    }
    [[nodiscard]] Result<QList<TaskAnswer>> edit(Act verb, const QueueName &queue,
                                                 const QList<TaskGuard> &tasks)
    {
        const QString what = doing(verb, tasks.size(), queue);
        QueueNode node(link, queue);
        const auto length = TRY(begin(node, queue, verb != Act::Delete, what));
        const bool searchesList
            = std::any_of(tasks.begin(), tasks.end(),
                          [](const TaskGuard &task) { return task.state == TaskState::Pending; });
        const auto keysOfSeen = [&](const QList<QByteArrayList> &some) {
            QByteArrayList named;
            for (const QByteArrayList &task : some)
                named += task.first();
            return keysBeside(node, named, what);
        };
        PacedEdit paced(node, act,
                        {word(verb), QByteArray::number(archiveLimit), QByteArray::number(nearEnd),
                         QByteArray::number(longestWalk), verb == Act::Replace ? "5" : "3"},
                        what, EditPace(searchesList ? length : 0), keysOfSeen);
        QList<TaskId> ids;
        for (const TaskGuard &task : tasks)
            ids += task.id;

        QList<TaskAnswer> answers;
        while (answers.size() < tasks.size()) {
            const qsizetype from = answers.size();
            Result<QList<Replacement>> replacements;
            if (verb == Act::Replace) {
                replacements = node.look([&](RedisConnection &connection) {
                    return readReplacements(connection, queue, ids, from);
                });
                if (!replacements && answers.isEmpty())
                    return passOn(replacements);
                if (!replacements) { // what was answered stands; to the rest nothing was done
                    answers.resize(tasks.size(),
                                   notTried(TaskAnswer::Kind::Failed, TaskState::None,
                                            oneLine(replacements.error())));
                    break;
                }
            } else {
                replacements->resize(tasks.size());
            }
            QList<std::optional<TaskAnswer>> known;
            QList<QByteArrayList> arguments;
            for (qsizetype i = 0; i < replacements->size(); ++i) {
                const TaskGuard &task = tasks.at(from + i);
                const auto &[read, fresh] = replacements->at(i);
                known += refusal(verb, task);
                if (!known.last() && !read.isEmpty() && fresh.isEmpty()) {
                    known.last() = notTried(TaskAnswer::Kind::Damaged, task.state,
                                            u"its message cannot be decoded"_s);
                }
                if (known.last())
                    continue;
                arguments += {task.id.text.toUtf8(), outbox::word(task.state).toUtf8(), task.stamp};
                if (verb == Act::Replace)
                    arguments.last() += {read, fresh};
            }
            answers += TRY(answer(paced, known, arguments));
        }
        return answers;
    }
};

TaskEditor::TaskEditor() : d(std::make_unique<Private>())
{ }

TaskEditor::~TaskEditor() = default;

Result<void> TaskEditor::open(const RedisEndpoint &endpoint, const QString &clientName,
                              std::chrono::milliseconds timeout)
{
    return d->link.open(endpoint, RedisConnection::Access::Act, clientName, timeout);
}

void TaskEditor::close()
{
    d->link.close();
}

bool TaskEditor::isOpen() const
{
    return d->link.isOpen();
}

bool TaskEditor::isReady()
{
    if (d->link.isCluster() || !isOpen())
        return isOpen();
    return d->link.alone().command({"PING"}, u"asking whether Redis is there"_s).has_value();
}

ClusterLink &TaskEditor::link()
{
    return d->link;
}

Result<QList<TaskAnswer>> TaskEditor::run(const QueueName &queue, const QList<TaskGuard> &tasks)
{
    return d->edit(Act::Run, queue, tasks);
}

Result<QList<TaskAnswer>> TaskEditor::archive(const QueueName &queue, const QList<TaskGuard> &tasks)
{
    return d->edit(Act::Archive, queue, tasks);
}

Result<QList<TaskAnswer>> TaskEditor::remove(const QueueName &queue, const QList<TaskGuard> &tasks)
{
    return d->edit(Act::Delete, queue, tasks);
}

Result<QList<TaskAnswer>> TaskEditor::replace(const QueueName &queue, const QList<TaskGuard> &tasks)
{
    return d->edit(Act::Replace, queue, tasks);
}

Result<QList<StoredTask>> TaskEditor::stored(const QueueName &queue, const QList<TaskId> &ids)
{
    return QueueNode(d->link, queue).look([&](RedisConnection &connection) {
        return readStored(connection, queue, ids);
    });
}

Result<QList<TaskAnswer>> TaskEditor::restore(const QueueName &queue,
                                              const QList<StoredTask> &tasks,
                                              const QHash<TaskId, QByteArray> &instead)
{
    const QString what = u"restoring %1 tasks to %2"_s.arg(tasks.size()).arg(queue.text);
    QueueNode node(d->link, queue);
    const auto length = TRY(d->begin(node, queue, true, what));
    const auto keysOfTasks = [&](const QList<QByteArrayList> &some) -> Result<QByteArrayList> {
        return Private::keysOfStored(node.keys(), some);
    };
    PacedEdit paced(node, d->restore, {QByteArray::number(archiveLimit)}, what,
                    EditPace(instead.isEmpty() ? 0 : length), keysOfTasks);
    QList<std::optional<TaskAnswer>> known;
    QList<QByteArrayList> arguments;
    for (const StoredTask &task : tasks) {
        const QString obstacle = restoreObstacle(task);
        if (!obstacle.isEmpty()) {
            known += notTried(TaskAnswer::Kind::Failed, task.state, obstacle);
            continue;
        }
        arguments += restoreArguments(task, instead.value(task.id));
        known += std::nullopt;
    }
    return d->answer(paced, known, arguments);
}

Result<QList<TaskAnswer>> TaskEditor::placeTombstone(const QueueName &queue,
                                                     const QList<TaskId> &ids,
                                                     qint64 retentionSeconds,
                                                     const QString &operation)
{
    const QString what = u"leaving %1 records in %2"_s.arg(ids.size()).arg(queue.text);
    if (retentionSeconds < 1)
        return fail(Error::Kind::Invalid, what, u"a record must be kept for a second or more"_s);
    TaskMessage message;
    message.type = QString::fromLatin1(tombstoneType);
    message.queue = queue.text;
    message.retentionSeconds = retentionSeconds;
    message.completedAt = QDateTime::currentSecsSinceEpoch();
    QList<QByteArrayList> arguments;
    for (const TaskId &id : ids) {
        message.id = id.text;
        const QByteArray bytes = TRY(encode(message));
        arguments += {id.text.toUtf8(), bytes};
    }
    QueueNode node(d->link, queue);
    TRY(d->begin(node, queue, true, what));
    PacedEdit paced(node, d->placeTombstone,
                    {QByteArray::number(retentionSeconds), tombstoneMark(operation)}, what,
                    EditPace(0));
    return paced.run(arguments);
}

Result<QList<TaskAnswer>> TaskEditor::removeTombstone(const QueueName &queue,
                                                      const QList<TaskId> &ids,
                                                      const QString &operation)
{
    const QString what = u"taking %1 records from %2"_s.arg(ids.size()).arg(queue.text);
    QueueNode node(d->link, queue);
    TRY(d->begin(node, queue, false, what));
    PacedEdit paced(node, d->removeTombstone, {tombstoneMark(operation)}, what, EditPace(0));
    QList<QByteArrayList> arguments;
    for (const TaskId &id : ids)
        arguments += {id.text.toUtf8()};
    return paced.run(arguments);
}

Result<bool> TaskEditor::pause(const QueueName &queue)
{
    const RedisCommand command{"SETNX", QueueKeys(queue).paused(),
                               QByteArray::number(QDateTime::currentSecsSinceEpoch())};
    const auto set = TRY(QueueNode(d->link, queue).act([&](RedisConnection &connection) {
        return askAll(connection, {command}, u"pausing "_s + queue.text);
    }));
    return set.first().integer == 1;
}

Result<bool> TaskEditor::unpause(const QueueName &queue)
{
    const RedisCommand command{"DEL", QueueKeys(queue).paused()};
    const auto gone = TRY(QueueNode(d->link, queue).act([&](RedisConnection &connection) {
        return askAll(connection, {command}, u"unpausing "_s + queue.text);
    }));
    return gone.first().integer == 1;
}

Result<void> TaskEditor::cancel(const QList<TaskId> &ids)
{
    QList<RedisCommand> commands;
    for (const TaskId &id : ids)
        commands += {"PUBLISH", cancelChannel, id.text.toUtf8()};
    RedisConnection *any = &d->link.alone(); // nodes of a Cluster hand it to all others
    if (d->link.isCluster()) {
        const auto nodes = d->link.nodes();
        if (!nodes)
            return withoutEffect(nodes);
        any = nodes->first();
    }
    TRY(askAll(*any, commands, u"cancelling %1 tasks"_s.arg(ids.size())));
    return {};
}

} // namespace outbox
