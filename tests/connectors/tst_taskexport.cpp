// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tasks that are exported, deleted and put back are the same to the byte; and the records that are
// left where a message was purged.
#include "connectors/asynq/asynqqueue.h"
#include "tests/connectors/taskground.h"
#include "tests/support/everybyte.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_taskexport {

using namespace outbox;
using namespace outbox::asynq;
using namespace Qt::Literals::StringLiterals;

using Kind = TaskAnswer::Kind;

class TestTaskExport : public QObject, protected TaskGround
{
    Q_OBJECT

    const QByteArray m_key = m_keys.task(QByteArray("1"));
    const QString m_operation = u"0189c3a4-0000-7000-8000-000000000001"_s;

    TaskAnswer first(const Result<QList<TaskAnswer>> &answers)
    {
        if (!answers)
            qWarning("%s", qPrintable(oneLine(answers.error())));
        return answers && !answers->isEmpty() ? answers->first() : TaskAnswer{};
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(QueueStart{m_redis});
        openHandAndInspector();
        openEditor();
    }

    void init() { clear(); }

    void whatWasDeletedComesBackToTheByte_data()
    {
        QTest::addColumn<TaskState>("state");
        for (const TaskState state : soundTaskStates()) {
            if (state != TaskState::Active)
                QTest::addRow("%s", qPrintable(word(state))) << state;
        }
    }

    void whatWasDeletedComesBackToTheByte()
    {
        QFETCH(TaskState, state);
        const QByteArray all = everyByte();
        QVERIFY_RESULT(placeBytes(m_hand, sampleRequest(u"1"_s), state, all));
        QVERIFY_RESULT(
            m_hand.command({"HSET", m_key, "result", all, all, "", "", "x"}, u"staging"_s));
        if (state != TaskState::Pending) {
            const QByteArray set
                = state == TaskState::Aggregating ? m_keys.group("g") : m_keys.container(state);
            QVERIFY_RESULT(m_hand.command({"ZADD", set, "1795225841.1234567", "1"}, u"staging"_s));
        }
        const auto hash = hashAt(m_hand, m_key);
        const TaskGuard guard = guarded();
        const auto stored = m_editor.stored(m_queue, {{u"nothing"_s}, {u"1"_s}});
        QVERIFY_RESULT(stored);
        QCOMPARE(stored->size(), 1);
        QCOMPARE(stored->first().state, state);
        QCOMPARE(stored->first().fields.size(), hash.size());

        QCOMPARE(first(m_editor.restore(m_queue, *stored)).kind, Kind::Changed);
        QCOMPARE(first(m_editor.remove(m_queue, {guard})).kind, Kind::Done);
        QVERIFY(hashAt(m_hand, m_key).isEmpty());
        QVERIFY_RESULT(m_hand.command({"DEL", allQueues}, u"staging"_s));
        const TaskAnswer back = first(m_editor.restore(m_queue, *stored));
        QCOMPARE(back.kind, Kind::Done);
        QCOMPARE(back.state, state);
        QCOMPARE(back.stamp, guard.stamp);
        QCOMPARE(hashAt(m_hand, m_key), hash);
        QCOMPARE(guarded(), guard);
        QCOMPARE(containersOf(m_hand, "1").size(), 1);
        QCOMPARE(number({"SISMEMBER", allQueues, "default"}), 1);
        if (state == TaskState::Aggregating)
            QCOMPARE(number({"SISMEMBER", m_keys.groups(), "g"}), 1);
    }

