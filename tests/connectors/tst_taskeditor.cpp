// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Run, archive, delete and replace against a real Redis: every verb on a task in every state, what
// is answered and what stands there afterwards, and the guard that comes before each.
#include "tests/connectors/taskground.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_taskeditor {

using namespace outbox;
using namespace outbox::asynq;
using namespace Qt::Literals::StringLiterals;

using Kind = TaskAnswer::Kind;
using Answers = Result<QList<TaskAnswer>>;
using Edit = Answers (TaskEditor::*)(const QueueName &, const QList<TaskGuard> &);

namespace {

const QList<std::pair<const char *, Edit>> allEdits{
    {"run", &TaskEditor::run},
    {"archive", &TaskEditor::archive},
    {"delete", &TaskEditor::remove},
    {"replace", &TaskEditor::replace},
};

/// What a verb does to a sound task that nobody touched in between.
Kind expected(Edit edit, TaskState state)
{
    if (state == TaskState::Active)
        return Kind::Active;
    if (edit == &TaskEditor::run && state == TaskState::Pending)
        return Kind::Failed;
    if (edit == &TaskEditor::archive
        && (state == TaskState::Archived || state == TaskState::Completed)) {
        return Kind::Failed;
    }
    return Kind::Done;
}

} // namespace

class TestTaskEditor : public QObject, protected TaskGround
{
    Q_OBJECT

    const QByteArray m_key = m_keys.task(QByteArray("1"));

    /// The task "1" in this state, and an untouched neighbour of it.
    void place(TaskState state)
    {
        TaskMessage message = messageOf(sampleRequest(u"1"_s));
        message.retried = 25;
        message.error = u"it broke"_s;
        message.lastFailedAt = 1'795'225'841;
        message.headers.insert(u"trace"_s, u"abc"_s);
        message.deadline = 4'000'000'000;
        message.unknown = QByteArray::fromHex("f8010a"); // field 31
        QVERIFY_RESULT(placeMessage(m_hand, sampleRequest(u"1"_s), state, message));
        QVERIFY_RESULT(placeTask(m_hand, sampleRequest(u"2"_s), state));
    }

    TaskAnswer answered(Edit edit, const TaskGuard &guard)
    {
        const auto answers = (m_editor.*edit)(m_queue, {guard});
        if (!answers)
            qWarning("%s", qPrintable(oneLine(answers.error())));
        return answers && answers->size() == 1 ? answers->first() : TaskAnswer{};
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(QueueStart{m_redis});
        openHandAndInspector();
        openEditor();
    }

    void init() { clear(); }

    void everyVerbMeetsEveryState_data()
    {
        QTest::addColumn<Edit>("edit");
        QTest::addColumn<TaskState>("state");
        for (const auto &[name, edit] : allEdits) {
            for (const TaskState state : soundTaskStates())
                QTest::addRow("%s %s", name, qPrintable(word(state))) << edit << state;
        }
    }

    void everyVerbMeetsEveryState()
    {
        QFETCH(Edit, edit);
        QFETCH(TaskState, state);
        place(state);
        const TaskGuard guard = guarded();
        QCOMPARE(guard.state, state);
        const auto neighbour = hashAt(m_hand, m_keys.task(QByteArray("2")));
        const auto before = wholeRedis(m_hand);

        const TaskAnswer answer = answered(edit, guard);
        QCOMPARE(answer.kind, expected(edit, state));
        QCOMPARE(hashAt(m_hand, m_keys.task(QByteArray("2"))), neighbour);
        if (answer.kind != Kind::Done) {
            QVERIFY(!answer.detail.isEmpty());
            QCOMPARE(answer.state, state);
            QCOMPARE(wholeRedis(m_hand), before);
            return;
        }
        const auto hash = hashAt(m_hand, m_key);
        const TaskGuard after = guarded();
        QCOMPARE(answer.state, after.state);
        QCOMPARE(answer.stamp, after.stamp);
        if (edit == &TaskEditor::remove) {
            QVERIFY(hash.isEmpty());
            QCOMPARE(containersOf(m_hand, "1"), QByteArrayList());
            return;
        }
        const bool archives = edit == &TaskEditor::archive;
        QCOMPARE(hash.value("state"), archives ? "archived" : "pending");
        QCOMPARE(containersOf(m_hand, "1"), QByteArrayList{archives ? "archived" : "pending"});
        QCOMPARE(hash.contains("pending_since"), !archives);
        const auto message = decode(hash.value("msg"));
        QVERIFY_RESULT(message);
        QCOMPARE(message->retried, edit == &TaskEditor::replace ? 0 : 25);
    }

