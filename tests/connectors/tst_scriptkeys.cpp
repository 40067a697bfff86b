// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What scripts touch, as MONITOR tells it: no key that is not among their KEYS. In a Cluster a
// script that makes up a name is cut in half where its slot is moved.
#include "connectors/asynq/asynqqueue.h"
#include "connectors/asynq/edit/taskchanging.h"
#include "connectors/asynq/edit/taskrepairer.h"
#include "connectors/asynq/observe/factsread.h"
#include "connectors/redis/script.h"
#include "tests/connectors/taskground.h"
#include "tests/support/queuedamage.h"
#include "tests/support/testprogram.h"

#include <QSet>
#include <QTest>

#include <algorithm>
#include <utility>

namespace tst_scriptkeys {

using namespace outbox;
using namespace outbox::asynq;
using namespace Qt::Literals::StringLiterals;

using Kind = TaskAnswer::Kind;
using Edit = Result<QList<TaskAnswer>> (TaskEditor::*)(const QueueName &, const QList<TaskGuard> &);

class TestScriptKeys : public QObject, protected TaskGround
{
    Q_OBJECT

    RedisConnection m_monitor;
    int m_marks = 0;
    int m_touched = 0; ///< commands of scripts since the last mark

    /// The quoted parts of a line, with their escapes as they are.
    static QByteArrayList argumentsIn(const QByteArray &line)
    {
        QByteArrayList arguments;
        QByteArray one;
        bool isInside = false;
        for (qsizetype i = line.indexOf("] \"") + 2; i > 1 && i < line.size(); ++i) {
            const char c = line.at(i);
            if (c == '"') {
                if (isInside)
                    arguments += std::exchange(one, QByteArray());
                isInside = !isInside;
            } else if (isInside) {
                one += c;
                if (c == '\\' && i + 1 < line.size())
                    one += line.at(++i);
            }
        }
        return arguments;
    }

    /// Commands of scripts since the last call whose keys were not among KEYS.
    QByteArrayList strangers()
    {
        m_touched = 0;
        const QByteArray mark = "mark-" + QByteArray::number(++m_marks);
        if (!m_hand.command({"ECHO", mark}, u"marking"_s))
            return {"no mark"};
        QByteArrayList strange;
        QSet<QByteArray> keys;
        for (bool isOver = false; !isOver;) {
            const auto lines = m_monitor.messages(std::chrono::seconds(30));
            if (!lines || lines->isEmpty())
                return {"MONITOR tells nothing"};
            for (const RedisReply &reply : *lines) {
                const QByteArrayList arguments = argumentsIn(reply.bytes);
                const QByteArray name = arguments.value(0).toUpper();
                isOver = isOver || arguments.value(1) == mark;
                if (name == "EVAL" || name == "EVALSHA") {
                    const QByteArrayList named = arguments.mid(3, arguments.value(2).toLongLong());
                    keys = QSet<QByteArray>(named.cbegin(), named.cend());
                } else if (reply.bytes.contains(" lua] ")) {
                    ++m_touched;
                    const QByteArrayList touched
                        = name == "EXISTS" ? arguments.mid(1) : arguments.mid(1, 1);
                    for (const QByteArray &key : touched) {
                        if (!keys.contains(key))
                            strange += QByteArray(name + ' ' + key);
                    }
                }
            }
        }
        return strange;
    }

    RepairStep repairOf(Repair repair, const QString &id)
    {
        const auto facts = readFacts(m_hand, m_queue, {{id.toUtf8(), {}}});
        return {{id}, repair, facts ? signatureOf(facts->facts.value(id.toUtf8())) : QByteArray()};
    }

