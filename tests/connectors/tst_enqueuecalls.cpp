// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Many tasks in one call of the script: what is answered and left behind is what single calls do.
#include "connectors/asynq/asynqqueue.h"
#include "connectors/asynq/wire/enqueuecommand.h"
#include "connectors/asynq/wire/keys.h"
#include "connectors/asynq/wire/taskmessage.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <algorithm>
#include <numeric>

namespace tst_enqueuecalls {

using namespace outbox;
using namespace outbox::asynq;
using namespace Qt::Literals::StringLiterals;
using namespace std::chrono_literals;

using Kind = EnqueueAnswer::Kind;

namespace {

// Microseconds. Without a bound a call would take seconds; a busy machine adds what it likes to
// one.
constexpr qint64 usualCall = 10'000;
constexpr qint64 longestCall = 250'000;

EnqueueRows allOf(const QList<EnqueueRequest> &batch)
{
    EnqueueRows rows(batch.size());
    std::iota(rows.begin(), rows.end(), 0);
    return rows;
}

QList<qsizetype> sizesOf(const QList<EnqueueCall> &calls)
{
    QList<qsizetype> sizes;
    for (const EnqueueCall &call : calls)
        sizes += call.rows.size();
    return sizes;
}

} // namespace

class TestEnqueueCalls : public QObject
{
    Q_OBJECT

    PrivateRedis m_redis;
    RedisConnection m_hand; // sets the stage and looks
    AsynqQueue m_queue;
    const QueueKeys m_keys{QueueName{u"default"_s}};

    RedisEndpoint endpoint() const { return *RedisEndpoint::fromUrl(m_redis.url()); }

    /// The waiting ids, the one that is served first before the others.
    QStringList waiting(const QueueKeys &keys)
    {
        QStringList ids;
        const auto list = m_hand.command({"LRANGE", keys.pending(), "0", "-1"}, u"looking"_s);
        for (const RedisReply &id : list ? list->elements : QList<RedisReply>())
            ids.prepend(QString::fromUtf8(id.bytes));
        return ids;
    }

    int scriptCalls()
    {
        const auto stats = m_hand.command({"INFO", "commandstats"}, u"looking"_s);
        const QByteArray word = "cmdstat_evalsha:calls=";
        const qsizetype at = stats ? stats->bytes.indexOf(word) : -1;
        if (at < 0)
            return 0;
        const qsizetype from = at + word.size();
        return stats->bytes.mid(from, stats->bytes.indexOf(',', from) - from).toInt();
    }

    /// One task of each kind that can be met, and four new ones among them.
    QList<EnqueueRequest> placeEveryKind()
    {
        QList<EnqueueRequest> batch = sampleBatch(13);
        const auto place = [this](EnqueueRequest request, TaskState state, const QByteArray &more) {
            request.payload += more;
            return placeTask(m_hand, request, state).has_value();
        };
        const bool staged = place(batch.at(1), TaskState::Pending, {})
            && place(batch.at(2), TaskState::Completed, {})
            && place(batch.at(3), TaskState::Archived, "other")
            && place(batch.at(5), TaskState::Aggregating, {})
            && place(batch.at(6), TaskState::Active, "other")
            && m_hand.command({"SET", m_keys.task(batch.at(7).id), "hello"}, u"staging"_s)
            && m_hand.command({"HSET", m_keys.task(batch.at(8).id), "state", "active"},
                              u"staging"_s)
            && place(batch.at(9), TaskState::Pending, {})
            && m_hand.command({"LREM", m_keys.pending(), "0", "row-9"}, u"staging"_s);
        batch[11].type.clear();
        return staged ? batch : QList<EnqueueRequest>();
    }