    void aLockComesBackForTheRestOfItsTime()
    {
        const QByteArray lock = "asynq:{default}:unique:mail:deliver:fa3f";
        QVERIFY_RESULT(placeTask(m_hand, sampleRequest(u"1"_s), TaskState::Scheduled));
        QVERIFY_RESULT(m_hand.pipeline(
            {{"SET", lock, "1", "EX", "1000"}, {"HSET", m_key, "unique_key", lock}}));
        const TaskGuard guard = guarded();
        const auto stored = m_editor.stored(m_queue, {{u"1"_s}});
        QVERIFY_RESULT(stored);
        QCOMPARE(first(m_editor.remove(m_queue, {guard})).kind, Kind::Done);
        QCOMPARE(number({"EXISTS", lock}), 0);
        const TaskAnswer back = first(m_editor.restore(m_queue, *stored));
        QCOMPARE(back.kind, Kind::Done);
        QVERIFY2(back.detail.isEmpty(), qPrintable(back.detail));
        const auto owner = m_hand.command({"GET", lock}, u"looking"_s);
        QVERIFY_RESULT(owner);
        QCOMPARE(owner->bytes, "1");
        const qint64 left = number({"TTL", lock});
        QVERIFY2(left > 900 && left <= 1000, qPrintable(QString::number(left)));

        // Another task took it meanwhile: it keeps it, and that is told.
        QCOMPARE(first(m_editor.remove(m_queue, {guarded()})).kind, Kind::Done);
        QVERIFY_RESULT(m_hand.command({"SET", lock, "2", "EX", "5"}, u"staging"_s));
        const TaskAnswer without = first(m_editor.restore(m_queue, *stored));
        QCOMPARE(without.kind, Kind::Done);
        QVERIFY2(without.detail.contains(u"without its unique lock"_s), qPrintable(without.detail));
        QVERIFY(number({"TTL", lock}) <= 5);
    }

    void anActiveTaskComesBackAsPending()
    {
        QVERIFY_RESULT(placeTask(m_hand, sampleRequest(u"1"_s), TaskState::Active));
        const auto stored = m_editor.stored(m_queue, {{u"1"_s}});
        QVERIFY_RESULT(stored);
        QVERIFY_RESULT(m_hand.command({"DEL", m_key, m_keys.active(), m_keys.lease()}, u"loss"_s));
        const TaskAnswer back = first(m_editor.restore(m_queue, *stored));
        QCOMPARE(back.kind, Kind::Done);
        QCOMPARE(back.state, TaskState::Pending);
        QCOMPARE(guarded().stamp, back.stamp);
        QCOMPARE(containersOf(m_hand, "1"), QByteArrayList{"pending"});
    }

    void damagedTasksComeBackAsWhatTheyWere()
    {
        const QByteArray message = *encode(messageOf(sampleRequest(u"1"_s)));
        const QList<std::pair<QByteArrayList, TaskState>> damaged{
            {{"HSET", m_key, "state", "retry"}, TaskState::Stub},
            {{"HSET", m_key, "state", "retry", "msg", message}, TaskState::Orphan},
            {{"HSET", m_key, "msg", message}, TaskState::Orphan},
        };
        for (const auto &[staging, state] : damaged) {
            QVERIFY_RESULT(m_hand.pipeline({{"FLUSHALL"}, staging}));
            const auto hash = hashAt(m_hand, m_key);
            const auto stored = m_editor.stored(m_queue, {{u"1"_s}});
            QVERIFY_RESULT(stored);
            QCOMPARE(stored->value(0).state, state);
            QVERIFY_RESULT(m_hand.command({"DEL", m_key}, u"loss"_s));
            QCOMPARE(first(m_editor.restore(m_queue, *stored)).kind, Kind::Done);
            QCOMPARE(hashAt(m_hand, m_key), hash);
            QCOMPARE(containersOf(m_hand, "1"), QByteArrayList());
        }
    }

