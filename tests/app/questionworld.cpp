// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/questionworld.h"

#include "connectors/asynq/wire/keys.h"
#include "connectors/asynq/wire/taskmessage.h"
#include "connectors/sql/edit/outboxeditor.h"
#include "connectors/sql/outbox/parkedtable.h"
#include "tests/support/queuedamage.h"
#include "tests/support/redisqueue.h"

#include <QCryptographicHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QUuid>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString questionTable
    = u"create table outbox (id uuid primary key, type text not null, payload jsonb not null,"
      " created_at timestamptz not null, completed_at timestamptz, attempts integer not null"
      " default 0, last_error text)"_s;

/// The number of a row tells all of it: see `QuestionWorld`.
const QString questionRows
    = u"insert into outbox (id, type, payload, created_at, completed_at, attempts, last_error)"
      " select md5('row ' || n)::uuid, case n % 3 when 0 then 'invoice:issue' else 'email:deliver'"
      " end, jsonb_build_object('customer', n % 500, 'to', 'reader-' || n || '@example.org'),"
      " case when n = 195000 then done - interval '1 hour 43 minutes'"
      " when n <= 195000 then done - interval '2 seconds'"
      " else now() - interval '41 minutes' + (n - 195001) * interval '0.4 seconds' end,"
      " done, case when n % 50 = 0 and n > 195000 then 2 else 0 end,"
      " case when n % 50 = 0 and n > 195000 then 'i/o timeout' end"
      " from (select n, case"
      " when n <= 194800 then now() - interval '3 days' - (194800 - n) * interval '10 seconds'"
      " when n <= 195000 then now() - interval '40 minutes' - (195000 - n) * interval '1 second'"
      " end as done from generate_series(1, 200000) n) as numbered"_s;

const QStringList questionQueues{u"default"_s, u"mail"_s};

} // namespace

QuestionWorld::QuestionWorld(PrivatePostgres &postgres, PrivateRedis &redis)
    : m_fixture(TestOutbox::Kind::Postgres, BenchShape::CompletedAt, &postgres, redis)
{ }

QString QuestionWorld::idOf(int number)
{
    const QByteArray born = "row " + QByteArray::number(number);
    return QUuid::fromRfc4122(QCryptographicHash::hash(born, QCryptographicHash::Md5))
        .toString(QUuid::WithoutBraces);
}

QStringList QuestionWorld::heldIds()
{
    QStringList ids;
    for (int number = 195'201; number <= 195'205; ++number)
        ids += idOf(number);
    return ids;
}

QStringList QuestionWorld::errorBegins()
{
    return {u"HTTP 503"_s, u"550 5.1.1"_s, u"dial tcp"_s};
}

QString QuestionWorld::setUp()
{
    if (!m_fixture.setUp() || !makeTable())
        return u"the table"_s;
    auto shape = m_fixture.takenShape();
    if (!shape)
        return oneLine(shape.error());
    m_shape = *shape;
    m_shape.confirmed = u"by whoever made the table"_s;
    if (!holdRows())
        return u"the session that holds rows"_s;
    if (!placeKept() || !placeOthers() || !placeCollisions() || !plantDamage())
        return u"the tasks"_s;
    return {};
}

bool QuestionWorld::makeTable()
{
    const QString parked = u"insert into outbox_parked (outbox, id, reason, attempts, parked_at,"
                           " parked_by) select 'public.outbox', md5('row ' || n)::uuid::text,"
                           " 'no such recipient', 3, now(), 'relay-7' from"
                           " generate_series(195101, 195104) n"_s;
    return exec(u"drop table outbox"_s) && exec(questionTable) && exec(questionRows)
        && exec(u"create index on outbox (created_at)"_s)
        && exec(u"create index on outbox (completed_at)"_s)
        && exec(OutboxEditor::auditTableSql(m_fixture.dialect()).section(u';', 0, 0))
        && exec(ParkedTableAccess::sql(m_fixture.dialect())) && exec(parked);
}

bool QuestionWorld::holdRows()
{
    const QString rows
        = u"select id from outbox where id in ('%1') for update"_s.arg(heldIds().join(u"', '"_s));
    return m_holder.open(m_fixture.url()).has_value()
        && m_holder.run("set application_name = 'billing-nightly'").has_value()
        && m_holder.run("begin").has_value() && m_holder.run(rows.toUtf8()).has_value();
}

