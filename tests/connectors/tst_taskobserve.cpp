// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is seen of tasks before something is done to them: every state, every kind of damage, and
// the stamps that guard the act.
#include "tests/connectors/taskground.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_taskobserve {

using namespace outbox;
using namespace outbox::asynq;
using namespace Qt::Literals::StringLiterals;

class TestTaskObserve : public QObject, protected TaskGround
{
    Q_OBJECT

    TaskSeen observed(const QString &id)
    {
        const auto seen = m_inspector.observe(m_queue, {{id}});
        return seen && seen->size() == 1 ? seen->first() : TaskSeen{};
    }

    /// The stamp as Redis holds it, asked for by hand.
    QByteArray stampOf(TaskState state, const QByteArray &id)
    {
        RedisCommand question{"ZSCORE", m_keys.container(state), id};
        if (state == TaskState::Pending)
            question = {"HGET", m_keys.task(id), "pending_since"};
        else if (state == TaskState::Active)
            question = {"ZSCORE", m_keys.lease(), id};
        else if (state == TaskState::Aggregating)
            question = {"ZSCORE", m_keys.group("g"), id};
        const auto answer = m_hand.command(question, u"looking"_s);
        return answer ? answer->bytes : QByteArray();
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_redis);
        openHandAndInspector();
    }

    void init() { clear(); }

    void eachSoundStateIsSeenWithItsStamp_data()
    {
        QTest::addColumn<TaskState>("state");
        for (const TaskState state : soundTaskStates())
            QTest::addRow("%s", qPrintable(word(state))) << state;
    }

    void eachSoundStateIsSeenWithItsStamp()
    {
        QFETCH(TaskState, state);
        TaskMessage message = messageOf(sampleRequest(u"1"_s));
        message.retried = 3;
        message.error = u"it broke"_s;
        QVERIFY_RESULT(placeMessage(m_hand, sampleRequest(u"1"_s), state, message));
        const TaskSeen seen = observed(u"1"_s);
        QCOMPARE(seen.state, state);
        QVERIFY(!seen.damaged);
        QCOMPARE(seen.type, u"mail:deliver"_s);
        QCOMPARE(seen.payloadBytes, 7);
        QCOMPARE(seen.retried, 3);
        QCOMPARE(seen.maxRetry, 25);
        QCOMPARE(seen.lastError, u"it broke"_s);
        QCOMPARE(seen.keptUntil.has_value(), state == TaskState::Completed);
        QVERIFY(!seen.stamp.isEmpty());
        QCOMPARE(seen.stamp, stampOf(state, "1"));

        const auto page = m_inspector.tasks(m_queue, state, 10, {});
        QVERIFY_RESULT(page);
        QCOMPARE(page->tasks.first().stamp, seen.stamp);
        const auto found = m_inspector.find(m_queue, {u"1"_s});
        QVERIFY_RESULT(found);
        QCOMPARE((*found)->stamp, seen.stamp);
    }

    void scoresAreStampsToTheLastDigit()
    {
        QVERIFY_RESULT(placeTask(m_hand, sampleRequest(u"1"_s), TaskState::Retry));
        QVERIFY_RESULT(
            m_hand.command({"ZADD", m_keys.retry(), "1795225841.123456", "1"}, u"staging"_s));
        QCOMPARE(observed(u"1"_s).stamp, stampOf(TaskState::Retry, "1"));
        QVERIFY(observed(u"1"_s).stamp.startsWith("1795225841.123"));
        QCOMPARE((*m_inspector.find(m_queue, {u"1"_s}))->stamp, stampOf(TaskState::Retry, "1"));
    }

    void whatLacksAStampHasAnEmptyOne()
    {
        QVERIFY_RESULT(placeTask(m_hand, sampleRequest(u"1"_s), TaskState::Active));
        QVERIFY_RESULT(placeTask(m_hand, sampleRequest(u"2"_s), TaskState::Pending));
        QVERIFY_RESULT(m_hand.pipeline({{"ZREM", m_keys.lease(), "1"},
                                        {"HDEL", m_keys.task(QByteArray("2")), "pending_since"}}));
        QCOMPARE(observed(u"1"_s).state, TaskState::Active);
        QCOMPARE(observed(u"1"_s).stamp, QByteArray());
        QCOMPARE(observed(u"2"_s).state, TaskState::Pending);
        QCOMPARE(observed(u"2"_s).stamp, QByteArray());
    }

    void damageIsToldApart_data()
    {
        QTest::addColumn<QList<QByteArrayList>>("staging");
        QTest::addColumn<TaskState>("state");
        const QByteArray key = m_keys.task(QByteArray("1"));
        const QByteArray message = *encode(messageOf(sampleRequest(u"1"_s)));
        QTest::newRow("nothing") << QList<QByteArrayList>{} << TaskState::None;
        QTest::newRow("stub") << QList<QByteArrayList>{{"HSET", key, "state", "active"},
                                                       {"LPUSH", m_keys.active(), "1"}}
                              << TaskState::Stub;
        QTest::newRow("a result alone")
            << QList<QByteArrayList>{{"HSET", key, "result", "x"}} << TaskState::Stub;
        for (const TaskState state : soundTaskStates()) {
            QTest::addRow("%s orphan", qPrintable(word(state)))
                << QList<QByteArrayList>{{"HSET", key, "msg", message, "state",
                                          word(state).toUtf8(), "group", "g"}}
                << TaskState::Orphan;
        }
        QTest::newRow("in another container")
            << QList<QByteArrayList>{{"HSET", key, "msg", message, "state", "retry"},
                                     {"ZADD", m_keys.scheduled(), "1", "1"}}
            << TaskState::Orphan;
        QTest::newRow("unheard-of state")
            << QList<QByteArrayList>{{"HSET", key, "msg", message, "state", "dreaming"}}
            << TaskState::Orphan;
        QTest::newRow("no state") << QList<QByteArrayList>{{"HSET", key, "msg", message}}
                                  << TaskState::Orphan;
        QTest::newRow("wrong type")
            << QList<QByteArrayList>{{"SET", key, "hello"}} << TaskState::WrongType;
    }

    void damageIsToldApart()
    {
        QFETCH(QList<QByteArrayList>, staging);
        QFETCH(TaskState, state);
        QVERIFY_RESULT(m_hand.pipeline(staging));
        const TaskSeen seen = observed(u"1"_s);
        QCOMPARE(seen.state, state);
        QCOMPARE(seen.payloadBytes >= 0, state == TaskState::Orphan);
    }

    void anUndecodableMessageIsDamaged()
    {
        QVERIFY_RESULT(
            placeBytes(m_hand, sampleRequest(u"1"_s), TaskState::Archived, "\xff\xff\xff"));
        const TaskSeen seen = observed(u"1"_s);
        QCOMPARE(seen.state, TaskState::Archived);
        QVERIFY(seen.damaged);
        QCOMPARE(seen.stamp, stampOf(TaskState::Archived, "1"));
    }

    void aTaskInAnAggregationSetIsSound()
    {
        QVERIFY_RESULT(placeTask(m_hand, sampleRequest(u"1"_s), TaskState::Aggregating));
        const QByteArray score = stampOf(TaskState::Aggregating, "1");
        const QByteArray set = m_keys.group("g") + ":0189c3a4";
        QVERIFY_RESULT(m_hand.pipeline({{"RENAME", m_keys.group("g"), set},
                                        {"ZADD", m_keys.aggregationSets(), "1795225841", set}}));
        QCOMPARE(observed(u"1"_s).state, TaskState::Aggregating);
        QCOMPARE(observed(u"1"_s).stamp, score);
        QCOMPARE((*m_inspector.find(m_queue, {u"1"_s}))->stamp, score);
    }

    void answersStandInTheOrderAsked()
    {
        QList<TaskId> ids;
        for (const TaskState state : soundTaskStates()) {
            QVERIFY_RESULT(placeTask(m_hand, sampleRequest(word(state)), state));
            ids += {{word(state)}, {u"nothing"_s}, {word(state)}};
        }
        const auto seen = m_inspector.observe(m_queue, ids);
        QVERIFY_RESULT(seen);
        QCOMPARE(seen->size(), ids.size());
        for (qsizetype i = 0; i < ids.size(); ++i) {
            const TaskState expected = taskStateFromWord(ids.at(i).text).value_or(TaskState::None);
            QCOMPARE(seen->at(i).state, expected);
        }
        const auto none = m_inspector.observe(m_queue, {});
        QVERIFY_RESULT(none);
        QVERIFY(none->isEmpty());
    }

    void aLargeMessageIsLeftUnread()
    {
        EnqueueRequest large = sampleRequest(u"1"_s);
        large.payload = QByteArray(3'000'000, 'x');
        QVERIFY_RESULT(placeTask(m_hand, large, TaskState::Completed));
        const qint64 before = bytesSent();
        const TaskSeen seen = observed(u"1"_s);
        QVERIFY(bytesSent() - before < 100'000);
        QCOMPARE(seen.state, TaskState::Completed);
        QVERIFY(seen.payloadBytes >= 3'000'000 && seen.payloadBytes < 3'000'200);
        QVERIFY(seen.type.isEmpty());
        QVERIFY(!seen.damaged);
    }

    void manyIdsInALongListCostOnePass()
    {
        constexpr int length = 60'000;
        const QByteArray message = *encode(messageOf(sampleRequest(u"1"_s)));
        QList<TaskId> ids;
        for (int start = 0; start < length; start += 1000) {
            RedisCommand push{"LPUSH", m_keys.pending()};
            for (int i = start; i < start + 1000; ++i)
                push += QByteArray::number(i);
            QVERIFY_RESULT(m_hand.command(push, u"staging"_s));
            const QByteArray id = QByteArray::number(start + 500);
            QVERIFY_RESULT(m_hand.command(
                {"HSET", m_keys.task(id), "msg", message, "state", "pending", "pending_since", "7"},
                u"staging"_s));
            ids += TaskId{QString::fromLatin1(id)};
        }
        QVERIFY_RESULT(m_hand.command({"CONFIG", "RESETSTAT"}, u"staging"_s));
        const auto seen = m_inspector.observe(m_queue, ids);
        QVERIFY_RESULT(seen);
        for (const TaskSeen &task : *seen)
            QCOMPARE(task.state, TaskState::Pending);
        const auto stats = m_hand.command({"INFO", "commandstats"}, u"looking"_s);
        QVERIFY_RESULT(stats);
        QVERIFY(!stats->bytes.contains("cmdstat_lpos"));
        const qsizetype at = stats->bytes.indexOf("cmdstat_lrange:calls=");
        QVERIFY(at > 0);
        const int calls = stats->bytes.mid(at + 21, 6).split(',').first().toInt();
        QVERIFY2(calls < 100, qPrintable(u"%1 LRANGE for %2 ids"_s.arg(calls).arg(ids.size())));
    }

    void theOldestOfTheArchiveComeFirst()
    {
        for (int i = 0; i < 5; ++i) {
            const QString id = QString::number(i);
            QVERIFY_RESULT(placeTask(m_hand, sampleRequest(id), TaskState::Archived));
            QVERIFY_RESULT(m_hand.command(
                {"ZADD", m_keys.archived(), QByteArray::number(1000 - i), id.toUtf8()},
                u"staging"_s));
        }
        const auto oldest = m_inspector.oldestArchived(m_queue, 2);
        QVERIFY_RESULT(oldest);
        const QList<TaskGuard> expected{{{u"4"_s}, TaskState::Archived, "996"},
                                        {{u"3"_s}, TaskState::Archived, "997"}};
        QCOMPARE(*oldest, expected);
        QCOMPARE(m_inspector.oldestArchived(m_queue, 9)->size(), 5);
        QCOMPARE(m_inspector.oldestArchived(m_queue, 0)->size(), 0);
    }

    void aWrongTypedContainerIsAnErrorAndNoOrphan()
    {
        QVERIFY_RESULT(placeTask(m_hand, sampleRequest(u"1"_s), TaskState::Retry));
        QVERIFY_RESULT(m_hand.pipeline({{"DEL", m_keys.retry()}, {"SET", m_keys.retry(), "x"}}));
        const auto seen = m_inspector.observe(m_queue, {{u"1"_s}});
        QVERIFY(!seen);
        QCOMPARE(seen.error().code, u"WRONGTYPE"_s);
    }

private:
    qint64 bytesSent()
    {
        const auto stats = m_hand.command({"INFO", "stats"}, u"looking"_s);
        const QByteArray name = "total_net_output_bytes:";
        const qsizetype at = stats ? stats->bytes.indexOf(name) : -1;
        return at < 0 ? -1
                      : stats->bytes.mid(at + name.size(), 20).split('\r').first().toLongLong();
    }
};

} // namespace tst_taskobserve

OUTBOX_TEST(tst_taskobserve::TestTaskObserve)
#include "tst_taskobserve.moc"
