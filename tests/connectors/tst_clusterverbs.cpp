// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Verbs on tasks and repairs over a real Redis Cluster while a slot moves or a node is away: each
// is whole or refused, as plain connections to all nodes see it.
#include "connectors/asynq/edit/taskrepairer.h"
#include "connectors/asynq/observe/factsread.h"
#include "connectors/asynq/observe/inspector.h"
#include "connectors/redis/cluster/slots.h"
#include "connectors/room.h"
#include "tests/support/clusterworld.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QMap>
#include <QTest>

#include <algorithm>
#include <functional>
#include <utility>

namespace tst_clusterverbs {

using namespace outbox;
using namespace outbox::asynq;
using namespace Qt::Literals::StringLiterals;

using Kind = TaskAnswer::Kind;
using Answers = Result<QList<TaskAnswer>>;
/// What is done to the tasks "1" to "6" of a queue, which are in retry; `signature` is that of the
/// first one.
using Deed = std::function<Answers(TaskEditor &editor, const QueueName &queue,
                                   const QByteArray &signature)>;

namespace {

constexpr int taskCount = 6;
const QByteArray score = "1795225841";

QList<TaskGuard> guardsOf(int count)
{
    QList<TaskGuard> guards;
    for (int i = 1; i <= count; ++i)
        guards += TaskGuard{{QString::number(i)}, TaskState::Retry, score};
    return guards;
}

QByteArray messageOfTask(const QueueName &queue, int number)
{
    EnqueueRequest request = sampleRequest(QString::number(number));
    request.queue = queue;
    return *encode(messageOf(request));
}

/// As an export holds one that is not there.
StoredTask absentTask(const QueueName &queue)
{
    StoredTask task;
    task.id.text = u"7"_s;
    task.queue = queue;
    task.state = TaskState::Scheduled;
    task.score = score;
    task.fields = {{"msg", messageOfTask(queue, 7)}, {"state", "scheduled"}};
    return task;
}

} // namespace

class TestClusterVerbs : public QObject
{
    Q_OBJECT

    ClusterWorld m_world;
    RedisEndpoint m_endpoint;

    static QList<std::pair<const char *, Deed>> allDeeds()
    {
        return {
            {"run",
             [](TaskEditor &editor, const QueueName &queue, const QByteArray &) {
                 return editor.run(queue, guardsOf(taskCount));
             }},
            {"archive",
             [](TaskEditor &editor, const QueueName &queue, const QByteArray &) {
                 return editor.archive(queue, guardsOf(taskCount));
             }},
            {"delete",
             [](TaskEditor &editor, const QueueName &queue, const QByteArray &) {
                 return editor.remove(queue, guardsOf(taskCount));
             }},
            {"replace",
             [](TaskEditor &editor, const QueueName &queue, const QByteArray &) {
                 return editor.replace(queue, guardsOf(taskCount));
             }},
            {"restore",
             [](TaskEditor &editor, const QueueName &queue, const QByteArray &) {
                 return editor.restore(queue, {absentTask(queue)});
             }},
            {"tombstone",
             [](TaskEditor &editor, const QueueName &queue, const QByteArray &) {
                 return editor.placeTombstone(queue, {{u"8"_s}}, 60, u"op"_s);
             }},
            {"repair",
             [](TaskEditor &editor, const QueueName &queue, const QByteArray &signature) {
                 const RepairStep step{{u"1"_s}, Repair::Drop, signature};
                 return TaskRepairer(editor.link()).repair(queue, {step});
             }},
        };
    }