bool QuestionWorld::placeKept()
{
    const QString rows = text(
        u"select json_agg(json_build_object('id', id::text, 'type', type, 'payload',"
        " payload::text))::text from outbox where completed_at > now() - interval '1 day'"_s);
    const QJsonArray kept = QJsonDocument::fromJson(rows.toUtf8()).array();
    for (qsizetype at = 0; at < kept.size(); ++at) {
        const QJsonObject one = kept.at(at).toObject();
        EnqueueRequest request
            = sampleRequest(m_shape.taskIdFor(one.value("id"_L1).toString(), std::nullopt).text);
        request.type = one.value("type"_L1).toString();
        request.payload = one.value("payload"_L1).toString().toUtf8();
        if (!placeTask(m_fixture.plainRedis(), request, TaskState::Completed))
            return false;
    }
    EnqueueRequest gone = sampleRequest(m_shape.taskIdFor(deletedId(), std::nullopt).text);
    gone.queue.text = u"mail"_s;
    return kept.size() == 200
        && placeTask(m_fixture.plainRedis(), gone, TaskState::Completed).has_value();
}

bool QuestionWorld::place(const QString &queue, TaskState state, int count, const QString &error)
{
    constexpr qint64 halfAnHour = 1'800;
    for (int number = 0; number < count; ++number) {
        EnqueueRequest request = sampleRequest(u"of-another-%1"_s.arg(++m_placed));
        request.queue.text = queue;
        request.retentionSeconds = state == TaskState::Completed ? request.retentionSeconds : 0;
        asynq::TaskMessage message = messageOf(request);
        if (!error.isEmpty()) {
            message.retried = 3;
            message.error = error.contains(u"%1"_s) ? error.arg(1'000 + number) : error;
            message.lastFailedAt = QDateTime::currentSecsSinceEpoch() - halfAnHour;
        }
        if (!placeMessage(m_fixture.plainRedis(), request, state, message))
            return false;
    }
    return true;
}

bool QuestionWorld::placeOthers()
{
    const QString busy = u"HTTP 503 from upstream %1"_s;
    const QString unknown = u"550 5.1.1 <reader-%1@example.org>: recipient unknown"_s;
    const QString refused = u"dial tcp 10.0.0.7:25: connect: connection refused"_s;
    return place(u"default"_s, TaskState::Pending, 300, {})
        && place(u"default"_s, TaskState::Active, 5, {})
        && place(u"default"_s, TaskState::Scheduled, 20, {})
        && place(u"default"_s, TaskState::Retry, 15, busy)
        && place(u"default"_s, TaskState::Archived, 40, busy)
        && place(u"default"_s, TaskState::Archived, 20, unknown)
        && place(u"mail"_s, TaskState::Pending, 50, {})
        && place(u"mail"_s, TaskState::Completed, 40, {})
        && place(u"mail"_s, TaskState::Archived, 12, unknown)
        && place(u"mail"_s, TaskState::Archived, 5, refused);
}

bool QuestionWorld::placeCollisions()
{
    for (const int number : {195'301, 195'302}) {
        EnqueueRequest other = sampleRequest(m_shape.taskIdFor(idOf(number), std::nullopt).text);
        other.payload = R"({"customer": "another"})";
        if (!placeTask(m_fixture.plainRedis(), other, TaskState::Scheduled))
            return false;
    }
    return true;
}

bool QuestionWorld::plantDamage()
{
    const auto plant = [this](FindingKind kind, QStringList *planted, const QString &name) {
        EnqueueRequest request = sampleRequest(name.arg(++m_placed));
        request.retentionSeconds = 0;
        if (planted)
            *planted += request.id.text;
        constexpr int firstVariant = 0;
        return damage(m_fixture.plainRedis(), kind, request, firstVariant).has_value();
    };
    bool isPlanted = plant(FindingKind::StubHash, &m_stubs, u"stub-%1"_s);
    for (int number = 0; number < 12; ++number)
        isPlanted = isPlanted && plant(FindingKind::OrphanHash, &m_orphans, u"orphan-%1"_s);
    // Their tasks may run a second time, so that they are left alone until that is allowed.
    for (int number = 0; number < 2; ++number)
        isPlanted = isPlanted && plant(FindingKind::LeaseNobodyRecovers, nullptr, u"lease-%1"_s);
    return isPlanted;
}

Profile QuestionWorld::profile() const
{
    Profile one;
    one.name = u"shop"_s;
    one.environment = Environment::Production;
    one.databaseUrl = m_fixture.url();
    one.table = m_fixture.table();
    one.shape = m_shape;
    one.redisUrl = m_fixture.redisUrl();
    one.readOnly = false;
    one.refreshMs = 250;
    return one;
}

QStringList QuestionWorld::texts(const QString &sql)
{
    return text(u"select string_agg(one::text, ',') from (%1) as found (one)"_s.arg(sql))
        .split(u',', Qt::SkipEmptyParts);
}

qint64 QuestionWorld::pendingRows()
{
    return number(
        u"select count(*) from outbox where completed_at is null and id::text not in"
        " (select id from outbox_parked) and id not in ('%1')"_s.arg(heldIds().join(u"', '"_s)));
}

qint64 QuestionWorld::tasksIn(const QByteArray &container)
{
    qint64 count = 0;
    for (const QString &queue : questionQueues) {
        count += numberOf(m_fixture.plainRedis(),
                          {"ZCARD", asynq::QueueKeys(QueueName{queue}).prefix() + container});
    }
    return count;
}

std::optional<QDateTime> QuestionWorld::keptUntil(const QString &queue, const QString &task)
{
    const auto score = m_fixture.plainRedis().command(
        {"ZSCORE", asynq::QueueKeys(QueueName{queue}).completed(), task.toUtf8()}, u"looking"_s);
    if (!score || score->isNil())
        return std::nullopt;
    return QDateTime::fromSecsSinceEpoch(score->bytes.toLongLong());
}

QMap<QString, qint64> QuestionWorld::failuresByBegin(const QStringList &begins)
{
    QMap<QString, qint64> counts;
    for (const QString &queue : questionQueues) {
        const asynq::QueueKeys keys(QueueName{queue});
        for (const QByteArray &container : {keys.retry(), keys.archived()}) {
            const auto ids
                = m_fixture.plainRedis().command({"ZRANGE", container, "0", "-1"}, u"looking"_s);
            const QList<RedisReply> found = ids ? ids->elements : QList<RedisReply>();
            for (const RedisReply &id : found) {
                const auto message = asynq::decode(
                    hashAt(m_fixture.plainRedis(), keys.task(id.bytes)).value("msg"));
                for (const QString &begin : begins)
                    counts[begin] += message && message->error.startsWith(begin) ? 1 : 0;
            }
        }
    }
    return counts;
}

qint64 QuestionWorld::tasksOf(const QStringList &ids)
{
    const asynq::QueueKeys keys(QueueName{u"default"_s});
    constexpr qsizetype ofOneWrite = 2'000;
    qint64 count = 0;
    for (qsizetype from = 0; from < ids.size(); from += ofOneWrite) {
        QList<RedisCommand> commands;
        const QStringList some = ids.mid(from, ofOneWrite);
        for (const QString &id : some)
            commands += RedisCommand{"EXISTS", keys.task(m_shape.taskIdFor(id, std::nullopt))};
        const auto replies = m_fixture.plainRedis().pipeline(commands);
        const QList<RedisReply> told = replies.value_or(QList<RedisReply>());
        for (const RedisReply &reply : told)
            count += reply.integer;
    }
    return count;
}

qint64 QuestionWorld::damaged()
{
    const asynq::QueueKeys keys(QueueName{u"default"_s});
    qint64 count = 0;
    for (const QString &id : std::as_const(m_stubs)) {
        const auto hash = hashAt(m_fixture.plainRedis(), keys.task(id.toUtf8()));
        count += !hash.isEmpty() && !hash.contains("msg") ? 1 : 0;
    }
    for (const QString &id : std::as_const(m_orphans)) {
        const bool isThere = !hashAt(m_fixture.plainRedis(), keys.task(id.toUtf8())).isEmpty();
        count += isThere && containersOf(m_fixture.plainRedis(), id.toUtf8()).isEmpty() ? 1 : 0;
    }
    return count;
}

} // namespace outbox
