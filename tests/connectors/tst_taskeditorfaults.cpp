// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The hand that edits tasks under rivals, missing rights, broken keys and servers in trouble:
// nothing is ever half done, and Redis is never held up.
#include "connectors/asynq/edit/pacededit.h"
#include "connectors/room.h"
#include "tests/connectors/taskground.h"
#include "tests/support/patience.h"
#include "tests/support/refusingline.h"
#include "tests/support/testprogram.h"

#include <QLocalSocket>
#include <QTest>

#include <algorithm>
#include <functional>
#include <memory>

namespace tst_taskeditorfaults {

using namespace outbox;
using namespace outbox::asynq;
using namespace Qt::Literals::StringLiterals;
using namespace std::chrono_literals;

using Kind = TaskAnswer::Kind;
using Answers = Result<QList<TaskAnswer>>;

namespace {

/// The rights of an operator (resources/roles.md), but for those of cancel and of the undo of a
/// delete.
const QByteArrayList operatorRights{
    "~asynq:*", "resetchannels",   "-@all",         "+auth",   "+hello",   "+ping",
    "+quit",    "+client|setname", "+client|id",    "+@read",  "-keys",    "-randomkey",
    "+info",    "+time",           "+memory|usage", "+eval",   "+evalsha", "+script|load",
    "+hset",    "+hdel",           "+lpush",        "+lrem",   "+zadd",    "+zrem",
    "+sadd",    "+srem",           "+del",          "+unlink", "+setnx",
};

qsizetype countOf(const QList<TaskAnswer> &answers, Kind kind)
{
    return std::count_if(answers.begin(), answers.end(),
                         [kind](const TaskAnswer &answer) { return answer.kind == kind; });
}

} // namespace

class TestTaskEditorFaults : public QObject, protected TaskGround
{
    Q_OBJECT

    /// So many tasks in retry, and their guards.
    QList<TaskGuard> placeMany(int count)
    {
        const QByteArray message = *encode(messageOf(sampleRequest(u"1"_s)));
        QList<TaskGuard> guards;
        QList<RedisCommand> commands{{"SADD", allQueues, "default"}};
        for (int i = 0; i < count; ++i) {
            const QByteArray id = QByteArray::number(i);
            commands += {"HSET", m_keys.task(id), "msg", message, "state", "retry"};
            commands += {"ZADD", m_keys.retry(), "1795225841", id};
            guards += {{QString::number(i)}, TaskState::Retry, "1795225841"};
        }
        return m_hand.pipeline(commands) ? guards : QList<TaskGuard>{};
    }

    void openAsOperator(TaskEditor &editor, const QByteArrayList &changes)
    {
        const RedisCommand user = RedisCommand{"ACL", "SETUSER", "ana", "reset", "on", ">secret"}
            + operatorRights + changes;
        QVERIFY_RESULT(m_hand.command(user, u"staging"_s));
        RedisEndpoint at = endpoint();
        at.user = u"ana"_s;
        at.password = u"secret"_s;
        QVERIFY_RESULT(editor.open(at, u"operator"_s));
    }

    /// One of each sound state, each verb once on a task that suits it.
    QList<Answers> everyVerb(TaskEditor &editor)
    {
        return {editor.run(m_queue, {guarded(u"retry"_s)}),
                editor.archive(m_queue, {guarded(u"pending"_s)}),
                editor.remove(m_queue, {guarded(u"completed"_s)}),
                editor.replace(m_queue, {guarded(u"aggregating"_s)})};
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(
            m_redis, {u"--slowlog-log-slower-than"_s, u"0"_s, u"--slowlog-max-len"_s, u"100000"_s});
        openHandAndInspector();
        openEditor();
    }

    void init() { clear(); }

