// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Enqueueing when things are not well: no script, no memory, no rights, no answer, deep lists.
#include "connectors/asynq/asynqqueue.h"
#include "connectors/asynq/wire/keys.h"
#include "tests/support/patience.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_enqueuefaults {

using namespace outbox;
using namespace outbox::asynq;
using namespace Qt::Literals::StringLiterals;
using namespace std::chrono_literals;

using Kind = EnqueueAnswer::Kind;

class TestEnqueueFaults : public QObject
{
    Q_OBJECT

    PrivateRedis m_redis;
    RedisConnection m_hand;
    AsynqQueue m_queue;
    const QueueKeys m_keys{QueueName{u"default"_s}};

    RedisEndpoint endpoint() const { return *RedisEndpoint::fromUrl(m_redis.url()); }

    qint64 number(const RedisCommand &command) { return numberOf(m_hand, command); }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_redis);
        QVERIFY_RESULT(m_hand.open(endpoint(), RedisConnection::Access::Act, u"hand"_s, 10s));
    }

    void init()
    {
        QVERIFY_RESULT(m_hand.command({"FLUSHALL"}, u"clearing"_s));
        QVERIFY_RESULT(m_queue.open(endpoint(), u"relay"_s, 10s));
    }

    void aForgottenScriptIsLoadedAgain()
    {
        QVERIFY_RESULT(m_hand.command({"SCRIPT", "FLUSH"}, u"staging"_s));
        const auto answers = m_queue.enqueue(sampleBatch(3));
        QVERIFY_RESULT(answers);
        for (const EnqueueAnswer &answer : *answers)
            QCOMPARE(answer.kind, Kind::Stored);
        const auto order = m_hand.command({"LRANGE", m_keys.pending(), "0", "-1"}, u"looking"_s);
        QVERIFY_RESULT(order);
        QCOMPARE(order->elements.size(), 3);
        QCOMPARE(order->elements.last().bytes, "row-0"); // first in, first out
    }

    void aRowAtFaultDoesNotHoldUpTheOthers()
    {
        QList<EnqueueRequest> batch = sampleBatch(3);
        batch[1].id.text = u" "_s;
        const auto answers = m_queue.enqueue(batch);
        QVERIFY_RESULT(answers);
        QCOMPARE(answers->at(0).kind, Kind::Stored);
        QCOMPARE(answers->at(1).kind, Kind::Invalid);
        QVERIFY(answers->at(1).detail.contains(u"task id"_s));
        QCOMPARE(answers->at(2).kind, Kind::Stored);
        QCOMPARE(m_queue.enqueue({})->size(), 0);
    }

    void twoQueuesInOneBatchAreTwoWorlds()
    {
        QList<EnqueueRequest> batch{sampleRequest(u"1"_s), sampleRequest(u"1"_s),
                                    sampleRequest(u"1"_s)};
        batch[1].queue.text = u"крит"_s;
        const auto answers = m_queue.enqueue(batch);
        QVERIFY_RESULT(answers);
        QCOMPARE(answers->at(0).kind, Kind::Stored);
        QCOMPARE(answers->at(1).kind, Kind::Stored);
        QCOMPARE(answers->at(2).kind, Kind::Exists); // the same row twice
        QVERIFY(answers->at(2).same);
        QCOMPARE(number({"SCARD", allQueues}), 2);
        QCOMPARE(number({"LLEN", QueueKeys(batch[1].queue).pending()}), 1);
    }

    void aDeletedQueueIsAnnouncedAgain()
    {
        QVERIFY_RESULT(m_queue.enqueue({sampleRequest(u"1"_s)}));
        QVERIFY_RESULT(m_hand.command({"SREM", allQueues, "default"}, u"staging"_s));
        QVERIFY_RESULT(m_queue.enqueue({sampleRequest(u"1"_s)}));
        QCOMPARE(number({"SCARD", allQueues}), 1);
    }

    void idsDeepInALongListAreFoundAndLostOnesAreNot()
    {
        QList<EnqueueRequest> batch = sampleBatch(200);
        QVERIFY_RESULT(m_queue.enqueue(batch));
        QList<RedisCommand> fill; // now 25,000 newer ids stand before them
        for (int i = 0; i < 25; ++i) {
            RedisCommand push{"LPUSH", m_keys.pending()};
            for (int j = 0; j < 1000; ++j)
                push += "filler-" + QByteArray::number(1000 * i + j);
            fill += push;
        }
        QVERIFY_RESULT(m_hand.pipeline(fill));
        QVERIFY_RESULT(m_hand.command({"LREM", m_keys.pending(), "0", "row-77"}, u"staging"_s));
        const auto answers = m_queue.enqueue(batch);
        QVERIFY_RESULT(answers);
        for (qsizetype i = 0; i < answers->size(); ++i) {
            QCOMPARE(answers->at(i).kind, i == 77 ? Kind::Damaged : Kind::Exists);
            QCOMPARE(answers->at(i).state, i == 77 ? TaskState::Orphan : TaskState::Pending);
            QVERIFY(answers->at(i).same);
        }
    }

    void withoutMemoryTheBatchFailsAndNothingIsHalfDone()
    {
        const auto memory = m_hand.command({"INFO", "memory"}, u"looking"_s);
        QVERIFY_RESULT(memory);
        const qsizetype at = memory->bytes.indexOf("used_memory:") + 12;
        const qint64 used
            = memory->bytes.mid(at, memory->bytes.indexOf('\r', at) - at).toLongLong();
        QVERIFY_RESULT(m_hand.command(
            {"CONFIG", "SET", "maxmemory", QByteArray::number(used + 4'000'000)}, u"staging"_s));
        const auto answers = m_queue.enqueue(sampleBatch(1000, QByteArray(20'000, 'x')));
        QVERIFY_RESULT(m_hand.command({"CONFIG", "SET", "maxmemory", "0"}, u"staging"_s));
        QVERIFY(!answers);
        QCOMPARE(answers.error().kind, Error::Kind::Refused);
        QCOMPARE(answers.error().code, u"OOM"_s);
        QVERIFY(answers.error().hint.contains(u"memory"_s));
        const qint64 hashes
            = number({"DBSIZE"}) - number({"EXISTS", m_keys.pending(), allQueues, m_keys.fence()});
        QCOMPARE(hashes, number({"LLEN", m_keys.pending()}));

        const auto again = m_queue.enqueue(sampleBatch(1000, QByteArray(20'000, 'x')));
        QVERIFY_RESULT(again);
        QCOMPARE(number({"LLEN", m_keys.pending()}), 1000);
    }

    void aContainerOfTheWrongTypeIsItsQueuesFaultAndLeavesNothing()
    {
        QVERIFY_RESULT(m_hand.command({"SET", m_keys.pending(), "hello"}, u"staging"_s));
        EnqueueRequest other = sampleRequest(u"2"_s);
        other.queue.text += u"-other"_s;
        const auto answers = m_queue.enqueue({sampleRequest(u"1"_s), other});
        QVERIFY_RESULT(answers);
        QCOMPARE(answers->first().kind, EnqueueAnswer::Kind::QueueBroken);
        QCOMPARE(answers->first().code, u"WRONGTYPE"_s);
        QCOMPARE(answers->last().kind, EnqueueAnswer::Kind::Stored);
        QCOMPARE(number({"EXISTS", m_keys.task(QByteArray("1"))}), 0);
    }

    void aReplicaIsNotWrittenTo()
    {
        QVERIFY_RESULT(m_hand.command({"REPLICAOF", "127.0.0.1", "1"}, u"staging"_s));
        const auto answers = m_queue.enqueue({sampleRequest(u"1"_s)});
        QVERIFY_RESULT(m_hand.command({"REPLICAOF", "NO", "ONE"}, u"staging"_s));
        QVERIFY(!answers);
        QCOMPARE(answers.error().code, u"READONLY"_s);
        QVERIFY(answers.error().hint.contains(u"replica"_s));
    }

    void theRelaysOwnRightsAreEnough()
    {
        RedisCommand user{"ACL",     "SETUSER",  "relay",         "on",
                          ">secret", "~asynq:*", "resetchannels", "-@all"};
        for (const char *right :
             {"+auth",  "+hello",   "+ping",        "+quit",   "+client|setname", "+client|id",
              "+eval",  "+evalsha", "+script|load", "+exists", "+type",           "+hset",
              "+hmget", "+lpush",   "+lpos",        "+lrange", "+zscore",         "+sadd",
              "+time",  "+wait",    "+info"}) {
            user += right;
        }
        QVERIFY_RESULT(m_hand.command(user, u"staging"_s));
        RedisEndpoint at = endpoint();
        at.user = u"relay"_s;
        at.password = u"secret"_s;
        AsynqQueue relay;
        QVERIFY_RESULT(relay.open(at, u"relay"_s));
        QCOMPARE(relay.enqueue({sampleRequest(u"1"_s)})->first().kind, Kind::Stored);
        QCOMPARE(relay.enqueue({sampleRequest(u"1"_s)})->first().kind, Kind::Exists);
        QVERIFY_RESULT(m_hand.command({"DEL", m_keys.pending()}, u"staging"_s));
        QCOMPARE(relay.enqueue({sampleRequest(u"1"_s)})->first().kind, Kind::Damaged);

        QVERIFY_RESULT(m_hand.command({"ACL", "SETUSER", "relay", "-lpush"}, u"staging"_s));
        const auto denied = relay.enqueue({sampleRequest(u"2"_s)});
        QVERIFY(!denied);
        QCOMPARE(denied.error().kind, Error::Kind::Refused);
        QCOMPARE(denied.error().code, u"NOPERM"_s);
        QCOMPARE(number({"EXISTS", m_keys.task(QByteArray("2"))}), 0);
    }

    void afterALostAnswerAskingAgainIsSafe()
    {
        AsynqQueue relay;
        QVERIFY_RESULT(relay.open(endpoint(), u"relay"_s, 300ms));
        m_redis.freeze();
        const auto lost = relay.enqueue(sampleBatch(10));
        m_redis.thaw();
        QVERIFY(!lost);
        QCOMPARE(lost.error().kind, Error::Kind::Timeout);
        QVERIFY(!relay.isOpen());
        QTRY_COMPARE(number({"LLEN", m_keys.pending()}), 10); // they got in, late
        const auto again = relay.enqueue(sampleBatch(10));
        QVERIFY_RESULT(again);
        for (const EnqueueAnswer &answer : *again) {
            QCOMPARE(answer.kind, Kind::Exists);
            QVERIFY(answer.same);
        }
        QCOMPARE(number({"LLEN", m_keys.pending()}), 10);
    }

    void largePayloadsGoThrough()
    {
        QList<EnqueueRequest> batch = sampleBatch(3, QByteArray(30'000'000, 'x'));
        const auto answers = m_queue.enqueue(batch);
        QVERIFY_RESULT(answers);
        QCOMPARE(answers->last().kind, Kind::Stored);
        batch[2].payload[29'999'999] = 'y';
        const auto again = m_queue.enqueue(batch);
        QVERIFY_RESULT(again);
        QVERIFY(again->at(0).same);
        QVERIFY(!again->at(2).same);
        QCOMPARE(number({"HSTRLEN", m_keys.task(QByteArray("row-0")), "msg"}) > 30'000'000, true);
    }
};

} // namespace tst_enqueuefaults

OUTBOX_TEST(tst_enqueuefaults::TestEnqueueFaults)
#include "tst_enqueuefaults.moc"
