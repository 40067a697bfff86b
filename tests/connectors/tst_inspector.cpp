// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The inspector against queues that were put into a real Redis by hand.
#include "tests/connectors/taskground.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_inspector {

using namespace outbox;
using namespace outbox::asynq;
using namespace Qt::Literals::StringLiterals;

namespace {

QByteArray secondsFromNow(qint64 seconds)
{
    return QByteArray::number(QDateTime::currentSecsSinceEpoch() + seconds);
}

} // namespace

class TestInspector : public QObject, protected TaskGround
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_redis);
        openHandAndInspector();
    }

    void init() { clear(); }

    void aSnapshotCountsEveryState()
    {
        placeOneOfEach();
        QVERIFY_RESULT(m_hand.pipeline({{"SET", m_keys.paused(), "1795225841"},
                                        {"SET", m_keys.processed(), "12"},
                                        {"SET", m_keys.failed(), "3"}}));
        const auto snapshots = m_inspector.snapshot({m_queue, {u"nobody's"_s}});
        QVERIFY_RESULT(snapshots);
        QCOMPARE(snapshots->size(), 2);
        const QueueSnapshot &mine = snapshots->first();
        QCOMPARE(mine.pending, 1);
        QCOMPARE(mine.active, 1);
        QCOMPARE(mine.scheduled, 1);
        QCOMPARE(mine.retry, 1);
        QCOMPARE(mine.archived, 1);
        QCOMPARE(mine.completed, 1);
        QCOMPARE(mine.aggregating.value_or(-1), 1);
        QVERIFY(mine.known && mine.paused);
        QCOMPARE(mine.processedTotal.value_or(-1), 12);
        QCOMPARE(mine.failedTotal.value_or(-1), 3);
        QVERIFY(mine.oldestPendingSeconds && *mine.oldestPendingSeconds < 60);
        QCOMPARE(mine.servers.value_or(-1), 0);
        QVERIFY(mine.at.secsTo(QDateTime::currentDateTimeUtc()) < 60);
        QVERIFY(!snapshots->last().known);
        QCOMPARE(snapshots->last().pending, 0);
        QVERIFY(!snapshots->last().oldestPendingSeconds);
    }

    void queuesAreListedByName()
    {
        QVERIFY_RESULT(
            m_hand.command({"SADD", allQueues, "low", "critical", "ünïcode"}, u"staging"_s));
        const auto queues = m_inspector.queues();
        QVERIFY_RESULT(queues);
        const QList<QueueName> expected{{u"critical"_s}, {u"low"_s}, {u"ünïcode"_s}};
        QCOMPARE(*queues, expected);
    }

    void pagesStartWithTheNextToRun()
    {
        for (int i = 0; i < 5; ++i)
            QVERIFY_RESULT(
                placeTask(m_hand, sampleRequest(QString::number(i)), TaskState::Pending));
        const auto first = m_inspector.tasks(m_queue, TaskState::Pending, 3, {});
        QVERIFY_RESULT(first);
        QCOMPARE(first->tasks.size(), 3);
        QCOMPARE(first->tasks.at(0).id.text, u"0"_s);
        QCOMPARE(first->tasks.at(2).id.text, u"2"_s);
        QCOMPARE(first->tasks.at(0).type, u"mail:deliver"_s);
        QVERIFY(first->tasks.at(0).pendingSince.has_value());
        const auto second = m_inspector.tasks(m_queue, TaskState::Pending, 3, first->next);
        QVERIFY_RESULT(second);
        QCOMPARE(second->tasks.size(), 2);
        QCOMPARE(second->tasks.at(1).id.text, u"4"_s);
        QVERIFY(second->next.isEmpty());
    }

    void eachStateHasItsPageAndItsTime()
    {
        placeOneOfEach();
        for (const TaskState state : soundTaskStates()) {
            const auto page = m_inspector.tasks(m_queue, state, 10, {});
            QVERIFY_RESULT(page);
            QCOMPARE(page->tasks.size(), 1);
            const Task &task = page->tasks.first();
            QCOMPARE(task.id.text, word(state));
            QCOMPARE(task.state, state);
            QVERIFY(!task.damaged);
            QCOMPARE(task.note, QString());
            QCOMPARE(task.retentionSeconds, 86400);
            QCOMPARE(task.nextRun.has_value(),
                     state == TaskState::Scheduled || state == TaskState::Retry);
            QCOMPARE(task.archivedAt.has_value(), state == TaskState::Archived);
            QCOMPARE(task.keptUntil.has_value(), state == TaskState::Completed);
            QCOMPARE(task.leaseUntil.has_value(), state == TaskState::Active);
        }
        QCOMPARE(m_inspector.tasks(m_queue, TaskState::Orphan, 10, {}).error().kind,
                 Error::Kind::Unsupported);
        QCOMPARE(m_inspector.tasks(m_queue, TaskState::Pending, 10, u"x"_s).error().kind,
                 Error::Kind::Invalid);
    }

    void aListCutsPayloadsAndLeavesGiantsUnread()
    {
        EnqueueRequest big = sampleRequest(u"big"_s);
        big.payload = QByteArray(1000, 'x');
        EnqueueRequest giant = sampleRequest(u"giant"_s);
        giant.payload = QByteArray(2'000'000, 'x');
        QVERIFY_RESULT(placeTask(m_hand, big, TaskState::Pending));
        QVERIFY_RESULT(placeTask(m_hand, giant, TaskState::Pending));
        const auto page = m_inspector.tasks(m_queue, TaskState::Pending, 10, {}, 100);
        QVERIFY_RESULT(page);
        QCOMPARE(page->tasks.at(0).payload.size(), 100);
        QCOMPARE(page->tasks.at(0).payloadBytes, 1000);
        QVERIFY(page->tasks.at(1).payload.isEmpty());
        QVERIFY(page->tasks.at(1).payloadBytes >= 2'000'000);
        QVERIFY(page->tasks.at(1).note.contains(u"not read"_s));
        const auto whole = m_inspector.find(m_queue, giant.id);
        QVERIFY_RESULT(whole);
        QVERIFY(whole->has_value());
        QCOMPARE((*whole)->payload, giant.payload);
        const auto head = m_inspector.find(m_queue, giant.id, 1'000'000);
        QVERIFY_RESULT(head);
        QCOMPARE((*head)->state, TaskState::Pending);
        QVERIFY((*head)->payload.isEmpty());
        QVERIFY((*head)->payloadBytes > 2'000'000);
        QVERIFY(!(*head)->damaged);
        QVERIFY((*head)->note.contains(u"asked for"_s));
        QVERIFY_RESULT(m_hand.command(
            {"HSET", m_keys.task(big.id), "result", QByteArray(2'000'000, 'r')}, u"staging"_s));
        const auto done = m_inspector.find(m_queue, big.id, 1'000'000);
        QVERIFY_RESULT(done);
        QCOMPARE((*done)->payload, big.payload);
        QVERIFY((*done)->result.size() < 100);
    }

    void listedIdsWithoutASoundMessageAreDamaged()
    {
        QVERIFY_RESULT(
            placeBytes(m_hand, sampleRequest(u"garbled"_s), TaskState::Pending, "\xff\xff"));
        QVERIFY_RESULT(m_hand.pipeline({{"LPUSH", m_keys.pending(), "gone"},
                                        {"LPUSH", m_keys.pending(), "text"},
                                        {"SET", m_keys.task(QByteArray("text")), "hello"}}));
        const auto page = m_inspector.tasks(m_queue, TaskState::Pending, 10, {});
        QVERIFY_RESULT(page);
        QCOMPARE(page->tasks.size(), 3);
        for (const Task &task : page->tasks) {
            QVERIFY(task.damaged);
            QVERIFY(!task.note.isEmpty());
        }
    }

    void findAsksTheContainers()
    {
        placeOneOfEach();
        for (const TaskState state : soundTaskStates()) {
            const auto task = m_inspector.find(m_queue, {word(state)});
            QVERIFY_RESULT(task);
            QVERIFY(task->has_value());
            QCOMPARE((*task)->state, state);
            QVERIFY(!(*task)->damaged);
            QCOMPARE((*task)->payload, sampleRequest({}).payload);
        }
        QVERIFY_RESULT(
            m_hand.pipeline({{"DEL", m_keys.completed(), m_keys.pending()},
                             {"HSET", m_keys.task(QByteArray("stub")), "state", "active"},
                             {"SET", m_keys.task(QByteArray("text")), "hello"}}));
        const QList<std::pair<QString, TaskState>> damaged{{u"completed"_s, TaskState::Orphan},
                                                           {u"pending"_s, TaskState::Orphan},
                                                           {u"stub"_s, TaskState::Stub},
                                                           {u"text"_s, TaskState::WrongType}};
        for (const auto &[id, state] : damaged) {
            const auto task = m_inspector.find(m_queue, {id});
            QVERIFY_RESULT(task);
            QVERIFY(task->has_value());
            QCOMPARE((*task)->state, state);
            QVERIFY((*task)->damaged);
        }
        const auto nothing = m_inspector.find(m_queue, {u"never heard of"_s});
        QVERIFY_RESULT(nothing);
        QVERIFY(!nothing->has_value());
    }

    void aGlanceTellsManyAtOnce()
    {
        placeOneOfEach();
        QVERIFY_RESULT(m_hand.command({"HSET", m_keys.task(QByteArray("stub")), "state", "active"},
                                      u"staging"_s));
        QList<TaskId> ids{{u"stub"_s}, {u"nothing"_s}};
        for (const TaskState state : soundTaskStates())
            ids += TaskId{word(state)};
        const auto glances = m_inspector.glance(m_queue, ids);
        QVERIFY_RESULT(glances);
        QCOMPARE(glances->size(), ids.size());
        QCOMPARE(glances->value({u"stub"_s}).state, TaskState::Stub);
        QCOMPARE(glances->value({u"nothing"_s}).state, TaskState::None);
        for (const TaskState state : soundTaskStates())
            QCOMPARE(glances->value({word(state)}).state, state);
        QVERIFY(glances->value({u"completed"_s}).keptUntil.has_value());
    }

    void dedupTellsWhatIsKeptAndForHowLong()
    {
        const QList<qint64> expiries{-7200, -60, 600, 5400, 5401, 100'000};
        for (qsizetype i = 0; i < expiries.size(); ++i) {
            const QString id = QString::number(i);
            QVERIFY_RESULT(placeTask(m_hand, sampleRequest(id), TaskState::Completed));
            QVERIFY_RESULT(m_hand.command(
                {"ZADD", m_keys.completed(), secondsFromNow(expiries.at(i)), id.toUtf8()},
                u"staging"_s));
        }
        const auto dedup = m_inspector.dedup(m_queue);
        QVERIFY_RESULT(dedup);
        QCOMPARE(dedup->retained, 6);
        QCOMPARE(dedup->expired, 2);
        QCOMPARE(dedup->expiryPerHour.size(), 24);
        QCOMPARE(dedup->expiryPerHour.at(0), 1);
        QCOMPARE(dedup->expiryPerHour.at(1), 2);
        QCOMPARE(dedup->sampled, 6);
        QVERIFY(dedup->bytes && *dedup->bytes > 6 * 100 && *dedup->bytes < 6 * 2000);
        QVERIFY(dedup->soonestExpiry && *dedup->soonestExpiry < dedup->at);
        QVERIFY(dedup->latestExpiry && dedup->at.secsTo(*dedup->latestExpiry) > 90'000);

        const auto empty = m_inspector.dedup({u"empty"_s});
        QVERIFY_RESULT(empty);
        QCOMPARE(empty->retained, 0);
        QCOMPARE(empty->bytes.value_or(-1), 0);
        QVERIFY(!empty->soonestExpiry);
    }

    void factsComeFromInfo()
    {
        const auto facts = m_inspector.facts();
        QVERIFY_RESULT(facts);
        QVERIFY(facts->version.contains(u'.'));
        QCOMPARE(facts->role, u"master"_s);
        QCOMPARE(facts->runId.size(), 40);
        QVERIFY(facts->usedMemory > 0);
        QCOMPARE(facts->maxMemoryPolicy, u"noeviction"_s);
        QVERIFY(!facts->aofEnabled && !facts->loading);
        QVERIFY(facts->connectedClients >= 2);
        QVERIFY(qAbs(facts->clockOffsetSeconds) < 5);
    }

    void theInspectorComesBackAfterTheConnectionWasCut()
    {
        QVERIFY_RESULT(
            m_hand.command({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"}, u"cut"_s));
        QVERIFY_RESULT(m_inspector.queues());
    }

    void anInspectorNeitherWritesNorReadsWholeContainers()
    {
        placeOneOfEach();
        QVERIFY_RESULT(m_hand.command({"CONFIG", "RESETSTAT"}, u"staging"_s));
        QVERIFY_RESULT(m_inspector.queues());
        QVERIFY_RESULT(m_inspector.snapshot({m_queue}));
        QVERIFY_RESULT(m_inspector.dedup(m_queue));
        for (const TaskState state : soundTaskStates()) {
            QVERIFY_RESULT(m_inspector.tasks(m_queue, state, 100, {}));
            QVERIFY_RESULT(m_inspector.find(m_queue, {word(state)}));
        }
        QVERIFY_RESULT(m_inspector.glance(m_queue, {{u"pending"_s}}));
        QVERIFY_RESULT(m_inspector.servers());
        QVERIFY_RESULT(m_inspector.workers());
        QVERIFY_RESULT(m_inspector.facts());
        const auto stats = m_hand.command({"INFO", "commandstats"}, u"looking"_s);
        QVERIFY_RESULT(stats);
        const QByteArrayList allowed{"client|setname",
                                     "config|resetstat",
                                     "dbsize",
                                     "exists",
                                     "get",
                                     "hget",
                                     "hmget",
                                     "hscan",
                                     "hstrlen",
                                     "info",
                                     "llen",
                                     "lpos",
                                     "lrange",
                                     "memory|usage",
                                     "scard",
                                     "sismember",
                                     "sscan",
                                     "time",
                                     "type",
                                     "zcard",
                                     "zcount",
                                     "zrandmember",
                                     "zrange",
                                     "zrevrange",
                                     "zscore"};
        for (const QByteArray &line : stats->bytes.split('\n')) {
            if (!line.startsWith("cmdstat_"))
                continue;
            const QByteArray name = line.mid(8, line.indexOf(':') - 8);
            QVERIFY2(allowed.contains(name), name.constData());
        }
    }
};

} // namespace tst_inspector

OUTBOX_TEST(tst_inspector::TestInspector)
#include "tst_inspector.moc"
