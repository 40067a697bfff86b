// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/observe/queuesnapshots.h"
#include "connectors/asynq/observe/reading.h"
#include "connectors/asynq/observe/taskread.h"
#include "connectors/asynq/wire/keys.h"
#include "connectors/asynq/wire/taskmessage.h"
#include "models/elapsed.h"

#include <QElapsedTimer>

#include <algorithm>

namespace outbox::asynq {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int mostRows = 500;
constexpr qint64 largestOfPage = 1024LL * 1024;
constexpr qint64 largestPage = 16LL * 1024 * 1024; ///< messages beyond it are not read in a list

struct Entry
{
    QByteArray id;
    RedisReply score; ///< nil in lists
};

struct Entries
{
    QList<Entry> rows;
    bool more = false;
};

QList<Entry> scored(const QList<RedisReply> &pairs)
{
    QList<Entry> rows;
    for (qsizetype i = 0; i + 1 < pairs.size(); i += 2)
        rows += {pairs.at(i).bytes, pairs.at(i + 1)};
    return rows;
}

/// Lists are filled at the left and served at the right: the page is read backwards from the end.
Result<Entries> listEntries(RedisConnection &connection, const QByteArray &key, qint64 offset,
                            qint64 limit, const QString &doing)
{
    const auto replies = TRY(askAll(
        connection,
        {{"LLEN", key},
         {"LRANGE", key, QByteArray::number(-(offset + limit)), QByteArray::number(-(offset + 1))}},
        doing));
    Entries entries;
    for (const RedisReply &id : replies.at(1).elements)
        entries.rows += {id.bytes, {}};
    std::reverse(entries.rows.begin(), entries.rows.end());
    entries.more = replies.at(0).integer > offset + limit;
    return entries;
}

Result<Entries> setEntries(RedisConnection &connection, const QByteArray &key, bool highestFirst,
                           qint64 offset, qint64 limit, const QString &doing)
{
    const auto replies
        = TRY(askAll(connection,
                     {{"ZCARD", key},
                      {highestFirst ? "ZREVRANGE" : "ZRANGE", key, QByteArray::number(offset),
                       QByteArray::number(offset + limit - 1), "WITHSCORES"}},
                     doing));
    return Entries{scored(replies.at(1).elements), replies.at(0).integer > offset + limit};
}

/// The groups one behind the other, by name.
Result<Entries> groupEntries(RedisConnection &connection, const QueueName &queue, qint64 offset,
                             qint64 limit, const QString &doing)
{
    const auto groups = TRY(readGroups(connection, queue));
    if (!groups)
        return fail(Error::Kind::Unsupported, doing, u"there are too many groups to list"_s);
    QList<RedisCommand> counts;
    for (const QByteArray &group : *groups)
        counts += {"ZCARD", QueueKeys(queue).group(group)};
    const auto sizes = TRY(askAll(connection, counts, doing));

    QList<RedisCommand> ranges;
    qint64 start = 0; // of this group in the whole
    for (qsizetype i = 0; i < sizes.size(); ++i) {
        const qint64 size = sizes.at(i).integer;
        const qint64 from = std::max<qint64>(offset - start, 0);
        const qint64 to = std::min(offset + limit - start, size) - 1;
        if (from <= to) {
            ranges += {"ZRANGE", QueueKeys(queue).group(groups->at(i)), QByteArray::number(from),
                       QByteArray::number(to), "WITHSCORES"};
        }
        start += size;
    }
    const auto replies = TRY(askAll(connection, ranges, doing));
    Entries entries;
    for (const RedisReply &reply : replies)
        entries.rows += scored(reply.elements);
    entries.more = start > offset + limit;
    return entries;
}

Result<Entries> entriesOf(RedisConnection &connection, const QueueName &queue, TaskState state,
                          qint64 offset, qint64 limit, const QString &doing)
{
    const QByteArray key = QueueKeys(queue).container(state);
    switch (state) {
    case TaskState::Pending:
    case TaskState::Active:
        return listEntries(connection, key, offset, limit, doing);
    case TaskState::Scheduled:
    case TaskState::Retry:
    case TaskState::Completed:
        return setEntries(connection, key, false, offset, limit, doing);
    case TaskState::Archived:
        return setEntries(connection, key, true, offset, limit, doing);
    case TaskState::Aggregating:
        return groupEntries(connection, queue, offset, limit, doing);
    case TaskState::None:
    case TaskState::Stub:
    case TaskState::Orphan:
    case TaskState::WrongType:
        break;
    }
    return fail(Error::Kind::Unsupported, doing,
                u"damaged tasks stand in no list; they can be found by id only"_s);
}

/// What is known before the message is read. False: there is no message to read.
bool readHead(Task &task, const RedisReply &length, const RedisReply &fields,
              const RedisReply &lease)
{
    if (length.isError() || fields.isError()) {
        task.damaged = true;
        task.note = u"what stands under its key is no hash"_s;
        return false;
    }
    const QByteArray state = fields.elements.value(0).bytes;
    task.pendingSince = nanosecondsOf(fields.elements.value(1));
    task.leaseUntil = momentOf(lease);
    task.payloadBytes = length.integer;
    if (length.integer == 0) {
        task.damaged = true;
        task.note = u"its id is listed, but there is no message"_s;
        return false;
    }
    if (stateFromHash(state) != task.state)
        task.note = u"its hash says \"%1\""_s.arg(QString::fromUtf8(state));
    return true;
}

void readMessage(Task &task, const RedisReply &bytes, int payloadBytes)
{
    if (bytes.isNil()) {
        task.note = u"it was gone a moment later"_s;
        return;
    }
    const Result<TaskMessage> message = decode(bytes.bytes);
    if (message) {
        describe(*message, payloadBytes, task);
    } else {
        task.damaged = true;
        task.note = u"its message cannot be decoded"_s;
    }
}

} // namespace

