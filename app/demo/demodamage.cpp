// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/demodamage.h"

#include "app/demo/breakage.h"
#include "app/demo/demomessages.h"
#include "connectors/asynq/wire/keys.h"
#include "connectors/asynq/wire/taskmessage.h"
#include "models/system/verdict.h"

#include <QDateTime>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using namespace asynq;
using namespace breakage;

namespace {

constexpr int trimmed = 25; ///< so many more than an archive holds
constexpr int chunk = 1'000;
constexpr int heldRows = 5;
constexpr int mostDamageTries = 200; ///< the relay may be quicker each time

QByteArray secondsFromNow(qint64 seconds)
{
    return QByteArray::number(QDateTime::currentSecsSinceEpoch() + seconds);
}

} // namespace

void DemoDamage::setPlace(const StoreSettings &store, const OutboxShape &shape,
                          const RedisEndpoint &redis)
{
    StoreSettings settings = store;
    settings.applicationName = u"demo report"_s;
    m_session.setSettings(settings);
    m_shape = shape;
    m_endpoint = redis;
}

bool DemoDamage::knows(const QString &id)
{
    return id == poisonRow || id == breakage::damageTask || id == sameIds
        || id == breakage::fillArchive || id == holdTransaction;
}

Result<void> DemoDamage::make(const QString &id)
{
    TRY(connectAll());
    if (id == poisonRow)
        return writePoison();
    if (id == breakage::damageTask)
        return damageTask();
    if (id == sameIds)
        return takeId();
    return id == breakage::fillArchive ? fillArchive() : holdRows();
}

Result<bool> DemoDamage::isThere(const QString &id)
{
    if (id == holdTransaction)
        return m_holding && m_holding->verifyTransaction(u"holding rows"_s).has_value();
    TRY(connectAll());
    const QueueKeys keys(m_queue);
    if (id == poisonRow)
        return isRowOpen(m_poison);
    if (id == sameIds)
        return isRowOpen(m_taken);
    if (id == breakage::damageTask) {
        const auto blocked = number({"EXISTS", keys.task(taskOf(m_damaged))});
        const auto message = number({"HEXISTS", keys.task(taskOf(m_damaged)), "msg"});
        if (!blocked || !message)
            return passOn(blocked ? message : blocked);
        if (*blocked == 1 && *message == 0)
            return true;
        return isRowOpen(m_damaged);
    }
    const auto dead = number({"ZCARD", keys.archived()});
    const auto orphan = number({"EXISTS", keys.task(m_archive + '1')});
    if (!dead || !orphan)
        return passOn(dead ? orphan : dead);
    return *dead >= archiveLimit || *orphan == 1;
}

Result<void> DemoDamage::undo(const QString &id)
{
    if (id == holdTransaction) {
        m_holding.close();
        return {};
    }
    TRY(connectAll());
    const QueueKeys keys(m_queue);
    QList<RedisCommand> commands;
    if (id == breakage::fillArchive) {
        for (int i = 1; i <= archiveLimit + trimmed; ++i) {
            const QByteArray task = m_archive + QByteArray::number(i);
            commands += {"ZREM", keys.archived(), task};
            commands += {"DEL", keys.task(task)};
        }
        return send(commands);
    }
    const QString &key = id == poisonRow ? m_poison
        : id == breakage::damageTask     ? m_damaged
                                         : m_taken;
    if (id != poisonRow) {
        const QByteArray task = taskOf(key);
        commands += {"ZREM", keys.completed(), task};
        commands += {"LREM", keys.pending(), "0", task};
        commands += {"DEL", keys.task(task)};
    }
    const auto gone = query(
        u"DELETE FROM %1 WHERE %2 = %3"_s.arg(m_shape.table.table, m_shape.keyColumn, mark(1)),
        {key});
    return gone ? send(commands) : passOn(gone);
}

Result<void> DemoDamage::connectAll()
{
    TRY(m_session.ensureOpen());
    return m_tasks.isOpen() ? m_tasks.connection().ensureOpen()
                            : m_tasks.open(m_endpoint, u"demo-mishaps"_s);
}

QString DemoDamage::mark(int number) const
{
    if (m_session.database().isFile())
        return u"?"_s;
    return number == 1 ? u"$1::uuid"_s : u"$%1"_s.arg(number);
}

Result<SqlRows> DemoDamage::query(const QString &text, const QStringList &values)
{
    QVariantList bound;
    for (const QString &value : values)
        bound += value;
    return m_session->query({text, bound}, u"breaking something in the demo"_s);
}

Result<void> DemoDamage::insert(const QString &key, const QString &type)
{
    const bool isBytes = m_shape.payloadForm == OutboxShape::PayloadForm::Bytes;
    const bool isSqlite = m_session.database().isFile();
    const QString payload = !isBytes ? mark(3)
        : isSqlite                   ? u"CAST(? AS blob)"_s
                                     : u"convert_to($3, 'UTF8')"_s;
    const auto written = query(u"INSERT INTO %1 (%2, %3, %4) VALUES (%5, %6, %7)"_s.arg(
                                   m_shape.table.table, m_shape.keyColumn, m_shape.typeColumn,
                                   m_shape.payloadColumn, mark(1), mark(2), payload),
                               {key, type, u"{\"order\":9999}"_s});
    return written ? Result<void>() : passOn(written);
}