    void damagedTasksAreLeftAlone_data()
    {
        QTest::addColumn<Edit>("edit");
        QTest::addColumn<QByteArrayList>("staging");
        const QByteArray message = *encode(messageOf(sampleRequest(u"1"_s)));
        for (const auto &[name, edit] : allEdits) {
            QTest::addRow("%s stub", name)
                << edit << QByteArrayList{"HSET", m_key, "state", "retry"};
            QTest::addRow("%s wrong type", name) << edit << QByteArrayList{"SET", m_key, "hello"};
            for (const char *state : {"pending", "retry", "aggregating", "dreaming"}) {
                QTest::addRow("%s %s orphan", name, state)
                    << edit
                    << QByteArrayList{"HSET", m_key, "msg", message, "state", state, "group", "g"};
            }
        }
    }

    void damagedTasksAreLeftAlone()
    {
        QFETCH(Edit, edit);
        QFETCH(QByteArrayList, staging);
        QVERIFY_RESULT(m_hand.pipeline({staging, {"SADD", allQueues, "default"}}));
        const auto before = wholeRedis(m_hand);
        // Whatever a plan believed that it saw: the script looks for itself.
        for (const TaskState state :
             {TaskState::Pending, TaskState::Retry, TaskState::Aggregating, TaskState::Orphan}) {
            const Kind kind = answered(edit, {{u"1"_s}, state, {}}).kind;
            if (edit == &TaskEditor::run && state == TaskState::Pending)
                QCOMPARE(kind, Kind::Failed);
            else if (staging.contains("pending") && state != TaskState::Pending
                     && state != TaskState::Orphan)
                QCOMPARE(kind, Kind::Changed); // a list is searched only when all else fits
            else
                QCOMPARE(kind, Kind::Damaged);
        }
        QCOMPARE(wholeRedis(m_hand), before);
    }

    void anUndecodableMessageIsDeletedButNotReplaced()
    {
        QVERIFY_RESULT(placeBytes(m_hand, sampleRequest(u"1"_s), TaskState::Retry, "\xff\xff"));
        const TaskGuard guard = guarded();
        QCOMPARE(answered(&TaskEditor::replace, guard).kind, Kind::Damaged);
        QCOMPARE(containersOf(m_hand, "1"), QByteArrayList{"retry"});
        QCOMPARE(answered(&TaskEditor::remove, guard).kind, Kind::Done);
        QCOMPARE(number({"EXISTS", m_key, m_keys.retry()}), 0);
    }

    void whoHasMovedIsLeftAlone_data()
    {
        QTest::addColumn<Edit>("edit");
        for (const auto &[name, edit] : allEdits)
            QTest::addRow("%s", name) << edit;
    }

    void whoHasMovedIsLeftAlone()
    {
        QFETCH(Edit, edit);
        QCOMPARE(answered(edit, {{u"1"_s}, TaskState::Retry, "7"}).kind, Kind::Gone);
        place(TaskState::Retry);
        const TaskGuard guard = guarded();
        QVERIFY_RESULT(m_hand.command({"ZADD", m_keys.retry(), "7", "1"}, u"staging"_s));
        const auto before = wholeRedis(m_hand);
        const TaskAnswer stamped = answered(edit, guard);
        QCOMPARE(stamped.kind, Kind::Changed);
        QCOMPARE(stamped.stamp, QByteArray("7"));
        QCOMPARE(answered(edit, {guard.id, TaskState::Scheduled, "7"}).kind, Kind::Changed);
        QCOMPARE(answered(edit, {guard.id, TaskState::Active, "7"}).kind, Kind::Changed);
        QCOMPARE(wholeRedis(m_hand), before);
        QCOMPARE(answered(edit, {guard.id, TaskState::Retry, "7"}).kind, Kind::Done);
    }

    void aPendingTaskIsGuardedByTheTimeItWasQueued()
    {
        place(TaskState::Pending);
        TaskGuard guard = guarded();
        QVERIFY_RESULT(m_hand.command({"HSET", m_key, "pending_since", "7"}, u"staging"_s));
        QCOMPARE(answered(&TaskEditor::remove, guard).kind, Kind::Changed);
        QCOMPARE(answered(&TaskEditor::archive, guard).kind, Kind::Changed);
        guard.stamp = "7";
        QCOMPARE(answered(&TaskEditor::archive, guard).kind, Kind::Done);
    }

