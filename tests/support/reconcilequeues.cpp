// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inconsistencies that are conditions of queues, of claims and of clocks.
#include "connectors/asynq/wire/keys.h"
#include "tests/support/reconcileworld.h"
#include "tests/support/redisqueue.h"

#include <QDebug>
#include <QSqlError>
#include <QSqlQuery>
#include <QUuid>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int tooManyStale = 8'000;
constexpr qint64 staleDays = 100;
constexpr qint64 secondsOfDay = 86'400;
constexpr int liveLeases = 5;

QStringList numbered(const QString &base, int count)
{
    QStringList names;
    for (int number = 0; number < count; ++number)
        names += base + QString::number(number);
    return names;
}

} // namespace

ForgottenSession::ForgottenSession()
    : m_name(u"forgotten_"_s + QUuid::createUuid().toString(QUuid::Id128))
{ }

ForgottenSession::~ForgottenSession()
{
    if (QSqlDatabase::contains(m_name))
        QSqlDatabase::removeDatabase(m_name);
}

bool ForgottenSession::hold(const PrivatePostgres &server, const QString &databaseUrl,
                            const QString &select)
{
    const auto url = DatabaseUrl::fromUrl(databaseUrl);
    if (!url)
        return false;
    QSqlDatabase session = QSqlDatabase::addDatabase(u"QPSQL"_s, m_name);
    session.setHostName(server.socketFolder());
    session.setUserName(server.user());
    session.setDatabaseName(url->database);
    session.setConnectOptions(u"application_name=forgotten"_s);
    if (!session.open() || !session.transaction()) {
        qWarning() << session.lastError();
        return false;
    }
    QSqlQuery query(session);
    return query.exec(select);
}

bool ForgottenSession::letGo()
{
    return QSqlDatabase::database(m_name).rollback();
}

QStringList ReconcileWorld::newRows(int count, Rows rows, const QString &queues)
{
    const QStringList tasks = newRows(count, rows);
    if (tasks.size() != count)
        return {};
    for (int number = 0; number < count; ++number)
        m_queueOfTask.insert(tasks.at(number), queues + QString::number(number));
    const QString first = m_rowOfTask.value(tasks.first());
    const bool named = m_fixture.exec(
        u"update outbox set queue = '%1' || (id - %2) where id between %2 and %3"_s.arg(
            queues, first, m_rowOfTask.value(tasks.last())));
    return named ? tasks : QStringList();
}

bool ReconcileWorld::addQueues(int count)
{
    const QString names = u"sound-"_s;
    for (const TaskState state : {TaskState::Completed, TaskState::Pending}) {
        const QStringList tasks = newRows(count, Rows::Processed, names);
        for (const QString &task : tasks) {
            if (!place(task, state))
                return false;
        }
        if (state == TaskState::Pending)
            expectRun(tasks);
    }
    const QStringList waiting = newRows(count, Rows::Waiting, names);
    expectRun(waiting);
    m_served += numbered(names, count);
    return waiting.size() == count;
}

bool ReconcileWorld::seedQueues(FindingKind kind, int count)
{
    using enum FindingKind;
    switch (kind) {
    case QueueNotListed: { // its worker is there, and goes on
        const QString names = u"lost-"_s;
        m_served += numbered(names, count);
        for (const QString &task : newRows(count, Rows::Processed, names)) {
            const QString queue = m_queueOfTask.value(task);
            if (!place(task, TaskState::Pending)
                || !redis({"SREM", asynq::allQueues, queue.toUtf8()})) {
                return false;
            }
            expect(kind, {queue});
            expectRun({task});
        }
        return true;
    }
    case ServedByNobody: {
        const QString names = u"quiet-"_s;
        m_unserved += numbered(names, count);
        for (const QString &task : newRows(count, Rows::Processed, names)) {
            if (!place(task, TaskState::Pending))
                return false;
            expect(kind, {m_queueOfTask.value(task)});
            expectRun({task});
        }
        return true;
    }
    case ArchiveTooLarge: { // one task less is sound
        const QString sound = u"nearly-"_s;
        const QString full = u"full-"_s;
        m_served += numbered(sound, count) + numbered(full, count);
        for (const QString &task : newRows(count, Rows::Processed, sound)) {
            if (!place(task, TaskState::Completed)
                || !fillArchive(m_queueOfTask.value(task), tooManyStale - 1)) {
                return false;
            }
        }
        for (const QString &task : newRows(count, Rows::Processed, full)) {
            const QString queue = m_queueOfTask.value(task);
            if (!place(task, TaskState::Completed) || !fillArchive(queue, tooManyStale))
                return false;
            expect(kind, {QString::fromUtf8(asynq::QueueKeys(QueueName{queue}).archived())});
        }
        return true;
    }
    default:
        qWarning() << "no such seed:" << word(kind);
        return false;
    }
}

