// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the enqueue script answers, row by row of asynq-protocol 10.3, against a real Redis; and
// that a server is judged before it is given a batch.
#include "connectors/asynq/asynqqueue.h"
#include "connectors/asynq/wire/keys.h"
#include "connectors/asynq/wire/taskmessage.h"
#include "tests/support/redishand.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QSet>
#include <QTest>

namespace tst_enqueue {

using namespace outbox;
using namespace outbox::asynq;
using namespace Qt::Literals::StringLiterals;

using Kind = EnqueueAnswer::Kind;

class TestEnqueue : public QObject
{
    Q_OBJECT

    PrivateRedis m_redis;
    RedisConnection m_hand; // sets the stage and looks
    AsynqQueue m_queue;
    const QueueKeys m_keys{QueueName{u"default"_s}};

    EnqueueAnswer enqueueOne(const EnqueueRequest &request)
    {
        const auto answers = m_queue.enqueue({request});
        return answers ? answers->value(0) : EnqueueAnswer{};
    }

    [[nodiscard]] Result<RedisReply> setPolicy(const QByteArray &policy)
    {
        return m_hand.command({"CONFIG", "SET", "maxmemory-policy", policy}, u"staging"_s);
    }
    static QString whyItEvicts(const RedisFacts &facts)
    {
        return facts.maxMemoryPolicy == "noeviction"_L1 ? QString() : u"it evicts"_s;
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_redis);
        const auto endpoint = openByHand(m_hand, m_redis);
        QVERIFY_RESULT(endpoint);
        QVERIFY_RESULT(m_queue.open(*endpoint, u"relay"_s));
    }

    void init()
    {
        QVERIFY_RESULT(m_hand.command({"FLUSHALL"}, u"clearing"_s));
        QVERIFY_RESULT(setPolicy("noeviction")); // where a test before ended in its middle
    }

    void aNewTaskIsStoredAsAsynqStoresIt()
    {
        const EnqueueRequest request = sampleRequest(u"s1"_s);
        const EnqueueAnswer answer = enqueueOne(request);
        QCOMPARE(answer.kind, Kind::Stored);

        const auto look = m_hand.pipeline({{"HGETALL", m_keys.task(request.id)},
                                           {"LRANGE", m_keys.pending(), "0", "-1"},
                                           {"SMEMBERS", allQueues},
                                           {"TTL", m_keys.task(request.id)}});
        QVERIFY_RESULT(look);
        QHash<QByteArray, QByteArray> hash;
        for (qsizetype i = 0; i + 1 < look->at(0).elements.size(); i += 2)
            hash.insert(look->at(0).elements.at(i).bytes, look->at(0).elements.at(i + 1).bytes);
        QCOMPARE(hash.size(), 3);
        QCOMPARE(hash.value("state"), "pending");
        QVERIFY(hash.value("pending_since").toLongLong() > 1'600'000'000'000'000'000);
        const auto message = decode(hash.value("msg"));
        QVERIFY_RESULT(message);
        QCOMPARE(message->type, request.type);
        QCOMPARE(message->payload, request.payload);
        QCOMPARE(message->id, request.id.text);
        QCOMPARE(message->queue, u"default"_s);
        QCOMPARE(message->retry, 25);
        QCOMPARE(message->timeoutSeconds, 1800);
        QCOMPARE(message->retentionSeconds, 86400);
        QCOMPARE(look->at(1).elements.size(), 1);
        QCOMPARE(look->at(1).elements.first().bytes, "s1");
        QCOMPARE(look->at(2).elements.first().bytes, "default");
        QCOMPARE(look->at(3).integer, -1);
    }

    void whatIsThereIsSaidAndLeftAlone_data()
    {
        QTest::addColumn<QString>("state");
        QTest::addColumn<bool>("same");
        for (const TaskState state : soundTaskStates()) {
            for (const bool same : {true, false}) {
                QTest::addRow("%s %s", qPrintable(word(state)), same ? "same" : "other")
                    << word(state) << same;
            }
        }
    }

