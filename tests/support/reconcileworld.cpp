// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/reconcileworld.h"

#include "connectors/asynq/wire/keys.h"
#include "tests/support/queuedamage.h"
#include "tests/support/redisqueue.h"

#include <QDebug>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int shortRetention = 60;

const asynq::QueueKeys &keys()
{
    static const asynq::QueueKeys keys(QueueName{u"default"_s});
    return keys;
}

} // namespace

ReconcileWorld::ReconcileWorld(PrivatePostgres &postgres, PrivateRedis &redis)
    : m_postgres(postgres),
      m_fixture(TestOutbox::Kind::Postgres, BenchShape::CompletedAt, &postgres, redis)
{ }

QString ReconcileWorld::nameOf(const Finding &finding)
{
    const bool isAboutKey = finding.task.isEmpty() || finding.kind == FindingKind::LockWithoutTask;
    return isAboutKey ? finding.subject : finding.task.text;
}

OperatorSessionSettings ReconcileWorld::settings(const QString &stateFolder) const
{
    OperatorSessionSettings settings;
    settings.profile.name = u"world"_s;
    settings.profile.environment = Environment::Demo;
    settings.profile.databaseUrl = m_fixture.url();
    settings.profile.table = m_fixture.table();
    settings.profile.timeZone = u"UTC"_s; // in which the fixture writes
    settings.profile.redisUrl = m_fixture.redisUrl();
    settings.profile.status = StatusTable{TableName{{}, u"mail_status"_s}, u"id"_s, u"status"_s};
    settings.shape = m_shape;
    settings.act.emplace();
    settings.stateFolder = stateFolder;
    settings.face = u"tst_reconcile"_s;
    return settings;
}

bool ReconcileWorld::redis(const RedisCommand &command)
{
    return m_fixture.plainRedis().command(command, u"making the world"_s).has_value();
}

QStringList ReconcileWorld::newRows(int count, Rows rows)
{
    const qsizetype before = m_fixture.insertedIds().size();
    if (!m_fixture.insertRows(count, 60))
        return {};
    const QStringList ids = m_fixture.insertedIds().mid(before);
    QStringList tasks;
    for (const QString &id : ids) {
        tasks += m_shape.taskIdFor(id, {}).text;
        m_rowOfTask.insert(tasks.last(), id);
    }
    const QString when = rows == Rows::LongProcessed ? u"now() - interval '3 days'"_s : u"now()"_s;
    if (rows != Rows::Waiting
        && !m_fixture.exec(u"update outbox set completed_at = %1, created_at = %1 "
                           "where id between %2 and %3"_s.arg(when, ids.first(), ids.last()))) {
        return {};
    }
    return tasks;
}

QString ReconcileWorld::strayId()
{
    return u"stray-%1"_s.arg(++m_stray);
}

EnqueueRequest ReconcileWorld::requestFor(const QString &task) const
{
    EnqueueRequest request = sampleRequest(task);
    request.queue.text = m_queueOfTask.value(task, request.queue.text);
    const auto row = m_rowOfTask.constFind(task);
    if (row != m_rowOfTask.constEnd()) {
        request.type = m_fixture.expectedType(*row);
        request.payload = m_fixture.expectedPayload(*row);
    }
    return request;
}

bool ReconcileWorld::place(const QString &task, TaskState state)
{
    return placeTask(m_fixture.plainRedis(), requestFor(task), state).has_value();
}

bool ReconcileWorld::damageAll(FindingKind kind, const QStringList &tasks)
{
    for (int number = 0; number < tasks.size(); ++number) {
        const auto done
            = damage(m_fixture.plainRedis(), kind, requestFor(tasks.at(number)), number);
        if (!done) {
            qWarning() << oneLine(done.error());
            return false;
        }
    }
    expect(kind, tasks);
    return true;
}

void ReconcileWorld::expect(FindingKind kind, const QStringList &names)
{
    for (const QString &name : names)
        m_expected[kind] += name;
}