    /// Its hash names a lock, which is its own.
    void lock(const QByteArray &id)
    {
        const QByteArray name = m_keys.lockPrefix() + "mail:" + id;
        QVERIFY_RESULT(m_hand.pipeline(
            {{"SET", name, id, "EX", "1000"}, {"HSET", m_keys.task(id), "unique_key", name}}));
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_redis);
        openHandAndInspector();
        openEditor();
        QVERIFY_RESULT(openByHand(m_monitor, m_redis));
        QVERIFY_RESULT(m_monitor.command({"MONITOR"}, u"listening"_s));
    }

    void init() { clear(); }

    void aScriptThatMakesUpANameIsNoticed()
    {
        QCOMPARE(strangers(), QByteArrayList());
        QVERIFY_RESULT(RedisScript("return redis.call('GET', KEYS[1] .. ARGV[1])")
                           .run(m_hand, {"here"}, {"-and-there"}, u"trying"_s));
        QCOMPARE(strangers(), QByteArrayList{"GET here-and-there"});
        QCOMPARE(m_touched, 1);
    }

    void verbsTouchTheirKeysAlone_data()
    {
        QTest::addColumn<Edit>("edit");
        QTest::newRow("run") << Edit{&TaskEditor::run};
        QTest::newRow("archive") << Edit{&TaskEditor::archive};
        QTest::newRow("delete") << Edit{&TaskEditor::remove};
        QTest::newRow("replace") << Edit{&TaskEditor::replace};
    }
    void verbsTouchTheirKeysAlone()
    {
        QFETCH(Edit, edit);
        placeOneOfEach();
        lock("retry");
        lock("aggregating");
        // A worker merges this one.
        QVERIFY_RESULT(placeTask(m_hand, sampleRequest(u"merged"_s), TaskState::Aggregating));
        const QByteArray set = m_keys.group("g") + ":0189c3a4";
        QVERIFY_RESULT(m_hand.pipeline({{"ZREM", m_keys.group("g"), "merged"},
                                        {"ZADD", set, "1795225841", "merged"},
                                        {"ZADD", m_keys.aggregationSets(), "1795225841", set}}));
        QList<TaskGuard> guards;
        for (const TaskState state : soundTaskStates())
            guards += guarded(word(state));
        guards += TaskGuard{{u"merged"_s}, TaskState::Aggregating, "1795225841"};
        static_cast<void>(strangers());
        const auto answers = (m_editor.*edit)(m_queue, guards);
        QCOMPARE(strangers(), QByteArrayList());
        QVERIFY_RESULT(answers);
        QVERIFY(m_touched > 0);
        QCOMPARE(answers->last().kind, Kind::Active);
        QVERIFY(std::any_of(answers->begin(), answers->end(),
                            [](const TaskAnswer &answer) { return answer.kind == Kind::Done; }));
    }

    void theWayBackTouchesItsKeysAlone()
    {
        placeOneOfEach();
        lock("scheduled");
        const QList<TaskId> ids{{u"scheduled"_s}, {u"aggregating"_s}, {u"pending"_s}};
        const auto stored = m_editor.stored(m_queue, ids);
        QVERIFY_RESULT(stored);
        QVERIFY_RESULT(m_editor.remove(
            m_queue, {guarded(u"scheduled"_s), guarded(u"aggregating"_s), guarded(u"pending"_s)}));
        static_cast<void>(strangers());
        const auto back = m_editor.restore(m_queue, *stored);
        QVERIFY_RESULT(back);
        for (const TaskAnswer &answer : *back)
            QCOMPARE(answer.kind, Kind::Done);
        QVERIFY_RESULT(m_editor.placeTombstone(m_queue, {{u"gone"_s}}, 60, u"op"_s));
        QVERIFY_RESULT(m_editor.removeTombstone(m_queue, {{u"gone"_s}}, u"op"_s));
        QCOMPARE(strangers(), QByteArrayList());
        QCOMPARE(number({"EXISTS", m_keys.lockPrefix() + "mail:scheduled"}), 1);
    }

