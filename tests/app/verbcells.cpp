// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/verbcells.h"

#include "connectors/asynq/wire/keys.h"
#include "tests/support/redisqueue.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QUuid>

#include <array>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

struct Names
{
    QString table;
    QString key;
    QString processed;
};

Names namesOf(TestOutbox &fixture, BenchShape shape)
{
    if (shape != BenchShape::ProcessedDate)
        return {u"outbox"_s, u"id"_s, u"completed_at"_s};
    const QString table = fixture.table();
    return {table.startsWith(u"app."_s) ? u"app.\"OutboxMessages\""_s : u"\"OutboxMessages\""_s,
            u"\"Id\""_s, u"\"ProcessedDate\""_s};
}

QString listOf(const QStringList &ids)
{
    return u"'"_s + ids.join(u"','"_s) + u"'"_s;
}

QString keyText(TestOutbox &fixture, BenchShape shape)
{
    return fixture.keyText(namesOf(fixture, shape).key);
}

bool keepsRows(BenchShape shape)
{
    return shape == BenchShape::CompletedAt || shape == BenchShape::ProcessedDate;
}

std::optional<TaskState> soundState(TaskIs task)
{
    switch (task) {
    case TaskIs::Pending:
    case TaskIs::Unreadable:
        return TaskState::Pending;
    case TaskIs::Active:
        return TaskState::Active;
    case TaskIs::Scheduled:
        return TaskState::Scheduled;
    case TaskIs::Retry:
        return TaskState::Retry;
    case TaskIs::Aggregating:
        return TaskState::Aggregating;
    case TaskIs::Archived:
        return TaskState::Archived;
    case TaskIs::Completed:
    case TaskIs::Expired:
    case TaskIs::Stranger:
        return TaskState::Completed;
    default:
        return std::nullopt;
    }
}