    /// A queue in a slot of this node.
    [[nodiscard]] static QueueName queueAt(const ClusterWorld &world, int node,
                                           const QByteArray &name)
    {
        return QueueName{QString::fromLatin1(world.keyAt(node, name))};
    }
    /// So many tasks in retry, and one that waits.
    [[nodiscard]] static bool fill(ClusterWorld &world, const QueueName &queue,
                                   int count = taskCount)
    {
        const QueueKeys keys(queue);
        QList<RedisCommand> commands{
            RedisCommand{"SADD", allQueues, queue.text.toUtf8()},
            RedisCommand{"LPUSH", keys.pending(), "w"},
            RedisCommand{"HSET", keys.task("w"), "msg", "x", "state", "pending"}};
        for (int i = 1; i <= count; ++i) {
            const QByteArray id = QByteArray::number(i);
            commands += RedisCommand{"HSET",  keys.task(id), "msg", messageOfTask(queue, i),
                                     "state", "retry"};
            commands += RedisCommand{"ZADD", keys.retry(), score, id};
        }
        return std::all_of(commands.cbegin(), commands.cend(), [&](const RedisCommand &command) {
            const auto reply = world.ask(command);
            return reply && !reply->isError();
        });
    }
    /// Every key of the queue with all that it holds, by node; also what has arrived where its slot
    /// has not.
    QMap<QByteArray, QByteArray> whole(const QueueName &queue)
    {
        QMap<QByteArray, QByteArray> found;
        for (int node = 0; node < m_world.primaries(); ++node) {
            const auto keys = m_world.hand(node).command({"KEYS", QueueKeys(queue).prefix() + "*"},
                                                         u"looking"_s);
            for (const RedisReply &key : keys ? keys->elements : QList<RedisReply>()) {
                const auto replies = m_world.hand(node).pipeline(
                    {RedisCommand{"ASKING"}, RedisCommand{"DUMP", key.bytes}});
                if (replies)
                    found.insert(QByteArray::number(node) + ' ' + key.bytes, replies->at(1).bytes);
            }
        }
        return found;
    }
    QString movingSentence(const QueueName &queue, int to) const
    {
        return u"slot %1 of queue %2 is being moved to 127.0.0.1:%3; try again when it has moved"_s
            .arg(QString::number(slotOf(queue.text.toLatin1())), queue.text,
                 QString::number(m_world.portOf(to)));
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_world, 3);
        m_endpoint = RedisEndpoint::fromUrl(m_world.url()).value();
    }

    void init()
    {
        for (int node = 0; node < m_world.primaries(); ++node)
            QVERIFY_RESULT(m_world.hand(node).command({"FLUSHALL"}, u"clearing"_s));
    }

    void whileASlotMovesEachVerbIsRefusedAndThenWhole_data()
    {
        QTest::addColumn<int>("deed");
        QTest::addColumn<int>("arrived");
        for (int deed = 0; deed < allDeeds().size(); ++deed) {
            for (const int arrived : {0, 4, 1000}) // none, some, all keys
                QTest::addRow("%s-%d", allDeeds().at(deed).first, arrived) << deed << arrived;
        }
    }
    void whileASlotMovesEachVerbIsRefusedAndThenWhole()
    {
        QFETCH(int, deed);
        QFETCH(int, arrived);
        const Deed act = allDeeds().at(deed).second;
        const QueueName queue
            = queueAt(m_world, 0, QByteArray(QTest::currentDataTag()) + QByteArray("-"));
        QVERIFY(fill(m_world, queue));
        TaskEditor editor;
        QVERIFY_RESULT(editor.open(m_endpoint, u"operator"_s));
        const auto seen
            = editor.link().at(QueueKeys(queue).pending(), [&](RedisConnection &connection) {
                  return readFacts(connection, queue, {{"1", {}}});
              });
        QVERIFY_RESULT(seen);
        const QByteArray signature = signatureOf(seen->facts.value("1"));
        QVERIFY_RESULT(m_world.beginMove(slotOf(queue.text.toLatin1()), 1));
        if (arrived > 0)
            QVERIFY_RESULT(m_world.moveKeys(arrived));
        const auto before = whole(queue);
        QVERIFY(before.size() > taskCount);

        const Answers refused = act(editor, queue, signature);
        QCOMPARE(whole(queue), before);
        const QString sentence = movingSentence(queue, 1);
        if (refused) { // repairs answer for each task
            for (const TaskAnswer &answer : *refused) {
                QCOMPARE(answer.kind, Kind::Failed);
                QVERIFY2(answer.detail.contains(sentence), qPrintable(answer.detail));
            }
        } else {
            QCOMPARE(refused.error().kind, Error::Kind::Refused);
            QVERIFY(!mayHaveHappened(refused.error()));
            QVERIFY2(refused.error().text == sentence, qPrintable(refused.error().text));
        }

        QVERIFY_RESULT(m_world.finishMove());
        const Answers done = act(editor, queue, signature); // at the other node, by its MOVED
        QVERIFY_RESULT(done);
        for (const TaskAnswer &answer : *done)
            QVERIFY2(answer.kind == Kind::Done, qPrintable(answer.detail));
        const auto after = whole(queue);
        QVERIFY(after != before);
        for (const QByteArray &key : after.keys())
            QVERIFY2(key.startsWith("1 "), key.constData());
    }