void ReconcileWorld::expectRun(const QStringList &tasks)
{
    for (const QString &task : tasks)
        m_toRun += task;
}

bool ReconcileWorld::writeRows(int count)
{
    const QStringList rows = newRows(count, Rows::Waiting);
    expectRun(rows);
    return rows.size() == count;
}

bool ReconcileWorld::setUp(int count)
{
    if (!m_fixture.setUp() || !m_fixture.exec(u"alter table outbox add queue text"_s)
        || !m_fixture.exec(u"create table mail_status (id bigint primary key, status text)"_s)) {
        return false;
    }
    const auto shape = m_fixture.takenShape(u"UTC"_s); // in which the fixture writes
    if (!shape)
        return false;
    m_shape = *shape;
    m_shape.taskId = u"outbox:{id}"_s; // the times of rows are changed below

    // Most are done; the others are spread over the states in which they may stand for long.
    const QStringList processed = newRows(count * 8 / 10, Rows::Processed);
    static const QList<TaskState> resting{TaskState::Scheduled, TaskState::Retry,
                                          TaskState::Aggregating, TaskState::Pending,
                                          TaskState::Active};
    for (int number = 0; number < processed.size(); ++number) {
        const bool isDone = number % 4 != 0;
        const TaskState state
            = isDone ? TaskState::Completed : resting.at(number / 4 % resting.size());
        if (!place(processed.at(number), state))
            return false;
        if (state == TaskState::Pending)
            expectRun({processed.at(number)});
    }
    if (!m_fixture.exec(
            u"insert into mail_status select id, 'sent' from outbox where id % 3 = 0"_s))
        return false;
    for (int number = 0; number < count / 20; ++number) { // other producers' own
        EnqueueRequest foreign = sampleRequest(u"foreign-%1"_s.arg(number));
        foreign.retentionSeconds = 0;
        if (!placeTask(m_fixture.plainRedis(), foreign,
                       number % 2 == 0 ? TaskState::Archived : TaskState::Scheduled)) {
            return false;
        }
    }
    return newRows(count / 10, Rows::LongProcessed).size() == count / 10
        && writeRows(count - count * 8 / 10 - count / 10);
}