    void whatIsThereIsSaidAndLeftAlone()
    {
        QFETCH(QString, state);
        QFETCH(bool, same);
        const EnqueueRequest request = sampleRequest(u"s1"_s);
        EnqueueRequest stored = request;
        if (!same)
            stored.payload += ' ';
        const TaskState expected = taskStateFromWord(state).value_or(TaskState::None);
        QVERIFY_RESULT(placeTask(m_hand, stored, expected));
        const auto before = m_hand.command({"HGETALL", m_keys.task(request.id)}, u"looking"_s);
        QVERIFY_RESULT(before);

        const EnqueueAnswer answer = enqueueOne(request);
        QCOMPARE(answer.kind, Kind::Exists);
        QCOMPARE(answer.state, expected);
        QCOMPARE(answer.same, same);
        const auto after = m_hand.command({"HGETALL", m_keys.task(request.id)}, u"looking"_s);
        QVERIFY_RESULT(after);
        QCOMPARE(*after, *before);
    }

    void aTaskThatWasTriedAndFailedIsStillTheSame()
    {
        const EnqueueRequest request = sampleRequest(u"s1"_s);
        TaskMessage message = messageOf(request);
        message.retried = 3;
        message.error = u"it broke"_s;
        message.lastFailedAt = 1'795'225'841;
        QVERIFY_RESULT(placeMessage(m_hand, request, TaskState::Retry, message));
        const EnqueueAnswer answer = enqueueOne(request);
        QCOMPARE(answer.kind, Kind::Exists);
        QCOMPARE(answer.state, TaskState::Retry);
        QVERIFY(answer.same);
    }

    void anotherFieldOrderIsNoCollision()
    {
        const EnqueueRequest request = sampleRequest(u"s1"_s);
        TaskMessage rest = messageOf(request);
        rest.type.clear();
        rest.payload.clear();
        rest.id.clear();
        TaskMessage identity;
        identity.type = request.type;
        identity.payload = request.payload;
        identity.id = request.id.text;
        const QByteArray bytes = *encode(rest) + *encode(identity);
        QVERIFY_RESULT(placeBytes(m_hand, request, TaskState::Pending, bytes));
        const EnqueueAnswer answer = enqueueOne(request);
        QCOMPARE(answer.kind, Kind::Exists);
        QVERIFY(answer.same);
    }

    void anEmptyPayloadIsNotTakenForAnyOther()
    {
        EnqueueRequest empty = sampleRequest(u"s1"_s);
        QVERIFY_RESULT(placeTask(m_hand, empty, TaskState::Pending));
        empty.payload.clear();
        const EnqueueAnswer answer = enqueueOne(empty);
        QCOMPARE(answer.kind, Kind::Exists);
        QVERIFY(!answer.same);
    }

    void damagedTasksAreNeverTakenForDelivered_data()
    {
        QTest::addColumn<QByteArrayList>("staging");
        QTest::addColumn<TaskState>("state");
        const QByteArray key = QueueKeys(QueueName{u"default"_s}).task(QByteArray("s1"));
        const QByteArray message = *encode(messageOf(sampleRequest(u"s1"_s)));
        QTest::newRow("stub") << QByteArrayList{"HSET", key, "state", "active"} << TaskState::Stub;
        QTest::newRow("pending orphan")
            << QByteArrayList{"HSET", key, "msg", message, "state", "pending"} << TaskState::Orphan;
        QTest::newRow("active orphan")
            << QByteArrayList{"HSET", key, "msg", message, "state", "active"} << TaskState::Orphan;
        QTest::newRow("completed orphan")
            << QByteArrayList{"HSET", key, "msg", message, "state", "completed"}
            << TaskState::Orphan;
        QTest::newRow("grouped orphan")
            << QByteArrayList{"HSET", key, "msg", message, "state", "aggregating", "group", "g"}
            << TaskState::Orphan;
        QTest::newRow("unheard-of state")
            << QByteArrayList{"HSET", key, "msg", message, "state", "dreaming"}
            << TaskState::Orphan;
        QTest::newRow("wrong type") << QByteArrayList{"SET", key, "hello"} << TaskState::WrongType;
    }