Result<bool> DemoDamage::isRowOpen(const QString &key)
{
    const QString open = m_shape.processedColumn.isEmpty()
        ? QString()
        : u" AND %1 IS NULL"_s.arg(m_shape.processedColumn);
    const auto rows = TRY(query(
        u"SELECT type FROM %1 WHERE %2 = %3"_s.arg(m_shape.table.table, m_shape.keyColumn, mark(1))
            + open,
        {key}));
    return rows.size() > 0;
}

QByteArray DemoDamage::taskOf(const QString &key) const
{
    return taskOfTyped(m_shape, MessageId{key}).text.toUtf8();
}

Result<void> DemoDamage::send(const QList<RedisCommand> &commands)
{
    for (qsizetype from = 0; from < commands.size(); from += chunk) {
        const auto replies = TRY(m_tasks.connection().pipeline(commands.mid(from, chunk)));
        for (const RedisReply &reply : replies) {
            if (reply.isError())
                return tl::unexpected(errorFromReply(reply, u"breaking something in the demo"_s));
        }
    }
    return {};
}

Result<qint64> DemoDamage::number(const RedisCommand &command)
{
    const auto reply = TRY(m_tasks.connection().command(command, u"looking after the demo"_s));
    return reply.integer;
}

/// It has no type, so no queue takes it, and an id that sorts before all others.
Result<void> DemoDamage::writePoison()
{
    m_poison
        = u"00000000-0000-7000-8000-"_s + m_ids.next().toString(QUuid::WithoutBraces).right(12);
    return insert(m_poison, u""_s); // empty, which is not null
}

/// As a worker leaves it that died between two writes: a hash without its message.
Result<void> DemoDamage::damageTask()
{
    m_damaged = m_ids.next().toString(QUuid::WithoutBraces);
    const QueueKeys keys(m_queue);
    const QByteArray task = taskOf(m_damaged);
    TRY(send({{"HSET", keys.task(task), "state", "completed"},
              {"ZADD", keys.completed(), secondsFromNow(86'400), task}}));
    return insert(m_damaged, DemoMessages::types().first());
}

Result<void> DemoDamage::takeId()
{
    m_taken = m_ids.next().toString(QUuid::WithoutBraces);
    EnqueueRequest request;
    request.id = taskOfTyped(m_shape, MessageId{m_taken});
    request.queue = m_queue;
    request.type = u"newsletter:send"_s;
    request.payload = R"({"source":"another shop"})";
    request.retentionSeconds = 86'400;
    TRY(m_tasks.enqueue({request}));
    return insert(m_taken, DemoMessages::types().first());
}

/// More dead tasks than an archive holds, and then what asynq's own script does to those beyond:
/// it takes their ids off the archive and leaves their hashes.
Result<void> DemoDamage::fillArchive()
{
    const QueueKeys keys(m_queue);
    m_archive = "report-" + m_ids.next().toRfc4122().toHex().right(8) + '-';
    TaskMessage message;
    message.type = u"report:build"_s;
    message.payload = R"({"month":"2026-10"})";
    message.queue = m_queue.text;
    message.retry = message.retried = 25;
    message.timeoutSeconds = 1'800;
    message.error = u"template invoice.tmpl is missing"_s;
    message.lastFailedAt = QDateTime::currentSecsSinceEpoch();
    QList<RedisCommand> commands{{"SADD", allQueues, m_queue.text.toUtf8()}};
    for (int i = 1; i <= archiveLimit + trimmed; ++i) {
        const QByteArray task = m_archive + QByteArray::number(i);
        message.id = QString::fromUtf8(task);
        const auto bytes = TRY(encode(message));
        commands += {"HSET", keys.task(task), "msg", bytes, "state", "archived"};
        commands += {"ZADD", keys.archived(), secondsFromNow(i - archiveLimit - trimmed), task};
    }
    commands += {"ZREMRANGEBYRANK", keys.archived(), "0", QByteArray::number(-1 - archiveLimit)};
    return send(commands);
}

/// Rows that nobody was told of wait until the relay looks by itself: time enough to lock them.
Result<void> DemoDamage::holdRows()
{
    const QString doing = u"holding rows in the demo"_s;
    TRY(m_holding.open(m_session.settings()));
    for (int i = 0; i < mostDamageTries; ++i) {
        QStringList keys;
        for (int row = 0; row < heldRows; ++row) {
            keys += m_ids.next().toString(QUuid::WithoutBraces);
            TRY(insert(keys.last(), DemoMessages::types().first()));
        }
        TRY(m_holding->begin(doing));
        const auto unlimited
            = m_holding->query({u"SET LOCAL idle_in_transaction_session_timeout = 0"_s, {}}, doing);
        const auto held = m_holding->query(
            {u"SELECT type FROM %1 WHERE %2 = ANY($1::uuid[]) FOR UPDATE SKIP LOCKED"_s.arg(
                 m_shape.table.table, m_shape.keyColumn),
             {keys}},
            doing);
        if (!unlimited || !held)
            return passOn(unlimited ? held : unlimited);
        if (held->size() > 0)
            return {};
        TRY(m_holding->rollback(doing));
    }
    m_holding.close();
    return fail(Error::Kind::Conflict, doing, u"the relay was quicker each time"_s);
}

} // namespace outbox