bool ReconcileWorld::seed(FindingKind kind, int count)
{
    using enum FindingKind;
    QStringList stray;
    for (int number = 0; number < count; ++number)
        stray += strayId();
    switch (kind) {
    case StubHash:
    case Undecodable: {
        const QStringList waiting = newRows(count / 2, Rows::Waiting);
        const QStringList processed = newRows(count / 4, Rows::Processed);
        expectRun(waiting + processed);
        return damageAll(kind, waiting + processed + stray.mid(count / 2 + count / 4));
    }
    case OrphanHash:
    case TrimmedOrphan: {
        const QStringList waiting = newRows(count / 2, Rows::Waiting);
        const QStringList processed = newRows(count / 4, Rows::Processed);
        expectRun(waiting);
        return damageAll(kind, waiting + processed + stray.mid(count / 2 + count / 4));
    }
    case MemberWithoutHash:
    case WrongType:
        return damageAll(kind, stray);
    case ActiveWithoutLease: {
        const QStringList processed = newRows(count, Rows::Processed);
        expectRun(processed);
        return damageAll(kind, processed);
    }
    case LeaseWithoutActive:
    case StateDiffers:
    case TwoContainers:
        return damageAll(kind, newRows(count, Rows::Processed));
    case ExpiredNotPurged:
        return damageAll(kind, newRows(count, Rows::LongProcessed));
    case LeaseNobodyRecovers: {
        const QStringList processed = newRows(count, Rows::Processed);
        expectRun(processed);
        return damageAll(kind, processed);
    }
    case ProcessedWithoutTask: {
        const QStringList processed = newRows(count, Rows::Processed);
        expect(kind, processed);
        expectRun(processed);
        return processed.size() == count;
    }
    case OtherMessage:
        for (const QString &task : newRows(count, Rows::Waiting)) {
            EnqueueRequest other = requestFor(task);
            other.payload[0] = static_cast<char>(other.payload.at(0) + 1);
            if (!placeTask(m_fixture.plainRedis(), other, TaskState::Scheduled))
                return false;
            expect(kind, {task});
        }
        return true;
    case DeadWithRow:
        for (const QString &task : newRows(count, Rows::Processed)) {
            if (!place(task, TaskState::Archived))
                return false;
            expect(kind, {task});
        }
        return true;
    case LockWithoutTask:
        for (const QString &id : std::as_const(stray)) {
            const QByteArray lock = keys().lockPrefix() + id.toUtf8();
            if (!redis({"SET", lock, id.toUtf8(), "EX", "3600"}))
                return false;
            expect(kind, {QString::fromUtf8(lock)});
        }
        return true;
    case PoisonRow: {
        const QStringList rows = newRows(count, Rows::Waiting);
        expect(kind, rows);
        return m_fixture.exec(u"update outbox set type = ' ' where id between %1 and %2"_s.arg(
            m_rowOfTask.value(rows.first()), m_rowOfTask.value(rows.last())));
    }
    case EffectDisagrees:
        for (const QString &task : newRows(count, Rows::Processed)) {
            if (!place(task, TaskState::Completed)
                || !m_fixture.exec(u"insert into mail_status values (%1, 'processing')"_s.arg(
                    m_rowOfTask.value(task)))) {
                return false;
            }
            expect(kind, {task});
        }
        return true;
    case TaskWithoutRow:
        for (int number = 0; number < count; ++number) {
            const QString task = m_shape.taskIdFor(QString::number(90'000'000 + number), {}).text;
            if (!place(task, TaskState::Scheduled))
                return false;
            expect(kind, {task});
        }
        return true;
    case ShortRetention: {
        const QString task = newRows(1, Rows::Processed).value(0);
        EnqueueRequest request = requestFor(task);
        request.retentionSeconds = shortRetention;
        expect(kind, {u"retention"_s});
        return placeTask(m_fixture.plainRedis(), request, TaskState::Scheduled).has_value();
    }
    case DeadClaim:
        return seedHeldRows(count);
    default:
        return seedQueues(kind, count);
    }
}

bool ReconcileWorld::seedAtRest(FindingKind kind, int count)
{
    using enum FindingKind;
    switch (kind) {
    case MemberWithoutHash: // a worker would make stubs of them
        for (int number = 0; number < count; ++number) {
            const QString id = strayId();
            if (!redis({"LPUSH", keys().pending(), id.toUtf8()}))
                return false;
            expect(kind, {id});
        }
        return true;
    case TwoContainers: // pending, and completed by a deletion of the hash alone
        for (const QString &task : newRows(count, Rows::Processed)) {
            if (!place(task, TaskState::Pending)
                || !redis({"ZADD", keys().completed(), "99999999999", task.toUtf8()})) {
                return false;
            }
            expect(kind, {task});
            expectRun({task});
        }
        return true;
    case PendingWithTask: // a relay's next pass ends it
        for (const QString &task : newRows(count, Rows::Waiting)) {
            if (!place(task, TaskState::Pending))
                return false;
            expect(kind, {task});
            expectRun({task});
        }
        return true;
    case OverdueRow: {
        const QStringList rows = newRows(count, Rows::Waiting);
        expect(kind, rows);
        expectRun(rows);
        return m_fixture.exec(u"update outbox set created_at = now() - interval '1 hour' "
                              "where id between %1 and %2"_s.arg(m_rowOfTask.value(rows.first()),
                                                                 m_rowOfTask.value(rows.last())));
    }
    case DeadClaim: // our relay knows no leases: it would take up the rows at once
        return seedLeases(count);
    default:
        return seed(kind, count);
    }
}

} // namespace outbox