    QMap<QByteArray, QByteArray> everythingButTheTimes()
    {
        QMap<QByteArray, QByteArray> world{{"waiting", waiting(m_keys).join(u' ').toUtf8()}};
        for (int i = 0; i < 13; ++i) {
            const QByteArray id = "row-" + QByteArray::number(i);
            world.insert(id, containersOf(m_hand, id).join(' '));
            auto fields = hashAt(m_hand, m_keys.task(id));
            fields.remove("pending_since");
            for (auto field = fields.begin(); field != fields.end(); ++field)
                world.insert(id + ' ' + field.key(), field.value());
        }
        return world;
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_redis);
        QVERIFY_RESULT(m_hand.open(endpoint(), RedisConnection::Access::Act, u"hand"_s, 30s));
    }

    void init()
    {
        QVERIFY_RESULT(m_hand.pipeline({{"FLUSHALL"}, {"CONFIG", "RESETSTAT"}}));
        QVERIFY_RESULT(m_queue.open(endpoint(), u"relay"_s, 30s));
    }

    void theBytesAreThoseOfTheProtobufLibrary_data()
    {
        QTest::addColumn<EnqueueRequest>("request");
        const EnqueueRequest sample = sampleRequest(u"7d1cd3a8-4a5c-4f57-9a5e-1d2f3a4b5c6d"_s);
        const auto row = [&](const char *name, auto change) {
            EnqueueRequest request = sample;
            change(request);
            QTest::newRow(name) << request;
        };
        row("as it comes", [](EnqueueRequest &) {});
        for (const int size : {0, 1, 127, 128, 16'383, 16'384, 3'000'000}) {
            row(qPrintable(u"payload of %1"_s.arg(size)),
                [size](EnqueueRequest &request) { request.payload = QByteArray(size, '\0'); });
        }
        row("long type", [](EnqueueRequest &request) { request.type = QString(300, u'т'); });
        row("other queue", [](EnqueueRequest &request) { request.queue.text = u"крит"_s; });
        row("no retries", [](EnqueueRequest &request) { request.maxRetry = 0; });
        row("retries below none", [](EnqueueRequest &request) { request.maxRetry = -1; });
        row("no retention", [](EnqueueRequest &request) { request.retentionSeconds = 0; });
        row("for ever", [](EnqueueRequest &request) {
            request.retentionSeconds = std::numeric_limits<qint64>::max();
        });
        row("another time-out", [](EnqueueRequest &request) { request.timeoutSeconds = 1; });
    }

    void theBytesAreThoseOfTheProtobufLibrary()
    {
        QFETCH(EnqueueRequest, request);
        static EnqueueMessage message; // goes on from row to row, as in a batch
        const QByteArray id = request.id.text.toUtf8();
        message.set(request, id);
        QByteArray bytes(message.bytes(), '?');
        message.write(bytes.data());
        const TaskMessage whole = messageOf(request);
        QCOMPARE(bytes, *encode(whole));
        TaskMessage identity;
        identity.type = whole.type;
        identity.payload = whole.payload;
        identity.id = whole.id;
        QCOMPARE(bytes.left(message.identityBytes()), *encode(identity));
    }