bool placeCell(RedisConnection &redis, TaskIs task, EnqueueRequest request)
{
    const asynq::QueueKeys keys({u"default"_s});
    const QByteArray id = request.id.text.toUtf8();
    const auto sent = [&redis](const RedisCommand &command) {
        return redis.command(command, u"placing"_s).has_value();
    };
    switch (task) {
    case TaskIs::None:
        return true;
    case TaskIs::Stub:
        return sent({"HSET", keys.task(id), "state", "active"});
    case TaskIs::WrongType:
        return sent({"SET", keys.task(id), "x"});
    case TaskIs::Orphan:
        return placeTask(redis, request, TaskState::Scheduled).has_value()
            && sent({"ZREM", keys.scheduled(), id});
    case TaskIs::Unreadable:
        return placeBytes(redis, request, TaskState::Pending, "\xff\xff no message").has_value();
    case TaskIs::Stranger:
        request.type = u"somebody:else"_s;
        break;
    default:
        break;
    }
    if (!placeTask(redis, request, soundState(task).value()).has_value())
        return false;
    return task != TaskIs::Expired
        || sent({"ZADD", keys.completed(), QByteArray::number(1'700'000'000), id});
}

Outcome byTask(TaskIs task, const std::array<Outcome, 14> &outcomes)
{
    return outcomes.at(static_cast<std::size_t>(task));
}

Outcome promisedOnRow(Verb verb, const VerbCell &cell)
{
    using enum Outcome;
    switch (cell.row) {
    case RowIs::Gone:
        return Gone;
    case RowIs::HeldPending:
    case RowIs::HeldProcessed:
        return Claimed;
    case RowIs::Pending:
        if (verb == Verb::Replay)
            return NothingToDo;
        break;
    case RowIs::Processed:
        break;
    }
    // none, pending, active, scheduled, retry, aggregating, archived, completed, expired, stranger,
    // stub, orphan, wrong type, unreadable
    return verb == Verb::Replay
        ? byTask(cell.task,
                 {SecondExecution, InFlight, InFlight, InFlight, InFlight, InFlight, Dead,
                  RefusedUntil, RefusedUntil, Collision, Blocked, Blocked, Blocked, Blocked})
        : byTask(cell.task,
                 {Done, Unfinished, Unfinished, Unfinished, Unfinished, Unfinished, Unfinished,
                  Done, Done, Done, Blocked, Blocked, Blocked, Blocked});
}

} // namespace

QString word(RowIs row)
{
    static const QStringList words{u"gone"_s, u"pending"_s, u"processed"_s, u"pending, held"_s,
                                   u"processed, held"_s};
    return words.at(static_cast<int>(row));
}

QString word(TaskIs task)
{
    static const QStringList words{u"none"_s,       u"pending"_s,     u"active"_s,   u"scheduled"_s,
                                   u"retry"_s,      u"aggregating"_s, u"archived"_s, u"completed"_s,
                                   u"expired"_s,    u"stranger"_s,    u"stub"_s,     u"orphan"_s,
                                   u"wrong type"_s, u"unreadable"_s};
    return words.at(static_cast<int>(task));
}

QList<RowIs> rowsOf(TestOutbox::Kind kind, BenchShape shape)
{
    QList<RowIs> rows{RowIs::Gone, RowIs::Pending};
    if (keepsRows(shape))
        rows += RowIs::Processed;
    if (kind != TestOutbox::Kind::Sqlite) { // it has no rows that are held
        rows += RowIs::HeldPending;
        if (keepsRows(shape))
            rows += RowIs::HeldProcessed;
    }
    return rows;
}

QList<TaskIs> allTasks()
{
    QList<TaskIs> tasks;
    for (int task = 0; task <= static_cast<int>(TaskIs::Unreadable); ++task)
        tasks += static_cast<TaskIs>(task);
    return tasks;
}

QList<VerbCell> makeCells(TestOutbox &fixture, TestOutbox::Kind kind, BenchShape shape,
                          const OutboxShape &mapping)
{
    QList<VerbCell> cells;
    for (const RowIs row : rowsOf(kind, shape)) {
        for (const TaskIs task : allTasks())
            cells += VerbCell{row, task, {}, {}};
    }
    if (!fixture.insertRows(static_cast<int>(cells.size())))
        return {};
    QStringList gone;
    QStringList processed;
    QStringList held;
    for (qsizetype i = 0; i < cells.size(); ++i) {
        VerbCell &cell = cells[i];
        cell.id = fixture.insertedIds().at(i);
        cell.taskId = fixture.taskId(mapping, cell.id);
        if (cell.row == RowIs::Gone)
            gone += cell.id;
        if (cell.row == RowIs::Processed || cell.row == RowIs::HeldProcessed)
            processed += cell.id;
        if (cell.row == RowIs::HeldPending || cell.row == RowIs::HeldProcessed)
            held += cell.id;
        EnqueueRequest request = sampleRequest(cell.taskId);
        request.type = fixture.expectedType(cell.id);
        request.payload = fixture.expectedPayload(cell.id);
        if (!placeCell(fixture.plainRedis(), cell.task, request))
            return {};
    }
    const Names names = namesOf(fixture, shape);
    bool made = fixture.exec(u"delete from %1 where %2 in (%3)"_s.arg(
        names.table, keyText(fixture, shape), listOf(gone)));
    made = made && (processed.isEmpty() || markProcessed(fixture, shape, processed));
    if (!held.isEmpty()) {
        made = made && fixture.exec(u"begin"_s)
            && fixture.exec(u"select 1 from %1 where %2 in (%3) for update"_s.arg(
                names.table, keyText(fixture, shape), listOf(held)));
    }
    return made ? cells : QList<VerbCell>();
}

bool releaseHeld(TestOutbox &fixture, TestOutbox::Kind kind)
{
    return kind == TestOutbox::Kind::Sqlite || fixture.exec(u"rollback"_s);
}

Outcome promised(Verb verb, const VerbCell &cell)
{
    using enum Outcome;
    // none, pending, active, scheduled, retry, aggregating, archived, completed, expired, stranger,
    // stub, orphan, wrong type, unreadable
    switch (verb) {
    case Verb::Run:
        return byTask(cell.task,
                      {Gone, NothingToDo, InFlight, Done, Done, Done, Done, SecondExecution,
                       SecondExecution, SecondExecution, Blocked, Blocked, Blocked, Blocked});
    case Verb::Archive:
        return byTask(cell.task,
                      {Gone, Done, InFlight, Done, Done, Done, NothingToDo, NotOffered, NotOffered,
                       NotOffered, Blocked, Blocked, Blocked, Done});
    case Verb::Delete: {
        // The record that refuses an id stays while the row may still be sent.
        const bool mayBeSent = cell.row == RowIs::Pending || cell.row == RowIs::HeldPending;
        const Outcome completed = mayBeSent ? NotOffered : Done;
        return byTask(cell.task,
                      {Gone, Done, InFlight, Done, Done, Done, Done, completed, completed,
                       completed, Blocked, Blocked, Blocked, Done});
    }
    case Verb::Replace:
        return byTask(cell.task,
                      {Gone, Done, InFlight, Done, Done, Done, Done, SecondExecution,
                       SecondExecution, SecondExecution, Blocked, Blocked, Blocked, Blocked});
    case Verb::Cancel:
        return byTask(cell.task,
                      {Gone, NotOffered, Done, NotOffered, NotOffered, NotOffered, NotOffered,
                       NotOffered, NotOffered, NotOffered, Blocked, Blocked, Blocked, NotOffered});
    default:
        return promisedOnRow(verb, cell);
    }
}

QHash<QString, QString> rowDigests(TestOutbox &fixture, TestOutbox::Kind kind, BenchShape shape)
{
    const Names names = namesOf(fixture, shape);
    QString sql;
    if (kind == TestOutbox::Kind::Postgres) {
        sql = u"select json_object_agg(%1, md5(t::text || t.xmin::text))::text from %2 t"_s.arg(
            keyText(fixture, shape), names.table);
    } else if (kind == TestOutbox::Kind::MariaDb) {
        const QString columns
            = fixture
                  .scalar(u"select group_concat('coalesce(hex(\"' || column_name || '\"), ''-'')')"
                          " from information_schema.columns where table_schema = database() and"
                          " table_name = '%1'"_s.arg(QString(names.table).remove(u'"')))
                  .toString();
        sql = u"select json_objectagg(%1, concat_ws('|', %2)) from %3"_s.arg(
            keyText(fixture, shape), columns, names.table);
    } else {
        const QString plain = QString(names.table).remove(u'"');
        const QString columns
            = fixture
                  .scalar(u"select group_concat('quote(\"' || name || '\")', ' || ''|'' || ') from "
                          "pragma_table_info('%1')"_s.arg(plain))
                  .toString();
        sql = u"select json_group_object(%1, %2) from %3"_s.arg(keyText(fixture, shape), columns,
                                                                names.table);
    }
    const QJsonObject json
        = QJsonDocument::fromJson(fixture.scalar(sql).toString().toUtf8()).object();
    QHash<QString, QString> digests;
    for (auto row = json.begin(); row != json.end(); ++row)
        digests.insert(row.key(), row.value().toString());
    return digests;
}

bool markProcessed(TestOutbox &fixture, BenchShape shape, const QStringList &ids)
{
    const Names names = namesOf(fixture, shape);
    return fixture.exec(u"update %1 set %2 = current_timestamp where %3 in (%4)"_s.arg(
        names.table, names.processed, keyText(fixture, shape), listOf(ids)));
}

QStringList processedIds(TestOutbox &fixture, BenchShape shape)
{
    if (!keepsRows(shape))
        return {};
    const Names names = namesOf(fixture, shape);
    const QString joined
        = (fixture.kind() == TestOutbox::Kind::Postgres      ? u"string_agg(%1, ',')"_s
               : fixture.kind() == TestOutbox::Kind::MariaDb ? u"group_concat(%1 separator ',')"_s
                                                             : u"group_concat(%1, ',')"_s)
              .arg(keyText(fixture, shape));
    return fixture
        .scalar(
            u"select %1 from %2 where %3 is not null"_s.arg(joined, names.table, names.processed))
        .toString()
        .split(u',', Qt::SkipEmptyParts);
}

} // namespace outbox