    void damagedTasksAreNeverTakenForDelivered()
    {
        QFETCH(QByteArrayList, staging);
        QFETCH(TaskState, state);
        QVERIFY_RESULT(m_hand.command(staging, u"staging"_s));
        const EnqueueAnswer answer = enqueueOne(sampleRequest(u"s1"_s));
        QCOMPARE(answer.kind, Kind::Damaged);
        QCOMPARE(answer.state, state);
        QVERIFY(!answer.detail.isEmpty());
        const auto pending = m_hand.command({"LLEN", m_keys.pending()}, u"looking"_s);
        QVERIFY_RESULT(pending);
        QCOMPARE(pending->integer, 0);
    }

    void aTaskInAnAggregationSetIsSeen()
    {
        const EnqueueRequest request = sampleRequest(u"s1"_s);
        QVERIFY_RESULT(placeTask(m_hand, request, TaskState::Aggregating));
        const QByteArray set = m_keys.group("g") + ":0189c3a4";
        QVERIFY_RESULT(m_hand.pipeline({{"RENAME", m_keys.group("g"), set},
                                        {"ZADD", m_keys.aggregationSets(), "1795225841", set}}));
        QCOMPARE(enqueueOne(request).state, TaskState::Aggregating);
    }

    void aServerThatIsNotJudgedWellIsGivenNothing()
    {
        AsynqQueue queue;
        QVERIFY_RESULT(queue.open(m_hand.endpoint(), u"relay"_s));
        queue.checkServer(whyItEvicts);
        QVERIFY_RESULT(queue.judge());
        QVERIFY(!queue.facts().runId.isEmpty());
        QVERIFY(!queue.takeNewFacts()); // the first one is no news
        QVERIFY_RESULT(setPolicy("allkeys-lru"));
        QVERIFY_RESULT(queue.enqueue({sampleRequest(u"s1"_s)})); // it was judged a moment ago
        queue.judgeBeforeBatch();
        const auto refused = queue.enqueue({sampleRequest(u"s2"_s)});
        QVERIFY(!refused);
        QCOMPARE(refused.error().kind, Error::Kind::Refused);
        const auto pending = m_hand.command({"LLEN", m_keys.pending()}, u"looking"_s);
        QVERIFY_RESULT(pending);
        QCOMPARE(pending->integer, 1);
        QVERIFY_RESULT(setPolicy("noeviction"));
        QVERIFY_RESULT(queue.enqueue({sampleRequest(u"s2"_s)}));
    }

    void aNewConnectionIsJudgedAnew()
    {
        AsynqQueue queue;
        QVERIFY_RESULT(queue.open(m_hand.endpoint(), u"relay"_s));
        queue.checkServer(whyItEvicts);
        QVERIFY_RESULT(queue.judge());
        QVERIFY_RESULT(setPolicy("allkeys-lru"));
        queue.connection().close();
        const auto refused = queue.enqueue({sampleRequest(u"s1"_s)});
        QVERIFY_RESULT(setPolicy("noeviction"));
        QVERIFY(!refused);
        QCOMPARE(refused.error().kind, Error::Kind::Refused);
    }

    void anAnswerOverAnotherConnectionTellsNothing()
    {
        static AsynqQueue *judged = nullptr;
        AsynqQueue queue;
        judged = &queue;
        QVERIFY_RESULT(queue.open(m_hand.endpoint(), u"relay"_s));
        queue.checkServer([](const RedisFacts &) {
            judged->connection().close(); // between the judgement and the batch
            return QString();
        });
        const auto answers = queue.enqueue({sampleRequest(u"s1"_s)});
        QVERIFY(!answers);
        QCOMPARE(answers.error().kind, Error::Kind::Unreachable);
    }

    void theQueuesOfTheLastBatchAreKnown()
    {
        EnqueueRequest other = sampleRequest(u"s2"_s);
        other.queue.text = u"other"_s;
        QVERIFY_RESULT(m_queue.enqueue({sampleRequest(u"s1"_s), other}));
        QCOMPARE(m_queue.lastQueues(), (QSet{QueueName{u"default"_s}, QueueName{u"other"_s}}));
        QVERIFY_RESULT(m_queue.enqueue({other}));
        QCOMPARE(m_queue.lastQueues(), QSet{QueueName{u"other"_s}});
    }
};

} // namespace tst_enqueue

OUTBOX_TEST(tst_enqueue::TestEnqueue)
#include "tst_enqueue.moc"