    void oneAnswersForItself()
    {
        for (const QString &id : {u"1"_s, u"2"_s, u"3"_s, u"4"_s})
            QVERIFY_RESULT(placeTask(m_hand, sampleRequest(id), TaskState::Retry));
        QVERIFY_RESULT(m_hand.command({"HSET", m_keys.task(QByteArray("2")), "state", "active"},
                                      u"staging"_s));
        QVERIFY_RESULT(m_hand.command({"DEL", m_keys.task(QByteArray("3"))}, u"staging"_s));
        const QByteArray stamp = guarded().stamp;
        QList<TaskGuard> guards;
        for (const QString &id : {u"1"_s, u"2"_s, u"3"_s, u"x"_s, u"4"_s, u"1"_s})
            guards += {{id}, TaskState::Retry, stamp};
        guards[3].state = TaskState::None;
        const auto answers = m_editor.run(m_queue, guards);
        QVERIFY_RESULT(answers);
        QList<Kind> kinds;
        for (const TaskAnswer &answer : *answers)
            kinds += answer.kind;
        const QList<Kind> wanted{Kind::Done, Kind::Active, Kind::Gone,
                                 Kind::Gone, Kind::Done,   Kind::Changed};
        QCOMPARE(kinds, wanted);
        QCOMPARE(number({"LLEN", m_keys.pending()}), 2);
    }

    void runMakesTheTaskNextButOne()
    {
        QVERIFY_RESULT(placeTask(m_hand, sampleRequest(u"2"_s), TaskState::Pending));
        QVERIFY_RESULT(placeTask(m_hand, sampleRequest(u"1"_s), TaskState::Completed));
        QVERIFY_RESULT(m_hand.command({"SREM", allQueues, "default"}, u"staging"_s));
        QCOMPARE(answered(&TaskEditor::run, guarded()).kind, Kind::Done);
        const auto next = m_hand.command({"LINDEX", m_keys.pending(), "-1"}, u"looking"_s);
        QVERIFY_RESULT(next);
        QCOMPARE(next->bytes, "2"); // behind what waited before
        QVERIFY(hashAt(m_hand, m_key).value("pending_since").toLongLong()
                > 1'600'000'000'000'000'000);
        QCOMPARE(number({"SISMEMBER", allQueues, "default"}), 1);
    }

    void replaceStartsTheSameWorkAfresh()
    {
        place(TaskState::Archived);
        QVERIFY_RESULT(m_hand.command({"HSET", m_key, "result", "half"}, u"staging"_s));
        const auto before = decode(hashAt(m_hand, m_key).value("msg"));
        QVERIFY_RESULT(before);
        QCOMPARE(answered(&TaskEditor::replace, guarded()).kind, Kind::Done);
        const auto hash = hashAt(m_hand, m_key);
        const QByteArrayList fields{"msg", "pending_since", "state"};
        QCOMPARE(hash.keys(), fields);
        const auto after = decode(hash.value("msg"));
        QVERIFY_RESULT(after);
        TaskMessage wanted = *before;
        wanted.retried = 0;
        wanted.error.clear();
        wanted.lastFailedAt = 0;
        wanted.completedAt = 0;
        QCOMPARE(*after, wanted);
        QVERIFY(!after->headers.isEmpty() && !after->unknown.isEmpty() && after->deadline > 0);
    }

    void aLockGoesOnlyWithItsOwner_data()
    {
        QTest::addColumn<Edit>("edit");
        QTest::addColumn<QByteArray>("lock");
        QTest::addColumn<QByteArrayList>("staging");
        QTest::addColumn<bool>("goes");
        const QByteArray lock = "asynq:{default}:unique:mail:deliver:fa3f";
        for (const auto &[name, edit] : allEdits) {
            const bool frees = edit == &TaskEditor::remove;
            QTest::addRow("%s, its own", name)
                << edit << lock << QByteArrayList{"SET", lock, "1"} << frees;
            QTest::addRow("%s, another's", name)
                << edit << lock << QByteArrayList{"SET", lock, "2"} << false;
            QTest::addRow("%s, no string", name)
                << edit << lock << QByteArrayList{"RPUSH", lock, "1"} << false;
        }
        QTest::newRow("a hash that names any key")
            << Edit{&TaskEditor::remove} << QByteArray("asynq:{default}:paused")
            << QByteArrayList{"SET", "asynq:{default}:paused", "1"} << false;
    }

    void aLockGoesOnlyWithItsOwner()
    {
        QFETCH(Edit, edit);
        QFETCH(QByteArray, lock);
        QFETCH(QByteArrayList, staging);
        QFETCH(bool, goes);
        place(TaskState::Retry);
        QVERIFY_RESULT(m_hand.pipeline({staging, {"HSET", m_key, "unique_key", lock}}));
        QCOMPARE(answered(edit, guarded()).kind, Kind::Done);
        QCOMPARE(number({"EXISTS", lock}), goes ? 0 : 1);
    }