    void aFullArchiveTakesNothingBack()
    {
        QVERIFY_RESULT(placeTask(m_hand, sampleRequest(u"1"_s), TaskState::Archived));
        const auto stored = m_editor.stored(m_queue, {{u"1"_s}});
        QVERIFY_RESULT(stored);
        RedisCommand fill{"ZADD", m_keys.archived()};
        for (int i = 0; i < 9'999; ++i)
            fill += {QByteArray::number(i), "old" + QByteArray::number(i)};
        QVERIFY_RESULT(m_hand.pipeline({{"DEL", m_key, m_keys.archived()}, fill}));
        QCOMPARE(first(m_editor.restore(m_queue, *stored)).kind, Kind::Full);
        QCOMPARE(number({"EXISTS", m_key}), 0);
        QCOMPARE(number({"ZCARD", m_keys.archived()}), 9'999);
    }

    void whatIsNoTaskIsNotPutBack()
    {
        StoredTask task{{u"1"_s}, m_queue, TaskState::Retry, "seven", {{"msg", "x"}}};
        QCOMPARE(first(m_editor.restore(m_queue, {task})).kind, Kind::Failed);
        task.state = TaskState::WrongType;
        QCOMPARE(first(m_editor.restore(m_queue, {task})).kind, Kind::Failed);
        task.state = TaskState::Aggregating; // of no group
        task.score = "7";
        QCOMPARE(first(m_editor.restore(m_queue, {task})).kind, Kind::Failed);
        task.state = TaskState::Pending;
        task.fields.clear();
        QCOMPARE(first(m_editor.restore(m_queue, {task})).kind, Kind::Failed);
        QVERIFY_RESULT(m_hand.command({"SET", m_key, "hello"}, u"staging"_s));
        QCOMPARE(m_editor.stored(m_queue, {{u"1"_s}})->size(), 0);
        task.fields = {{"msg", "x"}};
        QCOMPARE(first(m_editor.restore(m_queue, {task})).kind, Kind::Changed);
        QCOMPARE(containersOf(m_hand, "1"), QByteArrayList());
    }

    void aMessageOfAnotherTaskIsNotPutBack_data()
    {
        QTest::addColumn<TaskState>("state");
        for (const TaskState state : soundTaskStates())
            QTest::addRow("%s", qPrintable(word(state))) << state;
    }
    void aMessageOfAnotherTaskIsNotPutBack()
    {
        QFETCH(TaskState, state);
        EnqueueRequest otherId = sampleRequest(u"2"_s);
        EnqueueRequest otherQueue = sampleRequest(u"1"_s);
        otherQueue.queue.text = u"low"_s;
        for (const EnqueueRequest &other : {otherId, otherQueue}) {
            const QByteArray message = *encode(messageOf(other));
            const StoredTask task{
                {u"1"_s}, m_queue, state, "1795225841", {{"group", "g"}, {"msg", message}}};
            const TaskAnswer answer = first(m_editor.restore(m_queue, {task}));
            QCOMPARE(answer.kind, Kind::Failed);
            QVERIFY2(answer.detail.contains(other.queue.text), qPrintable(answer.detail));
            QVERIFY(hashAt(m_hand, m_key).isEmpty());
        }
    }

    void theStateIsThatOfThePlaceWhateverTheFileSays()
    {
        const QByteArray message = *encode(messageOf(sampleRequest(u"1"_s)));
        for (const TaskState state : soundTaskStates()) {
            QVERIFY_RESULT(m_hand.command({"FLUSHALL"}, u"clearing"_s));
            const QByteArray lie = state == TaskState::Completed ? "archived" : "completed";
            const StoredTask task{{u"1"_s},
                                  m_queue,
                                  state,
                                  "1795225841",
                                  {{"group", "g"}, {"msg", message}, {"state", lie}}};
            const TaskAnswer answer = first(m_editor.restore(m_queue, {task}));
            QCOMPARE(answer.kind, Kind::Done);
            QCOMPARE(hashAt(m_hand, m_key).value("state"), word(answer.state).toUtf8());
            QCOMPARE(guarded().state, answer.state); // neither stub nor orphan
        }
    }

    void manyAndLargeTasksComeBack()
    {
        QList<TaskId> ids;
        for (int i = 0; i < 1'200; ++i) {
            EnqueueRequest request = sampleRequest(QString::number(i));
            request.payload = QByteArray(i % 100 == 0 ? 3'000'000 : 200, static_cast<char>(i));
            QVERIFY_RESULT(placeTask(m_hand, request, TaskState::Archived));
            ids += request.id;
        }
        const auto stored = m_editor.stored(m_queue, ids);
        QVERIFY_RESULT(stored);
        QCOMPARE(stored->size(), ids.size());
        QVERIFY_RESULT(m_hand.command({"FLUSHALL"}, u"loss"_s));
        const auto answers = m_editor.restore(m_queue, *stored);
        QVERIFY_RESULT(answers);
        for (const TaskAnswer &answer : *answers)
            QCOMPARE(answer.kind, Kind::Done);
        const auto again = m_editor.stored(m_queue, ids);
        QVERIFY_RESULT(again);
        QVERIFY(*again == *stored);
    }

    void aTombstoneStopsALateEnqueue()
    {
        QVERIFY_RESULT(placeTask(m_hand, sampleRequest(u"2"_s), TaskState::Retry));
        const auto answers
            = m_editor.placeTombstone(m_queue, {{u"1"_s}, {u"2"_s}}, 3600, m_operation);
        QVERIFY_RESULT(answers);
        QCOMPARE(answers->at(0).kind, Kind::Done);
        QCOMPARE(answers->at(0).state, TaskState::Completed);
        QCOMPARE(answers->at(1).kind, Kind::Changed);
        QCOMPARE(answers->at(1).state, TaskState::Retry);

        const auto task = m_inspector.find(m_queue, {u"1"_s});
        QVERIFY_RESULT(task);
        QVERIFY(task->has_value());
        QCOMPARE((*task)->state, TaskState::Completed);
        QVERIFY(!(*task)->damaged);
        QCOMPARE((*task)->payloadBytes, 0);
        QVERIFY((*task)->result.contains(m_operation.toUtf8()));
        QCOMPARE((*task)->stamp, answers->at(0).stamp);
        const qint64 kept = QDateTime::currentDateTimeUtc().secsTo(*(*task)->keptUntil);
        QVERIFY(kept > 3590 && kept <= 3600);

        AsynqQueue relay;
        QVERIFY_RESULT(relay.open(*RedisEndpoint::fromUrl(m_redis.url()), u"relay"_s));
        EnqueueRequest late = sampleRequest(u"1"_s);
        QCOMPARE(relay.enqueue({late})->first().kind, EnqueueAnswer::Kind::Exists);
        QVERIFY(!relay.enqueue({late})->first().same);
        late.payload.clear();
        QVERIFY(!relay.enqueue({late})->first().same);
        QCOMPARE(containersOf(m_hand, "1"), QByteArrayList{"completed"});

        QVERIFY(!m_editor.placeTombstone(m_queue, {{u"3"_s}}, 0, m_operation));
    }

    void aTombstoneGoesOnlyWithItsOperation()
    {
        QVERIFY_RESULT(m_editor.placeTombstone(m_queue, {{u"1"_s}}, 3600, m_operation));
        QVERIFY_RESULT(placeTask(m_hand, sampleRequest(u"2"_s), TaskState::Completed));
        QVERIFY_RESULT(
            m_hand.command({"SET", m_keys.task(QByteArray("3")), "hello"}, u"staging"_s));
        const QList<TaskId> ids{{u"1"_s}, {u"2"_s}, {u"3"_s}, {u"4"_s}};
        const auto before = wholeRedis(m_hand);
        const auto strange = m_editor.removeTombstone(m_queue, ids, u"another"_s);
        QVERIFY_RESULT(strange);
        QCOMPARE(strange->at(0).kind, Kind::Changed);
        QCOMPARE(wholeRedis(m_hand), before);

        const auto own = m_editor.removeTombstone(m_queue, ids, m_operation);
        QVERIFY_RESULT(own);
        QCOMPARE(own->at(0).kind, Kind::Done);
        QCOMPARE(own->at(1).kind, Kind::Changed);
        QCOMPARE(own->at(2).kind, Kind::Changed);
        QCOMPARE(own->at(3).kind, Kind::Gone);
        QCOMPARE(number({"EXISTS", m_key}), 0);
        QCOMPARE(containersOf(m_hand, "1"), QByteArrayList());
        QCOMPARE(containersOf(m_hand, "2"), QByteArrayList{"completed"});
    }

    void aTombstoneThatWasRunIsNoTombstone()
    {
        QVERIFY_RESULT(m_editor.placeTombstone(m_queue, {{u"1"_s}}, 3600, m_operation));
        QCOMPARE(first(m_editor.run(m_queue, {guarded()})).kind, Kind::Done);
        QCOMPARE(first(m_editor.removeTombstone(m_queue, {{u"1"_s}}, m_operation)).kind,
                 Kind::Changed);
        QCOMPARE(containersOf(m_hand, "1"), QByteArrayList{"pending"});
    }
};

} // namespace tst_taskexport

OUTBOX_TEST(tst_taskexport::TestTaskExport)
#include "tst_taskexport.moc"