    void aPauseMeetsAMovingSlotToo()
    {
        const QueueName queue = queueAt(m_world, 0, "paused");
        QVERIFY(fill(m_world, queue));
        TaskEditor editor;
        QVERIFY_RESULT(editor.open(m_endpoint, u"operator"_s));
        QVERIFY_RESULT(m_world.beginMove(slotOf(queue.text.toLatin1()), 2));
        const auto before = whole(queue);
        const auto refused = editor.pause(queue);
        QVERIFY(!refused);
        QCOMPARE(refused.error().text, movingSentence(queue, 2));
        QCOMPARE(whole(queue), before);
        QVERIFY_RESULT(m_world.finishMove());
        const auto paused = editor.pause(queue);
        QVERIFY_RESULT(paused);
        QVERIFY(*paused);
        QCOMPARE(m_world.number({"EXISTS", QueueKeys(queue).paused()}), 1);
    }

    /// Wherever the move meets the verb: what was answered Done was done, and nothing else.
    void aMoveInTheMidstOfAVerbLeavesEachTaskWhole()
    {
        constexpr int many = 3000;
        const QueueName queue = queueAt(m_world, 0, "many");
        const QueueKeys keys(queue);
        QVERIFY(fill(m_world, queue, many));
        Room<TaskEditor> ana(u"ana"_s);
        auto running = ana.run([at = m_endpoint, queue](TaskEditor &editor) -> Answers {
            if (const auto opened = editor.open(at, u"operator"_s); !opened)
                return passOn(opened);
            return editor.archive(queue, guardsOf(many));
        });
        while (!running.isFinished() && m_world.number({"ZCARD", keys.archived()}) <= 0) { }
        QVERIFY_RESULT(m_world.beginMove(slotOf(queue.text.toLatin1()), 1));
        QVERIFY_RESULT(m_world.finishMove());
        const Answers answers = running.result();
        QVERIFY_RESULT(answers); // the first tasks were answered before the move
        qint64 done = 0;
        for (const TaskAnswer &answer : *answers) {
            QVERIFY(answer.kind == Kind::Done || answer.kind == Kind::Failed);
            done += answer.kind == Kind::Done ? 1 : 0;
        }
        QCOMPARE(m_world.number({"ZCARD", keys.archived()}), done);
        QCOMPARE(m_world.number({"ZCARD", keys.retry()}), many - done);
    }

    void aNodeThatIsAwayConcernsItsQueuesAlone()
    {
        ClusterWorld world;
        OUTBOX_START_SERVER(world, 3);
        const QueueName there = queueAt(world, 2, "away");
        const QueueName here = queueAt(world, 0, "here"); // where the list of queues is, too
        QVERIFY(fill(world, there) && fill(world, here));
        TaskEditor editor;
        QVERIFY_RESULT(editor.open(RedisEndpoint::fromUrl(world.url()).value(), u"operator"_s));
        QVERIFY_RESULT(editor.stored(there, {{u"1"_s}})); // it is connected to
        world.server(2).kill();
        for (const auto &edit : {&TaskEditor::run, &TaskEditor::remove, &TaskEditor::archive}) {
            const Answers refused = (editor.*edit)(there, guardsOf(taskCount));
            QVERIFY(!refused);
            QVERIFY2(!mayHaveHappened(refused.error()), qPrintable(oneLine(refused.error())));
        }
        QVERIFY(!editor.stored(there, {{u"1"_s}})); // not: there is no such task
        const Answers done = editor.run(here, guardsOf(taskCount));
        QVERIFY_RESULT(done);
        for (const TaskAnswer &answer : *done)
            QCOMPARE(answer.kind, Kind::Done);
        AsynqInspector inspector;
        QVERIFY_RESULT(inspector.open(RedisEndpoint::fromUrl(world.url()).value(), u"looker"_s));
        QVERIFY(!inspector.observe(there, {{u"1"_s}}));
        QString cursor;
        QVERIFY(!inspector.tasksNamed({u"1"_s}, cursor)); // some names are not known
    }

    /// The node has the script and does not answer in time: it may have been executed.
    void anAnswerThatIsMissingIsInDoubt()
    {
        const QueueName queue = queueAt(m_world, 1, "doubt");
        QVERIFY(fill(m_world, queue));
        TaskEditor editor;
        QVERIFY_RESULT(editor.open(m_endpoint, u"operator"_s)); // which waits for three seconds
        QVERIFY_RESULT(m_world.hand(1).command({"CLIENT", "PAUSE", "60000", "WRITE"}, u"hold"_s));
        const Answers lost = editor.remove(queue, guardsOf(taskCount));
        QVERIFY_RESULT(m_world.hand(1).command({"CLIENT", "UNPAUSE"}, u"let go"_s));
        QVERIFY(!lost);
        QCOMPARE(lost.error().kind, Error::Kind::Timeout);
        QVERIFY(mayHaveHappened(lost.error()));
    }
};

} // namespace tst_clusterverbs

OUTBOX_TEST(tst_clusterverbs::TestClusterVerbs)
#include "tst_clusterverbs.moc"