    void aReplacedTaskKeepsItsLock()
    {
        const QByteArray lock = "asynq:{default}:unique:mail:deliver:fa3f";
        TaskMessage message = messageOf(sampleRequest(u"1"_s));
        message.uniqueKey = QString::fromUtf8(lock);
        QVERIFY_RESULT(placeMessage(m_hand, sampleRequest(u"1"_s), TaskState::Retry, message));
        QVERIFY_RESULT(m_hand.pipeline(
            {{"SET", lock, "1", "EX", "1000"}, {"HSET", m_key, "unique_key", lock}}));
        QCOMPARE(answered(&TaskEditor::replace, guarded()).kind, Kind::Done);
        const auto owner = m_hand.command({"GET", lock}, u"looking"_s);
        QVERIFY_RESULT(owner);
        QCOMPARE(owner->bytes, "1");
        const qint64 left = number({"TTL", lock});
        QVERIFY2(left > 900 && left <= 1000, qPrintable(QString::number(left)));
        const auto hash = hashAt(m_hand, m_key);
        QCOMPARE(hash.value("unique_key"), lock);
        const auto after = decode(hash.value("msg"));
        QVERIFY_RESULT(after);
        QCOMPARE(after->uniqueKey.toUtf8(), lock);
    }

    /// Workers fail a task whose deadline is over before they run it.
    void aReplacedTaskHasNoDeadlineThatIsOver()
    {
        TaskMessage message = messageOf(sampleRequest(u"1"_s));
        message.deadline = QDateTime::currentSecsSinceEpoch() - 1;
        QVERIFY_RESULT(placeMessage(m_hand, sampleRequest(u"1"_s), TaskState::Archived, message));
        QCOMPARE(answered(&TaskEditor::replace, guarded()).kind, Kind::Done);
        const auto after = decode(hashAt(m_hand, m_key).value("msg"));
        QVERIFY_RESULT(after);
        QCOMPARE(after->deadline, 0);
    }

    void aGroupThatIsEmptiedLeavesTheList()
    {
        for (const auto &[name, edit] : allEdits) {
            QVERIFY_RESULT(m_hand.command({"FLUSHALL"}, u"clearing"_s));
            place(TaskState::Aggregating);
            QCOMPARE(answered(edit, guarded(u"1"_s)).kind, Kind::Done);
            QCOMPARE(number({"SISMEMBER", m_keys.groups(), "g"}), 1);
            QCOMPARE(answered(edit, guarded(u"2"_s)).kind, Kind::Done);
            QCOMPARE(number({"SISMEMBER", m_keys.groups(), "g"}), 0);
            QCOMPARE(number({"EXISTS", m_keys.group("g")}), 0);
        }
    }

    void whatAWorkerMergesIsLeftAlone()
    {
        place(TaskState::Aggregating);
        const QByteArray set = m_keys.group("g") + ":0189c3a4";
        QVERIFY_RESULT(m_hand.pipeline({{"RENAME", m_keys.group("g"), set},
                                        {"ZADD", m_keys.aggregationSets(), "1795225841", set}}));
        const TaskGuard guard = guarded();
        QCOMPARE(guard.state, TaskState::Aggregating);
        const auto before = wholeRedis(m_hand);
        for (const auto &[name, edit] : allEdits)
            QCOMPARE(answered(edit, guard).kind, Kind::Active);
        QCOMPARE(wholeRedis(m_hand), before);
    }

    void theArchiveIsNeverPushedOver()
    {
        for (int start = 0; start < 9'998; start += 4'999) {
            RedisCommand fill{"ZADD", m_keys.archived()};
            for (int i = start; i < start + 4'999; ++i)
                fill += {QByteArray::number(i), "old" + QByteArray::number(i)};
            QVERIFY_RESULT(m_hand.command(fill, u"staging"_s));
        }
        place(TaskState::Retry);
        QCOMPARE(answered(&TaskEditor::archive, guarded(u"1"_s)).kind, Kind::Done);
        const TaskAnswer full = answered(&TaskEditor::archive, guarded(u"2"_s));
        QCOMPARE(full.kind, Kind::Full);
        QVERIFY(full.detail.contains(u"9,999"_s));
        QCOMPARE(containersOf(m_hand, "2"), QByteArrayList{"retry"});
        QCOMPARE(number({"ZCARD", m_keys.archived()}), 9'999);
    }
};

} // namespace tst_taskeditor

OUTBOX_TEST(tst_taskeditor::TestTaskEditor)
#include "tst_taskeditor.moc"