    void whatWasReplacedIsToldWhenARightGoesMeanwhile()
    {
        const QList<TaskGuard> guards = placeMany(2'000);
        QCOMPARE(guards.size(), 2'000);
        RefusingLine line;
        QVERIFY(line.start(m_redis.socketPath()));
        auto acts = std::make_shared<int>(0);
        line.set([acts](const QByteArrayList &command) -> QByteArray {
            *acts += command.first().startsWith("EVAL") ? 1 : 0;
            const bool isGone = *acts > 0 && command.first() == "HGET";
            return isGone ? "NOPERM this user has no permissions to run the 'hget' command" : "";
        });
        TaskEditor editor;
        QVERIFY_RESULT(editor.open(*RedisEndpoint::fromUrl(line.url()), u"operator"_s));
        const Answers answers = editor.replace(m_queue, guards);
        QVERIFY_RESULT(answers);
        QCOMPARE(answers->size(), guards.size());
        const qsizetype done = countOf(*answers, Kind::Done);
        QVERIFY(done > 0);
        QCOMPARE(countOf(*answers, Kind::Failed), guards.size() - done);
        QVERIFY2(answers->last().detail.contains(u"hget"_s), qPrintable(answers->last().detail));
        QCOMPARE(number({"LLEN", m_keys.pending()}), done);
        QCOMPARE(number({"ZCARD", m_keys.retry()}), guards.size() - done);
    }

    void twoOperatorsMoveEachTaskOnce()
    {
        const QList<TaskGuard> guards = placeMany(1'000);
        QCOMPARE(guards.size(), 1'000);
        Room<TaskEditor> ana(u"ana"_s);
        Room<TaskEditor> ben(u"ben"_s);
        const auto open
            = [at = endpoint()](TaskEditor &editor) { return editor.open(at, u"operator"_s); };
        QVERIFY_RESULT(ana.run(open).result());
        QVERIFY_RESULT(ben.run(open).result());
        auto runs = ana.run(
            [guards, queue = m_queue](TaskEditor &editor) { return editor.run(queue, guards); });
        auto archives = ben.run([guards, queue = m_queue](TaskEditor &editor) {
            return editor.archive(queue, guards);
        });
        const Answers run = runs.result();
        const Answers archived = archives.result();
        QVERIFY_RESULT(run);
        QVERIFY_RESULT(archived);
        for (qsizetype i = 0; i < guards.size(); ++i) {
            const bool ran = run->at(i).kind == Kind::Done;
            QCOMPARE(archived->at(i).kind, ran ? Kind::Changed : Kind::Done);
            QCOMPARE(run->at(i).kind, ran ? Kind::Done : Kind::Changed);
        }
        QCOMPARE(number({"LLEN", m_keys.pending()}), countOf(*run, Kind::Done));
        QCOMPARE(number({"ZCARD", m_keys.archived()}), countOf(*archived, Kind::Done));
        QCOMPARE(number({"EXISTS", m_keys.retry()}), 0);
    }

    void theOperatorsOwnRightsAreEnough()
    {
        placeOneOfEach();
        TaskEditor ana;
        openAsOperator(ana, {});
        for (const Answers &answers : everyVerb(ana)) {
            QVERIFY_RESULT(answers);
            QCOMPARE(answers->first().kind, Kind::Done);
        }
        const auto stored = ana.stored(m_queue, {{u"scheduled"_s}});
        QVERIFY_RESULT(stored);
        QVERIFY_RESULT(ana.remove(m_queue, {guarded(u"scheduled"_s)}));
        QCOMPARE(ana.restore(m_queue, *stored)->first().kind, Kind::Done);
        QCOMPARE(ana.placeTombstone(m_queue, {{u"b"_s}}, 60, u"op"_s)->first().kind, Kind::Done);
        QCOMPARE(ana.removeTombstone(m_queue, {{u"b"_s}}, u"op"_s)->first().kind, Kind::Done);
        QVERIFY(*ana.pause(m_queue));
        QVERIFY(*ana.unpause(m_queue));
        // To cancel takes rights of its own.
        for (const QByteArrayList &half : {QByteArrayList{}, {"+publish"}, {"&asynq:cancel"}}) {
            openAsOperator(ana, half);
            const auto denied = ana.cancel({{u"active"_s}});
            QVERIFY(!denied);
            QCOMPARE(denied.error().code, u"NOPERM"_s);
        }
        openAsOperator(ana, {"+publish", "&asynq:cancel"});
        QVERIFY_RESULT(ana.cancel({{u"active"_s}}));
    }

    void cancelReachesTheWorkers()
    {
        QLocalSocket worker;
        worker.connectToServer(m_redis.socketPath());
        QVERIFY(worker.waitForConnected());
        worker.write("SUBSCRIBE asynq:cancel\r\n");
        QByteArray heard;
        QTRY_VERIFY((heard += worker.readAll()).contains("subscribe"));
        QVERIFY_RESULT(m_editor.cancel({{u"one"_s}, {u"zwö"_s}}));
        QTRY_VERIFY((heard += worker.readAll()).contains("zwö"));
        QVERIFY(heard.contains("one"));
    }

    void aMissingRightStopsAllBeforeAnythingIsWritten_data()
    {
        QTest::addColumn<QByteArray>("right");
        for (const char *right : {"-hset", "-hdel", "-lpush", "-lrem", "-zadd", "-zrem", "-srem",
                                  "-del", "-unlink", "-hget", "-type"}) {
            QTest::addRow("%s", right) << QByteArray(right);
        }
    }

    void aMissingRightStopsAllBeforeAnythingIsWritten()
    {
        QFETCH(QByteArray, right);
        placeOneOfEach();
        TaskEditor ana;
        openAsOperator(ana, {right});
        const auto before = wholeRedis(m_hand);
        for (const Answers &answers : everyVerb(ana)) {
            QVERIFY(!answers || right == "-hget"); // that one is needed to replace only
            if (!answers) {
                QCOMPARE(answers.error().kind, Error::Kind::Refused);
                QCOMPARE(answers.error().code, u"NOPERM"_s);
            }
        }
        if (right != "-hget")
            QCOMPARE(wholeRedis(m_hand), before);
        QCOMPARE(containersOf(m_hand, "aggregating"), QByteArrayList{"g:g"});
    }

    void aBrokenContainerStopsAllBeforeAnythingIsWritten()
    {
        for (const QByteArray &key :
             {m_keys.pending(), m_keys.archived(), m_keys.groups(), m_keys.aggregationSets()}) {
            QVERIFY_RESULT(m_hand.command({"FLUSHALL"}, u"clearing"_s));
            placeOneOfEach();
            const QList<TaskGuard> guards{guarded(u"retry"_s), guarded(u"scheduled"_s)};
            QVERIFY_RESULT(m_hand.pipeline({{"DEL", key}, {"SET", key, "hello"}}));
            const auto before = wholeRedis(m_hand);
            for (const Answers &answers :
                 {m_editor.run(m_queue, guards), m_editor.archive(m_queue, guards),
                  m_editor.remove(m_queue, guards), m_editor.replace(m_queue, guards),
                  m_editor.placeTombstone(m_queue, {{u"b"_s}}, 60, u"op"_s)}) {
                QVERIFY(!answers);
                QCOMPARE(answers.error().kind, Error::Kind::Constraint);
            }
            QCOMPARE(wholeRedis(m_hand), before);
        }
    }

    void aLaterRefusalDoesNotUnsayWhatWasDone()
    {
        const QList<TaskGuard> guards = placeMany(20'000);
        Room<TaskEditor> ana(u"ana"_s);
        const RedisCommand user
            = RedisCommand{"ACL", "SETUSER", "ana", "reset", "on", ">secret"} + operatorRights;
        QVERIFY_RESULT(m_hand.command(user, u"staging"_s));
        RedisEndpoint at = endpoint();
        at.user = u"ana"_s;
        at.password = u"secret"_s;
        auto running = ana.run([guards, at, queue = m_queue](TaskEditor &editor) -> Answers {
            if (const auto open = editor.open(at, u"operator"_s); !open)
                return passOn(open);
            return editor.run(queue, guards);
        });
        while (!running.isFinished() && number({"LLEN", m_keys.pending()}) == 0) { }
        QVERIFY_RESULT(m_hand.command({"ACL", "SETUSER", "ana", "-lpush"}, u"staging"_s));
        const Answers answers = running.result();
        QVERIFY_RESULT(answers);
        QVERIFY(answers->last().detail.contains(u"NOPERM"_s));
        const qsizetype done = countOf(*answers, Kind::Done);
        QVERIFY(done > 0);
        QCOMPARE(done + countOf(*answers, Kind::Failed), guards.size());
        QCOMPARE(number({"LLEN", m_keys.pending()}), done);
        QCOMPARE(number({"ZCARD", m_keys.retry()}), guards.size() - done);
    }

    void withoutMemoryNothingIsLostHalfWay()
    {
        placeOneOfEach();
        QVERIFY_RESULT(m_hand.command({"CONFIG", "SET", "maxmemory", "1mb"}, u"staging"_s));
        const QList<Answers> answers = everyVerb(m_editor);
        const auto tombstoned = m_editor.placeTombstone(m_queue, {{u"b"_s}}, 60, u"op"_s);
        QVERIFY_RESULT(m_hand.command({"CONFIG", "SET", "maxmemory", "0"}, u"staging"_s));
        QVERIFY(!tombstoned);
        QCOMPARE(tombstoned.error().code, u"OOM"_s);
        QCOMPARE(containersOf(m_hand, "b"), QByteArrayList());
        for (const char *id : {"retry", "pending", "aggregating"}) {
            const QByteArrayList found = containersOf(m_hand, id);
            QCOMPARE(found.size(), 1);
            QVERIFY(hashAt(m_hand, m_keys.task(QByteArray(id))).contains("msg"));
        }
    }

    void aReplicaRefusesBeforeAnythingIsWritten()
    {
        placeOneOfEach();
        const auto before = wholeRedis(m_hand);
        QVERIFY_RESULT(m_hand.command({"REPLICAOF", "127.0.0.1", "1"}, u"staging"_s));
        const QList<Answers> answers = everyVerb(m_editor);
        QVERIFY_RESULT(m_hand.command({"REPLICAOF", "NO", "ONE"}, u"staging"_s));
        for (const Answers &answer : answers)
            QCOMPARE(answer.error().code, u"READONLY"_s);
        QCOMPARE(wholeRedis(m_hand), before);
    }

    void aForgottenScriptIsSentAgain()
    {
        const QList<TaskGuard> guards = placeMany(2);
        QVERIFY_RESULT(m_hand.command({"SCRIPT", "FLUSH"}, u"staging"_s));
        QCOMPARE(m_editor.run(m_queue, {guards.first()})->first().kind, Kind::Done);
        QCOMPARE(m_editor.run(m_queue, {guards.last()})->first().kind, Kind::Done);
        QCOMPARE(number({"LLEN", m_keys.pending()}), 2);
    }

    void aLostAnswerIsDoubtAndThePlanStaysSafe()
    {
        const QList<TaskGuard> guards = placeMany(10);
        TaskEditor editor;
        QVERIFY_RESULT(editor.open(endpoint(), u"operator"_s, 300ms));
        m_redis.freeze();
        const Answers lost = editor.run(m_queue, guards);
        m_redis.thaw();
        QVERIFY(!lost);
        QCOMPARE(lost.error().kind, Error::Kind::Timeout);
        QVERIFY(!editor.isOpen());
        // Whatever became of it, asking again moves each of them once.
        QVERIFY_RESULT(editor.run(m_queue, guards));
        QCOMPARE(number({"LLEN", m_keys.pending()}), 10);
        QCOMPARE(number({"EXISTS", m_keys.retry()}), 0);
    }

    void pausingIsSaidOnce()
    {
        QVERIFY(*m_editor.pause(m_queue));
        const auto since = m_hand.command({"GET", m_keys.paused()}, u"looking"_s);
        QVERIFY(qAbs(since->bytes.toLongLong() - QDateTime::currentSecsSinceEpoch()) < 60);
        QVERIFY(!*m_editor.pause(m_queue));
        QVERIFY(*m_editor.unpause(m_queue));
        QVERIFY(!*m_editor.unpause(m_queue));
        QCOMPARE(number({"EXISTS", m_keys.paused()}), 0);
    }

    void idsDeepInALongListDoNotHoldRedisUp()
    {
        constexpr int length = 200'000;
        const QByteArray message = *encode(messageOf(sampleRequest(u"1"_s)));
        QList<TaskGuard> guards;
        QList<RedisCommand> commands;
        for (int start = 0; start < length; start += 1000) {
            RedisCommand push{"LPUSH", m_keys.pending()};
            for (int i = start; i < start + 1000; ++i)
                push += QByteArray::number(i);
            commands += push;
            const QByteArray id = QByteArray::number(start + 500);
            commands += {"HSET",  m_keys.task(id), "msg",           message,
                         "state", "pending",       "pending_since", "7"};
            guards += {{QString::fromLatin1(id)}, TaskState::Pending, "7"};
        }
        QVERIFY_RESULT(m_hand.pipeline(commands));
        QVERIFY_RESULT(m_hand.command({"SLOWLOG", "RESET"}, u"staging"_s));
        const Answers answers = m_editor.remove(m_queue, guards);
        QVERIFY_RESULT(answers);
        QCOMPARE(countOf(*answers, Kind::Done), guards.size());
        QCOMPARE(number({"LLEN", m_keys.pending()}), length - guards.size());
        QList<qint64> scripts;
        const auto slow = m_hand.command({"SLOWLOG", "GET", "-1"}, u"looking"_s);
        QVERIFY_RESULT(slow);
        for (const RedisReply &entry : slow->elements) {
            if (entry.elements.value(3).elements.value(0).bytes.startsWith("EVAL"))
                scripts += entry.elements.value(2).integer;
        }
        std::sort(scripts.begin(), scripts.end(), std::greater<>());
        QVERIFY(scripts.size() > guards.size() / 2); // a walk each, but for those near the ends
        qInfo("200 ids spread over a list of 200,000: longest script %lld us",
              static_cast<long long>(scripts.first()));
        // A busy machine may stop Redis itself for longer than a script takes, but not each time.
        QVERIFY(scripts.at(scripts.size() / 2) < 20'000);
    }

    void thePaceFollowsTheServer()
    {
        EditPace pace(0);
        QCOMPARE(pace.tasks(), 100);
        for (int i = 0; i < 5; ++i)
            pace.learn(pace.tasks(), pace.tasks(), 100);
        QCOMPARE(pace.tasks(), 500);
        pace.learn(500, 500, 3'000);
        QCOMPARE(pace.tasks(), 500);
        pace.learn(500, 500, 9'000);
        QCOMPARE(pace.tasks(), 250);
        pace.learn(3, 250, 1'000); // the walk through the list was over before its turn
        QCOMPARE(pace.tasks(), 3);
        QCOMPARE(EditPace(1'000'000).tasks(), 1);
        QCOMPARE(EditPace(25'000).tasks(), 10);
        EditPace slow(1'000'000);
        slow.learn(1, 1, 18'000);
        QCOMPARE(slow.tasks(), 1);
    }
};

} // namespace tst_taskeditorfaults

OUTBOX_TEST(tst_taskeditorfaults::TestTaskEditorFaults)
#include "tst_taskeditorfaults.moc"