Result<TaskPage> readPage(RedisConnection &connection, const QueueName &queue, TaskState state,
                          int limit, const QString &after, int payloadBytes)
{
    QElapsedTimer clock;
    clock.start();
    const QString doing = u"listing %1 tasks of %2"_s.arg(word(state), queue.text);
    bool isNumber = after.isEmpty();
    const qint64 offset = after.isEmpty() ? 0 : after.toLongLong(&isNumber);
    if (!isNumber || offset < 0)
        return fail(Error::Kind::Invalid, doing, u"\"%1\" is no cursor of ours"_s.arg(after));
    const int rows = std::clamp(limit, 1, mostRows);
    const auto entries = TRY(entriesOf(connection, queue, state, offset, rows, doing));

    const QueueKeys keys(queue);
    QList<RedisCommand> heads;
    for (const Entry &entry : entries.rows) {
        const QByteArray key = keys.task(entry.id);
        heads += {"HSTRLEN", key, "msg"};
        heads += {"HMGET", key, "state", "pending_since"};
        heads += {"ZSCORE", keys.lease(), entry.id};
    }
    const auto replies = TRY(ask(connection, heads, doing));

    TaskPage page;
    QList<RedisCommand> reads;
    QList<qsizetype> readRows;
    qint64 sum = 0;
    for (qsizetype i = 0; i < entries.rows.size(); ++i) {
        const Entry &entry = entries.rows.at(i);
        Task task;
        task.id.text = QString::fromUtf8(entry.id);
        task.queue = queue;
        task.state = state;
        setScore(task, momentOf(entry.score));
        task.stamp = stampOf(state, replies.at(3 * i + 1).elements.value(1), replies.at(3 * i + 2),
                             entry.score);
        if (readHead(task, replies.at(3 * i), replies.at(3 * i + 1), replies.at(3 * i + 2))) {
            const qint64 bytes = task.payloadBytes;
            if (bytes <= largestOfPage && sum + bytes <= largestPage) {
                sum += bytes;
                reads += {"HGET", keys.task(entry.id), "msg"};
                readRows += i;
            } else {
                task.note = u"a message of %1 bytes is not read in a list"_s.arg(bytes);
            }
        }
        page.tasks += task;
    }
    const auto messages = TRY(ask(connection, reads, doing));
    for (qsizetype i = 0; i < readRows.size(); ++i)
        readMessage(page.tasks[readRows.at(i)], messages.at(i), payloadBytes);
    if (entries.more)
        page.next = QString::number(offset + rows);
    page.tookMs = millisecondsOf(clock);
    return page;
}

Result<QList<TaskGuard>> oldestArchived(RedisConnection &connection, const QueueName &queue,
                                        int count)
{
    constexpr int pageSize = 1000;
    const QByteArray archive = QueueKeys(queue).archived();
    QList<RedisCommand> pages;
    for (int start = 0; start < count; start += pageSize) {
        pages += {"ZRANGE", archive, QByteArray::number(start),
                  QByteArray::number(std::min(start + pageSize, count) - 1), "WITHSCORES"};
    }
    const auto replies = TRY(askAll(
        connection, pages, u"looking for the oldest tasks in the archive of "_s + queue.text));
    QList<TaskGuard> oldest;
    for (const RedisReply &reply : replies) {
        for (const Entry &entry : scored(reply.elements))
            oldest += {{QString::fromUtf8(entry.id)}, TaskState::Archived, entry.score.bytes};
    }
    return oldest;
}

} // namespace outbox::asynq