/// Old tasks of other producers that failed for good.
bool ReconcileWorld::fillArchive(const QString &queue, int count)
{
    const asynq::QueueKeys keys(QueueName{queue});
    const QByteArray score
        = QByteArray::number(QDateTime::currentSecsSinceEpoch() - staleDays * secondsOfDay);
    QList<RedisCommand> commands;
    for (int number = 0; number < count; ++number) {
        EnqueueRequest request = sampleRequest(u"failed-%1"_s.arg(number));
        request.queue.text = queue;
        request.retentionSeconds = 0;
        const auto message = asynq::encode(messageOf(request));
        if (!message)
            return false;
        const QByteArray id = request.id.text.toUtf8();
        commands += {"HSET", keys.task(id), "msg", *message, "state", "archived"};
        commands += {"ZADD", keys.archived(), score, id};
    }
    return m_fixture.plainRedis().pipeline(commands).has_value();
}

bool ReconcileWorld::seedHeldRows(int count)
{
    const QStringList rows = newRows(count, Rows::Waiting);
    expect(FindingKind::DeadClaim, rows);
    expectRun(rows);
    return rows.size() == count
        && m_holder.hold(m_postgres, m_fixture.url(),
                         u"select id from outbox where id between %1 and %2 for update"_s.arg(
                             m_rowOfTask.value(rows.first()), m_rowOfTask.value(rows.last())));
}

bool ReconcileWorld::letGo()
{
    return m_holder.letGo();
}

double ReconcileWorld::heldSeconds()
{
    return m_fixture
        .scalar(u"select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0) "
                "from pg_stat_activity where application_name = 'forgotten'"_s)
        .toDouble();
}

/// Leases that are over, and a few that live.
bool ReconcileWorld::seedLeases(int count)
{
    const QStringList rows = newRows(count + liveLeases, Rows::Waiting);
    expect(FindingKind::DeadClaim, rows.mid(0, count));
    expectRun(rows);
    return rows.size() == count + liveLeases
        && m_fixture.exec(u"alter table outbox add locked_until timestamptz, add locked_by text"_s)
        && m_fixture.exec(
            u"update outbox set locked_by = 'relay-7', locked_until = now() + interval '1 hour'"
            " * case when id < %2 then -1 else 1 end where id between %1 and %3"_s.arg(
                m_rowOfTask.value(rows.first()), m_rowOfTask.value(rows.at(count)),
                m_rowOfTask.value(rows.last())));
}

/// The server's own clock stays: what a session asks it for is answered by a function in front.
bool ReconcileWorld::setDatabaseClock(int aheadSeconds)
{
    const auto url = DatabaseUrl::fromUrl(m_fixture.url());
    const bool isFirst = m_fixture.scalar(u"select to_regnamespace('skewed') is null"_s).toBool();
    if (!url || (isFirst && !m_fixture.exec(u"create schema skewed"_s)))
        return false;
    const QString function
        = u"create or replace function skewed.clock_timestamp() returns timestamptz language sql "
          "volatile as $$ select pg_catalog.clock_timestamp() + interval '%1 s' $$"_s;
    const QString path = u"alter database %1 set search_path = public, skewed, pg_catalog"_s;
    return m_fixture.exec(function.arg(aheadSeconds)) && m_fixture.exec(path.arg(url->database));
}

} // namespace outbox