    /// To each place and back, with a lock that is looked at.
    void anEditTouchesItsKeysAlone()
    {
        placeOneOfEach();
        const QList<std::pair<TaskState, QByteArray>> places{{TaskState::Pending, {}},
                                                             {TaskState::Scheduled, "1795225841"},
                                                             {TaskState::Archived, "1795225842"},
                                                             {TaskState::Retry, "1795225843"}};
        lock("archived");
        const TaskId id{u"archived"_s};
        TaskChange change;
        change.seen = m_hand.command({"HGET", m_keys.task(id), "msg"}, u"looking"_s)->bytes;
        change.message = change.seen + QByteArray("\x98\x06\x0a");
        change.state = TaskState::Pending;
        change.needsFreeLock = true;
        static_cast<void>(strangers());
        const auto refused = changeTask(m_editor.link(), m_queue, guarded(id.text), change);
        QVERIFY_RESULT(refused);
        QCOMPARE(refused->kind, Kind::Changed);
        change.needsFreeLock = false;
        for (const auto &[state, score] : places) {
            change.state = state;
            change.score = score;
            const auto answer = changeTask(m_editor.link(), m_queue, guarded(id.text), change);
            QVERIFY_RESULT(answer);
            QVERIFY2(answer->kind == Kind::Done, qPrintable(answer->detail));
            QCOMPARE(answer->state, state);
            std::swap(change.seen, change.message);
        }
        QCOMPARE(strangers(), QByteArrayList());
        QVERIFY(m_touched > 0);
    }

    void repairsTouchTheirKeysAlone()
    {
        const QList<std::pair<FindingKind, Repair>> repairs{
            {FindingKind::ActiveWithoutLease, Repair::Requeue},
            {FindingKind::LeaseWithoutActive, Repair::ClearLease},
            {FindingKind::StateDiffers, Repair::Settle},
            {FindingKind::TwoContainers, Repair::RestoreStatus},
            {FindingKind::OrphanHash, Repair::Reattach},
            {FindingKind::StubHash, Repair::Drop}};
        QList<RepairStep> work;
        for (const auto &[kind, repair] : repairs) {
            QVERIFY_RESULT(damage(m_hand, kind, sampleRequest(word(kind)), 0));
            work += repairOf(repair, word(kind));
        }
        QVERIFY_RESULT(placeTask(m_hand, sampleRequest(u"locked"_s), TaskState::Retry));
        lock("locked");
        work += repairOf(Repair::Drop, u"locked"_s);
        QVERIFY_RESULT(m_hand.command({"SET", m_keys.lockPrefix() + "stray", "nobody"}, u"lock"_s));
        static_cast<void>(strangers());
        TaskRepairer repairer(m_editor.link());
        const auto answers = repairer.repair(m_queue, work);
        const auto freed = repairer.freeLock(m_queue, "nobody", m_keys.lockPrefix() + "stray");
        QCOMPARE(strangers(), QByteArrayList());
        QVERIFY_RESULT(answers);
        for (const TaskAnswer &answer : *answers)
            QVERIFY2(answer.kind == Kind::Done, qPrintable(answer.detail));
        QVERIFY(freed && *freed);
        QCOMPARE(number({"EXISTS", m_keys.lockPrefix() + "mail:locked"}), 0);
    }

    void anEnqueueTouchesItsKeysAlone()
    {
        AsynqQueue relay;
        QVERIFY_RESULT(relay.open(endpoint(), u"relay"_s));
        QList<EnqueueRequest> batch = sampleBatch(3);
        QVERIFY_RESULT(relay.enqueue(batch));
        static_cast<void>(strangers());
        batch += sampleRequest(u"new"_s);
        QVERIFY_RESULT(relay.enqueue(batch));
        QCOMPARE(strangers(), QByteArrayList());
        QVERIFY(m_touched > 0);
    }
};

} // namespace tst_scriptkeys

OUTBOX_TEST(tst_scriptkeys::TestScriptKeys)
#include "tst_scriptkeys.moc"