    void aBatchIsSharedOutByNumberSizeAndQueue()
    {
        QList<EnqueueRequest> batch = sampleBatch(300);
        QCOMPARE(sizesOf(callsFor(batch, allOf(batch))), QList<qsizetype>({128, 128, 44}));

        batch = sampleBatch(5, QByteArray(400'000, 'x'));
        QCOMPARE(sizesOf(callsFor(batch, allOf(batch))), QList<qsizetype>({2, 2, 1}));

        batch = sampleBatch(5);
        batch[2].payload = QByteArray(3'000'000, 'x');
        QCOMPARE(sizesOf(callsFor(batch, allOf(batch))), QList<qsizetype>({2, 1, 2}));

        batch = sampleBatch(300);
        for (qsizetype i = 0; i < batch.size(); i += 2)
            batch[i].queue.text = u"critical"_s;
        const QList<EnqueueCall> calls = callsFor(batch, allOf(batch));
        QCOMPARE(sizesOf(calls), QList<qsizetype>({128, 128, 22, 22}));
        for (const EnqueueCall &call : calls) {
            QVERIFY(std::is_sorted(call.rows.begin(), call.rows.end()));
            for (const qsizetype row : call.rows)
                QCOMPARE(batch.at(row).queue, batch.at(call.rows.first()).queue);
        }
        QCOMPARE(callsFor(batch, {}).size(), 0);
    }

    void theTasksWaitInTheOrderOfTheBatch()
    {
        QList<EnqueueRequest> batch = sampleBatch(1000);
        const QueueName critical{u"critical"_s};
        QHash<QueueName, QStringList> expected;
        for (qsizetype i = 0; i < batch.size(); ++i) {
            if (i % 3 == 0)
                batch[i].queue = critical;
            expected[batch.at(i).queue] += batch.at(i).id.text;
        }
        const auto answers = m_queue.enqueue(batch);
        QVERIFY_RESULT(answers);
        QCOMPARE(answers->size(), batch.size());
        for (const EnqueueAnswer &answer : *answers)
            QCOMPARE(answer.kind, Kind::Stored);
        QCOMPARE(waiting(m_keys), expected.value(QueueName{u"default"_s}));
        QCOMPARE(waiting(QueueKeys(critical)), expected.value(critical));
        QCOMPARE(scriptCalls(), 6 + 3);
    }

    void aMixedBatchAnswersAndLeavesWhatSingleCallsDo()
    {
        QList<EnqueueRequest> batch = placeEveryKind();
        QVERIFY(!batch.isEmpty());
        QList<EnqueueAnswer> one;
        for (const EnqueueRequest &request : std::as_const(batch)) {
            const auto answer = m_queue.enqueue({request});
            QVERIFY_RESULT(answer);
            one += *answer;
        }
        const QMap<QByteArray, QByteArray> worldOfOne = everythingButTheTimes();
        QCOMPARE(one.at(0).kind, Kind::Stored);
        QCOMPARE(one.at(3).state, TaskState::Archived);
        QCOMPARE(one.at(7).state, TaskState::WrongType);

        QVERIFY_RESULT(m_hand.command({"FLUSHALL"}, u"clearing"_s));
        batch = placeEveryKind();
        const auto together = m_queue.enqueue(batch);
        QVERIFY_RESULT(together);
        QCOMPARE(*together, one);
        QCOMPARE(everythingButTheTimes(), worldOfOne);
    }

    void theSameIdTwiceInACallIsStoredOnce()
    {
        QList<EnqueueRequest> batch = sampleBatch(2);
        batch += batch.first();
        batch += batch.first();
        batch.last().payload += "other";
        const auto answers = m_queue.enqueue(batch);
        QVERIFY_RESULT(answers);
        QCOMPARE(answers->at(0).kind, Kind::Stored);
        QCOMPARE(answers->at(1).kind, Kind::Stored);
        for (const qsizetype again : {2, 3}) {
            QCOMPARE(answers->at(again).kind, Kind::Exists);
            QCOMPARE(answers->at(again).state, TaskState::Pending);
            QCOMPARE(answers->at(again).same, again == 2);
        }
        QCOMPARE(waiting(m_keys), QStringList({u"row-0"_s, u"row-1"_s}));
        const auto message = decode(hashAt(m_hand, m_keys.task(batch.at(0).id)).value("msg"));
        QVERIFY_RESULT(message);
        QCOMPARE(message->payload, batch.at(0).payload);
    }

    void aRowThatRedisRefusesIsNamedAlone()
    {
        RedisCommand user{"ACL", "SETUSER", "narrow", "reset", "on", ">secret", "+@all"};
        for (const char *keys :
             {"~asynq:queues", "~asynq:{default}:[a-s]*", "~asynq:{default}:t:row-*"})
            user += keys;
        QVERIFY_RESULT(m_hand.command(user, u"staging"_s));
        RedisEndpoint at = endpoint();
        at.user = u"narrow"_s;
        at.password = u"secret"_s;
        AsynqQueue relay;
        QVERIFY_RESULT(relay.open(at, u"relay"_s));

        QList<EnqueueRequest> batch = sampleBatch(6);
        batch[2].id.text = u"forbidden"_s;
        batch[4].queue.text = u"foreign"_s;
        const auto answers = relay.enqueue(batch);
        QVERIFY_RESULT(answers);
        for (qsizetype row = 0; row < batch.size(); ++row) {
            const bool isRefused = row == 2 || row == 4;
            QCOMPARE(answers->at(row).kind, isRefused ? Kind::Rejected : Kind::Stored);
            QCOMPARE(answers->at(row).code, isRefused ? u"NOPERM"_s : QString());
        }
        QCOMPARE(waiting(m_keys), QStringList({u"row-0"_s, u"row-1"_s, u"row-3"_s, u"row-5"_s}));
        QVERIFY_RESULT(m_hand.command({"ACL", "DELUSER", "narrow"}, u"clearing"_s));
    }

    /// The batch is committed without the rows of that queue, whose fence was not written. With the
    /// batch counted for the queue all the same, its next row would find an older one and be LOST.
    void aQueueWhoseRowsWereAllRefusedHasLostNothing()
    {
        const auto allow = [this](const QByteArray &keys) {
            return m_hand.command({"ACL", "SETUSER", "narrow", "on", ">secret", "+@all",
                                   "resetkeys", "~asynq:queues", keys},
                                  u"staging"_s);
        };
        QVERIFY_RESULT(allow("~asynq:*"));
        RedisEndpoint at = endpoint();
        at.user = u"narrow"_s;
        at.password = u"secret"_s;
        AsynqQueue relay;
        QVERIFY_RESULT(relay.open(at, u"relay"_s));
        relay.watchLives("relay", {});
        const auto batchOf = [](const QString &id) {
            EnqueueRequest other = sampleRequest(id);
            other.queue.text = u"other"_s;
            return QList{sampleRequest(id), other};
        };
        QVERIFY_RESULT(relay.enqueue(batchOf(u"1"_s)));
        relay.committed(relay.lastBatch(), 2);

        QVERIFY_RESULT(allow("~asynq:{default}:*"));
        const auto refused = relay.enqueue(batchOf(u"2"_s));
        QVERIFY_RESULT(refused);
        QCOMPARE(refused->first().kind, Kind::Stored);
        QCOMPARE(refused->last().kind, Kind::Rejected);
        relay.committed(relay.lastBatch(), 1);

        QVERIFY_RESULT(allow("~asynq:*"));
        const auto again = relay.enqueue(batchOf(u"2"_s));
        QVERIFY_RESULT(m_hand.command({"ACL", "DELUSER", "narrow"}, u"clearing"_s));
        QVERIFY_RESULT(again);
        QCOMPARE(again->first().kind, Kind::Exists);
        QCOMPARE(again->last().kind, Kind::Stored);
    }

    void withoutTheRightToStoreNoIdIsPushed()
    {
        QVERIFY_RESULT(m_hand.command(
            {"ACL", "SETUSER", "pusher", "reset", "on", ">secret", "+@all", "-hset", "~asynq:*"},
            u"staging"_s));
        RedisEndpoint at = endpoint();
        at.user = u"pusher"_s;
        at.password = u"secret"_s;
        AsynqQueue relay;
        QVERIFY_RESULT(relay.open(at, u"relay"_s));
        const auto answers = relay.enqueue(sampleBatch(3));
        QVERIFY_RESULT(m_hand.command({"ACL", "DELUSER", "pusher"}, u"clearing"_s));
        QVERIFY(!answers);
        QCOMPARE(answers.error().code, u"NOPERM"_s);
        QCOMPARE(waiting(m_keys), QStringList());
    }

    void aBrokenContainerIsMetBeforeAnythingIsWritten()
    {
        QList<EnqueueRequest> batch = sampleBatch(3);
        QVERIFY_RESULT(placeTask(m_hand, batch.at(1), TaskState::Completed));
        QVERIFY_RESULT(m_hand.command({"SET", m_keys.completed(), "hello"}, u"staging"_s));
        const auto answers = m_queue.enqueue(batch);
        QVERIFY_RESULT(answers);
        for (const EnqueueAnswer &answer : *answers)
            QCOMPARE(answer.kind, EnqueueAnswer::Kind::QueueBroken);
        QCOMPARE(numberOf(m_hand, {"EXISTS", m_keys.pending(), m_keys.task(batch.at(0).id)}), 0);
    }

    void storedMessagesThatAreTooLargeForOneAnswerAreAskedForAlone()
    {
        const QList<EnqueueRequest> batch = sampleBatch(4);
        for (const EnqueueRequest &request : batch) {
            EnqueueRequest other = request;
            other.payload = QByteArray(700'000, 'x');
            QVERIFY_RESULT(placeTask(m_hand, other, TaskState::Pending));
        }
        const auto answers = m_queue.enqueue(batch);
        QVERIFY_RESULT(answers);
        for (const EnqueueAnswer &answer : *answers) {
            QCOMPARE(answer.kind, Kind::Exists);
            QCOMPARE(answer.state, TaskState::Pending);
            QVERIFY(!answer.same);
        }
        QCOMPARE(scriptCalls(), 1 + 3);
    }

    void aThousandConflictsDeepInAMillionBlockNobody()
    {
        const QList<EnqueueRequest> batch = sampleBatch(1000, QByteArray(200, 'x'));
        QVERIFY_RESULT(m_queue.enqueue(batch));
        for (int i = 0; i < 100; ++i) { // now a million newer ids stand before them
            RedisCommand push{"LPUSH", m_keys.pending()};
            for (int j = 0; j < 10'000; ++j)
                push += "0a1b2c3d-4e5f-6071-8293-" + QByteArray::number(10'000 * i + j);
            QVERIFY_RESULT(m_hand.command(push, u"staging"_s));
        }
        QVERIFY_RESULT(m_hand.pipeline({{"CONFIG", "SET", "slowlog-log-slower-than", "0"},
                                        {"CONFIG", "SET", "slowlog-max-len", "10000"},
                                        {"SLOWLOG", "RESET"}}));
        const auto answers = m_queue.enqueue(batch);
        const auto log = m_hand.command({"SLOWLOG", "GET", "-1"}, u"looking"_s);
        QVERIFY_RESULT(
            m_hand.command({"CONFIG", "SET", "slowlog-log-slower-than", "-1"}, u"clearing"_s));
        QVERIFY_RESULT(answers);
        for (const EnqueueAnswer &answer : *answers) {
            QCOMPARE(answer.kind, Kind::Exists);
            QVERIFY(answer.same);
        }
        QVERIFY_RESULT(log);
        QList<qint64> scripts; // microseconds
        qint64 longestRead = 0;
        for (const RedisReply &entry : log->elements) {
            const qint64 spent = entry.elements.at(2).integer;
            const QByteArray name = entry.elements.at(3).elements.first().bytes;
            if (name == "EVALSHA")
                scripts += spent;
            else if (name == "LRANGE")
                longestRead = std::max(longestRead, spent);
        }
        std::sort(scripts.begin(), scripts.end());
        QCOMPARE(scripts.size(), 8);
        qInfo("scripts took %lld to %lld us, pages of the list up to %lld us",
              static_cast<long long>(scripts.first()), static_cast<long long>(scripts.last()),
              static_cast<long long>(longestRead));
        QVERIFY(scripts.at(scripts.size() / 2) < usualCall);
        QVERIFY(scripts.last() < longestCall);
        QVERIFY(longestRead < longestCall);
    }
};

} // namespace tst_enqueuecalls

OUTBOX_TEST(tst_enqueuecalls::TestEnqueueCalls)
#include "tst_enqueuecalls.moc"
