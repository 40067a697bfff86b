// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/edit/taskchanging.h"

#include "connectors/asynq/edit/pacededit.h"
#include "connectors/asynq/edit/queuenode.h"
#include "connectors/asynq/edit/storedtasks.h"
#include "connectors/asynq/observe/reading.h"
#include "connectors/asynq/observe/taskfacts.h"
#include "connectors/asynq/scripts.h"
#include "connectors/asynq/wire/keys.h"
#include "connectors/asynq/wire/messageedit.h"
#include "connectors/asynq/wire/taskmessage.h"

#include <QDateTime>

#include <array>
#include <cmath>
#include <limits>

namespace outbox::asynq {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr double lastDueSecond = 253'402'300'799.0; ///< of the year 9999
constexpr std::array editedFields{"state", "msg", "pending_since", "unique_key"};

/// Whether the lock that its hash names is the task's own.
Result<void> readOwnLock(RedisConnection &connection, const QByteArray &lock, StoredTask &task,
                         const QString &doing)
{
    const auto replies = TRY(ask(connection, {{"GET", lock}, {"PTTL", lock}}, doing));
    for (const RedisReply &reply : replies) {
        if (reply.isError() && errorWord(reply) != "WRONGTYPE") // such a key is nobody's lock
            return tl::unexpected(errorFromReply(reply, doing, connection.asker()));
    }
    if (replies.at(0).isError() || replies.at(0).bytes != task.id.text.toUtf8())
        return {};
    constexpr qint64 forGood = -1; // asynq gives each lock an end; other hands may not
    const qint64 left = replies.at(1).integer;
    task.lockedUntil
        = QByteArray::number(left == forGood ? std::numeric_limits<qint64>::max()
                                             : QDateTime::currentMSecsSinceEpoch() + left);
    return {};
}

Cell textCell(const QString &text)
{
    return {Cell::Kind::Text, text.toUtf8()};
}

/// In whole seconds, as asynq keeps it: never before the moment that was asked for.
qint64 dueSecond(const QDateTime &due)
{
    const qint64 ms = due.toMSecsSinceEpoch();
    return ms / 1000 + (ms % 1000 > 0 ? 1 : 0);
}

Cell timeCell(qint64 second)
{
    return textCell(QDateTime::fromSecsSinceEpoch(second, Qt::UTC).toString(Qt::ISODate));
}

/// When it runs next; NULL where no time says it.
Cell dueOf(const StoredTask &task)
{
    if (task.state != TaskState::Scheduled && task.state != TaskState::Retry)
        return {};
    bool isNumber = false;
    const double score = task.score.toDouble(&isNumber);
    if (!isNumber || std::isnan(score) || score < 0 || score > lastDueSecond)
        return {Cell::Kind::Text, task.score};
    return timeCell(static_cast<qint64>(score));
}

QString headersText(const QMap<QString, QString> &headers)
{
    QStringList texts;
    for (auto header = headers.begin(); header != headers.end(); ++header)
        texts += QString(header.key() + u": "_s + header.value());
    return texts.join(u", "_s);
}

RowPartContent partOf(RowPart part, const Cell &cell, const QString &locked = {})
{
    RowPartContent one;
    one.part = part;
    one.column = word(part);
    one.locked = locked;
    one.cell = cell;
    one.form = part == RowPart::Payload ? PartForm::Bytes
        : part == RowPart::Due          ? PartForm::Time
                                        : PartForm::Text;
    return one;
}

/// What is asked for of a part that stands in the message.
std::optional<QByteArray> wantedOfTask(RowPart part, const RowEdit &edit)
{
    if (part == RowPart::Payload)
        return edit.payload;
    if (part == RowPart::Type && edit.type)
        return edit.type->toUtf8();
    return std::nullopt;
}

/// Why no task can be due then; empty: it can.
QString whyNotDue(const std::optional<QDateTime> &due)
{
    if (!due)
        return {};
    const qint64 second = dueSecond(*due);
    return due->isValid() && second > 0 && double(second) <= lastDueSecond
        ? QString()
        : u"a task cannot be due then"_s;
}

} // namespace

Result<std::optional<StoredTask>> readForEdit(AsynqInspector &inspector, const QueueName &queue,
                                              const TaskId &id, const TaskSeen &seen)
{
    const QString doing = u"reading task %1 of %2"_s.arg(id.text, queue.text);
    const QueueKeys keys(queue);
    const auto look = [&](RedisConnection &connection) -> Result<std::optional<StoredTask>> {
        RedisCommand command{"HMGET", keys.task(id)};
        for (const char *name : editedFields)
            command += QByteArray(name);
        const auto replies = TRY(askAll(connection, {command}, doing));
        const QList<RedisReply> values = replies.first().elements;
        StoredTask task{id, queue, seen.state, seen.stamp, {}, {}};
        for (qsizetype i = 0; i < values.size(); ++i) {
            if (!values.at(i).isNil())
                task.fields += {command.at(2 + i), values.at(i).bytes};
        }
        if (fieldOf(task, "state") != word(seen.state).toUtf8() || fieldOf(task, "msg").isEmpty())
            return std::optional<StoredTask>();
        if (task.state == TaskState::Pending)
            task.score.clear();
        const QByteArray lock = fieldOf(task, "unique_key");
        if (lock.startsWith(keys.lockPrefix())) {
            TRY(readOwnLock(connection, lock, task, doing));
        }
        return std::optional(task);
    };
    return inspector.at(queue, look);
}

