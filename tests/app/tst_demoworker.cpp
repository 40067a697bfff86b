// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The stand-in worker does to a queue what asynq's worker does (asynq-protocol 6, 7 and 9).
#include "app/demo/demoworker.h"
#include "connectors/asynq/asynqqueue.h"
#include "connectors/asynq/observe/inspector.h"
#include "connectors/asynq/wire/keys.h"
#include "tests/support/redishand.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_demoworker {

using namespace outbox;
using namespace outbox::asynq;
using namespace Qt::Literals::StringLiterals;

class TestDemoWorker : public QObject
{
    Q_OBJECT

    PrivateRedis m_redis;
    RedisConnection m_hand;
    AsynqQueue m_relay;
    AsynqInspector m_inspector;
    DemoWorker m_worker;
    const QueueName m_queue{u"default"_s};
    const QueueKeys m_keys{m_queue};
    const QDateTime m_now = QDateTime::currentDateTimeUtc();

    std::optional<Task> dequeued()
    {
        const auto task = m_worker.dequeue(m_queue);
        return task ? *task : std::nullopt;
    }

    Task found(const QString &id)
    {
        const auto task = m_inspector.find(m_queue, {id});
        return task && *task ? **task : Task{};
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_redis);
        const auto endpoint = openByHand(m_hand, m_redis);
        QVERIFY_RESULT(endpoint);
        QVERIFY_RESULT(m_relay.open(*endpoint, u"relay"_s));
        QVERIFY_RESULT(m_inspector.open(*endpoint, u"looker"_s));
    }

    void init()
    {
        QVERIFY_RESULT(m_hand.command({"FLUSHALL"}, u"clearing"_s));
        const auto endpoint = RedisEndpoint::fromUrl(m_redis.url());
        QVERIFY_RESULT(m_worker.open(*endpoint, {{u"default"_s, 1}}, 4));
    }

    void tasksComeInTheOrderTheyWereSent()
    {
        QVERIFY_RESULT(m_relay.enqueue({sampleRequest(u"1"_s), sampleRequest(u"2"_s)}));
        const auto first = dequeued();
        QVERIFY(first.has_value());
        QCOMPARE(first->id.text, u"1"_s);
        QCOMPARE(first->payload, sampleRequest({}).payload);
        QCOMPARE(found(u"1"_s).state, TaskState::Active);
        QVERIFY(!found(u"1"_s).pendingSince);
        QVERIFY(found(u"1"_s).leaseUntil.has_value());
        QCOMPARE(dequeued()->id.text, u"2"_s);
        QVERIFY(!dequeued().has_value());
    }

    void aPausedQueueGivesNothing()
    {
        QVERIFY_RESULT(m_relay.enqueue({sampleRequest(u"1"_s)}));
        QVERIFY_RESULT(m_hand.command({"SET", m_keys.paused(), "1"}, u"pausing"_s));
        QVERIFY(!dequeued().has_value());
    }

    void aCompletedTaskIsKeptUntilItsRetentionEnds()
    {
        QVERIFY_RESULT(m_relay.enqueue({sampleRequest(u"1"_s)}));
        QVERIFY_RESULT(m_worker.complete(*dequeued(), "sent"));
        const Task done = found(u"1"_s);
        QCOMPARE(done.state, TaskState::Completed);
        QCOMPARE(done.result, "sent");
        QVERIFY(done.completedAt.has_value());
        QCOMPARE(done.completedAt->secsTo(*done.keptUntil), 86400);

        const auto again = m_relay.enqueue({sampleRequest(u"1"_s)});
        QVERIFY_RESULT(again);
        QCOMPARE(again->first().state, TaskState::Completed);
        QVERIFY(again->first().same);

        const auto early = m_worker.expire(m_now);
        QVERIFY_RESULT(early);
        QCOMPARE(*early, 0);
        const auto late = m_worker.expire(m_now.addDays(2));
        QVERIFY_RESULT(late);
        QCOMPARE(*late, 1);
        const auto anew = m_relay.enqueue({sampleRequest(u"1"_s)});
        QVERIFY_RESULT(anew);
        QCOMPARE(anew->first().kind, EnqueueAnswer::Kind::Stored);
    }

    void withoutRetentionTheIdIsFreeAtOnce()
    {
        EnqueueRequest request = sampleRequest(u"1"_s);
        request.retentionSeconds = 0;
        QVERIFY_RESULT(m_relay.enqueue({request}));
        QVERIFY_RESULT(m_worker.complete(*dequeued()));
        QCOMPARE(found(u"1"_s).state, TaskState::None);
    }

    void aFailedTaskComesBackWhenItIsDue()
    {
        QVERIFY_RESULT(m_relay.enqueue({sampleRequest(u"1"_s)}));
        QVERIFY_RESULT(
            m_worker.retryLater(*dequeued(), u"mail server is down"_s, m_now.addSecs(60)));
        const Task waiting = found(u"1"_s);
        QCOMPARE(waiting.state, TaskState::Retry);
        QCOMPARE(waiting.retried, 1);
        QCOMPARE(waiting.lastError, u"mail server is down"_s);
        QVERIFY(waiting.lastFailed && waiting.nextRun);
        QVERIFY(!dequeued().has_value());

        const auto moved = m_worker.forward(m_now.addSecs(61));
        QVERIFY_RESULT(moved);
        QCOMPARE(*moved, 1);
        QVERIFY(found(u"1"_s).pendingSince.has_value());
        QCOMPARE(dequeued()->retried, 1);
    }

    void anArchivedTaskStaysDeadAndCounted()
    {
        QVERIFY_RESULT(m_relay.enqueue({sampleRequest(u"1"_s)}));
        QVERIFY_RESULT(m_worker.archive(*dequeued(), u"no such address"_s));
        QCOMPARE(found(u"1"_s).state, TaskState::Archived);
        const auto snapshot = m_inspector.snapshot({m_queue});
        QVERIFY_RESULT(snapshot);
        QCOMPARE(snapshot->first().archived, 1);
        QCOMPARE(snapshot->first().processedTotal.value_or(-1), 1);
        QCOMPARE(snapshot->first().failedTotal.value_or(-1), 1);
    }

    void theArchiveIsBoundedAndLeavesNoOrphan()
    {
        constexpr int many = 10'005;
        QList<RedisCommand> commands;
        for (int i = 0; i < many; ++i) {
            const QByteArray id = "old" + QByteArray::number(i);
            commands += {"HSET", m_keys.task(id), "msg", "x", "state", "archived"};
            commands += {"ZADD", m_keys.archived(),
                         QByteArray::number(m_now.toSecsSinceEpoch() - many + i), id};
        }
        QVERIFY_RESULT(m_hand.pipeline(commands));
        QVERIFY_RESULT(m_relay.enqueue({sampleRequest(u"1"_s)}));
        QVERIFY_RESULT(m_worker.archive(*dequeued(), u"no such address"_s));
        const auto left = m_hand.pipeline({{"ZCARD", m_keys.archived()},
                                           {"EXISTS", m_keys.task(QByteArray("old0"))},
                                           {"EXISTS", m_keys.task(QByteArray("old10004"))}});
        QVERIFY_RESULT(left);
        QCOMPARE(left->at(0).integer, 9999);
        QCOMPARE(left->at(1).integer, 0);
        QCOMPARE(left->at(2).integer, 1);
    }

    void fieldsOfANewerAsynqSurviveARetry()
    {
        TaskMessage message = messageOf(sampleRequest(u"1"_s));
        message.headers.insert(u"trace"_s, u"abc"_s);
        message.unknown = QByteArray::fromHex("f8010a"); // field 31
        QVERIFY_RESULT(placeMessage(m_hand, sampleRequest(u"1"_s), TaskState::Pending, message));
        QVERIFY_RESULT(m_worker.retryLater(*dequeued(), u"once"_s, m_now));
        const auto bytes
            = m_hand.command({"HGET", m_keys.task(QByteArray("1")), "msg"}, u"looking"_s);
        QVERIFY_RESULT(bytes);
        const auto after = decode(bytes->bytes);
        QVERIFY_RESULT(after);
        QCOMPARE(after->headers, message.headers);
        QCOMPARE(after->unknown, message.unknown);
    }

    void aHeartbeatShowsServerAndWorkers()
    {
        QVERIFY_RESULT(m_relay.enqueue({sampleRequest(u"1"_s)}));
        QVERIFY(dequeued().has_value());
        QVERIFY_RESULT(m_worker.heartbeat());
        const auto servers = m_inspector.servers();
        QVERIFY_RESULT(servers);
        QCOMPARE(servers->size(), 1);
        QCOMPARE(servers->first().queues.value(u"default"_s), 1);
        QCOMPARE(servers->first().concurrency, 4);
        QCOMPARE(servers->first().activeWorkers, 1);
        QCOMPARE(servers->first().status, u"active"_s);
        const auto workers = m_inspector.workers();
        QVERIFY_RESULT(workers);
        QCOMPARE(workers->size(), 1);
        QCOMPARE(workers->first().task.text, u"1"_s);
        QCOMPARE(workers->first().serverId, servers->first().serverId);
        const auto snapshot = m_inspector.snapshot({m_queue});
        QVERIFY_RESULT(snapshot);
        QCOMPARE(snapshot->first().servers.value_or(-1), 1);

        QVERIFY_RESULT(m_worker.leave());
        QCOMPARE(m_inspector.servers()->size(), 0);
    }

    void whoDoesNotRunATaskCannotEndIt()
    {
        Task stranger;
        stranger.id.text = u"1"_s;
        stranger.queue = m_queue;
        QCOMPARE(m_worker.complete(stranger).error().kind, Error::Kind::Conflict);
    }
};

} // namespace tst_demoworker

OUTBOX_TEST(tst_demoworker::TestDemoWorker)
#include "tst_demoworker.moc"