Result<RowContent> contentOfTask(const StoredTask &task)
{
    const QByteArray stored = fieldOf(task, "msg");
    const auto message = TRY(decode(stored));
    RowContent content;
    content.id.text = task.id.text;
    content.queue = task.queue;
    content.version = u"%1 %2 %3"_s.arg(QString::fromLatin1(digestOf(stored)), word(task.state),
                                        QString::fromLatin1(task.score));
    content.parts += partOf(RowPart::Id, textCell(task.id.text),
                            u"The same id: whoever enqueued it knows it by this one"_s);
    if (!message.headers.isEmpty()) {
        content.parts += partOf(RowPart::Headers, textCell(headersText(message.headers)),
                                u"They are told to the worker as they were"_s);
    }
    content.parts += partOf(RowPart::Type, textCell(message.type));
    content.parts += partOf(RowPart::Queue, textCell(message.queue),
                            u"A task stays in its queue: of a Cluster, two queues may be at two "
                            "nodes, and no script moves it from one to the other whole. Enqueue it "
                            "there by hand, and delete this one"_s);
    content.parts += partOf(RowPart::Due, dueOf(task));
    content.parts += partOf(RowPart::Payload, Cell{Cell::Kind::Bytes, message.payload});
    return content;
}

Result<QList<EditedCell>> cellsOfTask(const RowContent &content, const RowEdit &edit)
{
    const QString doing = u"checking an edit of task "_s + content.id.text;
    const RowPartContent *queue = content.part(RowPart::Queue);
    if (queue && edit.queue && edit.queue->toUtf8() != queue->cell.bytes)
        return fail(Error::Kind::Invalid, doing, u"the queue is locked. "_s + queue->locked);
    if (const QString why = whyNotDue(edit.due); !why.isEmpty())
        return fail(Error::Kind::Invalid, doing, why);
    QList<EditedCell> cells;
    for (const RowPartContent &part : content.parts) {
        if (!part.mayChange())
            continue;
        EditedCell cell{part.part, part.column, part.cell, std::nullopt};
        if (const auto wanted = wantedOfTask(part.part, edit))
            cell.now = Cell{part.kindToWrite(), *wanted};
        else if (part.part == RowPart::Due && edit.due)
            cell.now = timeCell(dueSecond(*edit.due));
        cells += cell;
    }
    return cells;
}

Result<TaskChange> changeOfTask(const StoredTask &task, const RowEdit &edit, const QDateTime &now)
{
    TaskChange change;
    change.seen = fieldOf(task, "msg");
    const auto before = TRY(decode(change.seen));
    change.message = TRY(withContent(change.seen, edit.type, edit.payload));
    const auto after = TRY(decode(change.message));
    change.pendingSince = fieldOf(task, "pending_since");
    change.needsFreeLock = before.type != after.type || before.payload != after.payload;
    if (edit.due && *edit.due > now) {
        change.state = task.state == TaskState::Retry ? TaskState::Retry : TaskState::Scheduled;
        change.score = QByteArray::number(dueSecond(*edit.due));
    } else if (edit.due || task.state == TaskState::Archived) {
        change.state = TaskState::Pending;
    } else {
        change.state = task.state;
        change.score = task.score;
    }
    return change;
}

TaskChange changeBack(const StoredTask &old, const StoredTask &now)
{
    TaskChange change;
    change.seen = fieldOf(now, "msg");
    change.message = fieldOf(old, "msg");
    change.state = old.state;
    change.score = old.score;
    change.pendingSince = fieldOf(old, "pending_since");
    return change;
}

Result<TaskAnswer> changeTask(ClusterLink &link, const QueueName &queue, const TaskGuard &task,
                              const TaskChange &change)
{
    const QString doing = u"editing task %1 of %2"_s.arg(task.id.text, queue.text);
    QueueNode node(link, queue);
    // Whoever deleted the queue's name, or all of Redis, would else have made it invisible.
    if (const auto listed = node.enlist(doing); !listed)
        return withoutEffect(listed); // whatever became of the list, no task was touched
    const RedisScript script(QByteArray(editingLua) + actOnTasksLua);
    const QByteArray id = task.id.text.toUtf8();
    const QByteArrayList arguments{id,
                                   word(task.state).toUtf8(),
                                   task.stamp,
                                   change.seen,
                                   change.message,
                                   word(change.state).toUtf8(),
                                   change.score,
                                   change.pendingSince,
                                   change.needsFreeLock ? "free" : ""};
    const auto keysOfSeen
        = [&](const QList<QByteArrayList> &) { return keysBeside(node, {id}, doing); };
    PacedEdit paced(node, script,
                    {"edit", QByteArray::number(archiveLimit), QByteArray::number(nearEnd),
                     QByteArray::number(longestWalk), QByteArray::number(arguments.size())},
                    doing, EditPace(0), keysOfSeen);
    const auto answers = TRY(paced.run({arguments}));
    return answers.first();
}

} // namespace outbox::asynq
