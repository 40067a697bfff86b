// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A relay into the queues of a Redis Cluster, while a slot is moved under it, scripts and
// connections are lost, and a node dies: every row is there once, and only the queues concerned
// wait.
#include "connectors/asynq/wire/keys.h"
#include "connectors/redis/cluster/slots.h"
#include "tests/app/relayground.h"
#include "tests/support/clusterworld.h"
#include "tests/support/patience.h"
#include "tests/support/testprogram.h"

#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QSet>
#include <QTest>

#include <thread>

namespace tst_clusterrelay {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestClusterRelay : public QObject, protected RelayGround
{
    Q_OBJECT

    static constexpr int queues = 12;
    static constexpr int rows = 2000;

    struct Told
    {
        QList<Error> errors;
        RelayTotals totals;
        bool hadRest = false; ///< a queue was left out for a while
        bool hasRest = false; ///< at the end
    };

    [[nodiscard]] RelayTarget target(const DatabaseUrl &url, const ClusterWorld &world) const
    {
        RelayTarget target = relayTarget(url, queuesShape());
        target.redis = RedisEndpoint::fromUrl(world.url()).value();
        target.rules.queue.text = u"q0"_s;
        target.deepestQueue = 100'000;
        return target;
    }
    [[nodiscard]] static int slotOfQueue(int queue)
    {
        return slotOf(asynq::QueueKeys(QueueName{u"q%1"_s.arg(queue)}).pending());
    }
    /// Rows from `first` on, shared out among all queues.
    static void insert(SideSession &side, int first, int count)
    {
        side.run(numbered(count,
                          u"n + %1, 'a', 'x', 'q' || ((n + %1) % %2)"_s.arg(first - 1).arg(queues),
                          u"outbox"_s));
    }
    /// Bursts until `question` is answered by `answer`; false when that takes too long.
    static bool work(RelaySession &pair, SideSession &side, const QString &question,
                     const QString &answer, Told &told)
    {
        const std::stop_source stop;
        QElapsedTimer clock;
        clock.start();
        while (clock.elapsed() < patient(30'000)) {
            const RelayBurst burst
                = pair.work(100, 1'000'000, 50, 5, RelayAim::Drained, stop.get_token());
            told.hasRest = burst.isQueueResting;
            told.hadRest = told.hadRest || burst.isQueueResting;
            for (const RelayStep &step : burst.steps) {
                told.totals.add(step);
                if (step.error)
                    told.errors += *step.error;
            }
            if (side.one(question) == answer)
                return true;
            if (burst.end == RelayBurst::End::Failed && !pair.ensureOpen())
                std::this_thread::yield();
        }
        return false;
    }
    /// Asked of the nodes by hand: the tasks that wait, by queue, and whether each has a hash.
    static void verifyEachOnce(ClusterWorld &world, int expected)
    {
        QSet<QByteArray> ids;
        qint64 waiting = 0;
        for (int queue = 0; queue < queues; ++queue) {
            const asynq::QueueKeys keys(QueueName{u"q%1"_s.arg(queue)});
            const auto list = world.ask({"LRANGE", keys.pending(), "0", "-1"});
            QVERIFY_RESULT(list);
            waiting += list->elements.size();
            for (const RedisReply &id : list->elements) {
                ids += id.bytes;
                QCOMPARE(id.bytes.toInt() % queues, queue);
            }
            if (!list->elements.isEmpty())
                QCOMPARE(world.number({"EXISTS", keys.task(list->elements.last().bytes)}), 1);
        }
        QCOMPARE(waiting, expected);
        QCOMPARE(ids.size(), expected);
        qint64 hashes = 0;
        for (int node = 0; node < world.primaries(); ++node) {
            if (!world.server(node).isRunning())
                continue;
            const auto found = world.hand(node).command({"KEYS", "asynq:{q*}:t:*"}, u"counting"_s);
            QVERIFY_RESULT(found);
            hashes += found->elements.size();
        }
        QVERIFY(hashes <= expected); // none beside those that wait
        QCOMPARE(world.number({"SCARD", asynq::allQueues}), queues);
    }
    /// On a busy machine a node may answer late.
    static bool isOfNode(const Error &error)
    {
        return error.kind == Error::Kind::Unreachable || error.kind == Error::Kind::Timeout;
    }
    /// Every row waits in its queue, once, and only nodes were complained of.
    static void verifyNothingLost(ClusterWorld &world, const Told &told)
    {
        for (const Error &error : told.errors)
            QVERIFY2(isOfNode(error), qPrintable(oneLine(error)));
        QCOMPARE(told.totals.parked, 0);
        verifyEachOnce(world, rows);
    }

private slots:
    void initTestCase() { OUTBOX_START_SERVER(m_databases.postgres, {}, true); }

    void init() { QVERIFY(forgetLives(m_state.path())); }

    void aSlotThatMovesHoldsUpItsQueueAlone_data()
    {
        QTest::addColumn<int>("dialect");
        QTest::newRow("PostgreSQL") << int(DatabaseUrl::Dialect::PostgreSql);
        QTest::newRow("SQLite") << int(DatabaseUrl::Dialect::Sqlite);
    }

    void aSlotThatMovesHoldsUpItsQueueAlone()
    {
        QFETCH(int, dialect);
        ClusterWorld world;
        OUTBOX_START_SERVER(world, 3);
        const DatabaseUrl url = m_databases.fresh(static_cast<DatabaseUrl::Dialect>(dialect));
        SideSession side(url);
        side.run(classicTable(u", queue text"_s));
        insert(side, 1, rows / 2);
        RelaySession pair;
        QVERIFY_RESULT(pair.open(target(url, world)));
        QCOMPARE(pair.facts().mode, u"cluster"_s);
        Told told;
        const QString left = u"SELECT count(*) FROM outbox"_s;
        QVERIFY(work(pair, side, left, u"0"_s, told));
        QVERIFY(told.errors.isEmpty() && !told.hadRest);

        const int slot = slotOfQueue(3);
        QVERIFY_RESULT(world.beginMove(slot, (world.ownerOf(slot) + 1) % 3));
        QVERIFY_RESULT(world.moveKeys(10));
        insert(side, rows / 2 + 1, rows / 2);
        const QString ofOthers = u"SELECT count(*) FROM outbox WHERE queue <> 'q3'"_s;
        QVERIFY(work(pair, side, ofOthers, u"0"_s, told));
        QVERIFY(side.one(left).toInt() > 0);
        QVERIFY(!told.errors.isEmpty());

        while (world.moveKeys(10).value_or(0) > 0)
            QVERIFY(work(pair, side, ofOthers, u"0"_s, told));
        QVERIFY_RESULT(world.endMove());
        QVERIFY(work(pair, side, left, u"0"_s, told));
        QVERIFY(told.hadRest && !told.hasRest);
        QCOMPARE(told.totals.delivered(), rows);
        verifyNothingLost(world, told);
    }

    /// What a node forgets or cuts costs no row and doubles none.
    void lostScriptsAndConnectionsCostNothing()
    {
        ClusterWorld world;
        OUTBOX_START_SERVER(world, 3);
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        side.run(classicTable(u", queue text"_s));
        RelaySession pair;
        QVERIFY_RESULT(pair.open(target(url, world)));
        Told told;
        for (int round = 0; round < 10; ++round) {
            insert(side, round * rows / 10 + 1, rows / 10);
            RedisConnection &hand = world.hand(round % 3);
            QVERIFY_RESULT(hand.command({"SCRIPT", "FLUSH"}, u"forgetting"_s));
            QVERIFY_RESULT(
                hand.command({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"}, u"cutting"_s));
            QVERIFY(work(pair, side, u"SELECT count(*) FROM outbox"_s, u"0"_s, told));
        }
        verifyNothingLost(world, told);
    }

    /// Its queues wait until a replica has its place; the others go on meanwhile.
    void aPrimaryThatDiesHoldsUpItsQueuesAlone()
    {
        ClusterWorld world;
        OUTBOX_START_SERVER(world, 3, 1);
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        side.run(classicTable(u", queue text"_s));
        insert(side, 1, rows / 2);
        RelayTarget relayed = target(url, world);
        relayed.rules.replicas = 1; // nothing is lost with the node
        RelaySession pair;
        QVERIFY_RESULT(pair.open(relayed));
        Told told;
        const QString left = u"SELECT count(*) FROM outbox"_s;
        QVERIFY(work(pair, side, left, u"0"_s, told));
        pair.close();
        relayed.rules.replicas = 0; // a new primary has none
        QVERIFY_RESULT(pair.open(relayed));

        // A node that does not have the list of queues, which every batch writes to.
        const int ofList = world.ownerOf(slotOf(asynq::allQueues));
        int dead = 0;
        QStringList waiting;
        for (int queue = 0; waiting.isEmpty() || queue < queues; ++queue) {
            const int owner = world.ownerOf(slotOfQueue(queue));
            if (waiting.isEmpty())
                dead = owner;
            if (owner == dead && owner != ofList)
                waiting += u"'q%1'"_s.arg(queue);
        }
        const auto setFailover = [&](const QByteArray &isKept) {
            return world.hand(dead + 3).command(
                {"CONFIG", "SET", "cluster-replica-no-failover", isKept}, u"staging"_s);
        };
        QVERIFY_RESULT(setFailover("yes"));
        world.server(dead).kill();
        insert(side, rows / 2 + 1, rows / 2);
        const QString ofOthers
            = u"SELECT count(*) FROM outbox WHERE queue NOT IN (%1)"_s.arg(waiting.join(u','));
        QVERIFY(work(pair, side, ofOthers, u"0"_s, told));
        QVERIFY(side.one(left).toInt() > 0);
        QVERIFY(!told.errors.isEmpty());
        QVERIFY_RESULT(setFailover("no"));
        QVERIFY(work(pair, side, left, u"0"_s, told));
        verifyNothingLost(world, told);
    }

    /// What it is judged by would refuse a replica for good: its slots are elsewhere, and that is
    /// found out.
    void aPrimaryThatChangesPlacesWithItsReplicaStopsNothing()
    {
        ClusterWorld world;
        OUTBOX_START_SERVER(world, 3, 1);
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        side.run(classicTable(u", queue text"_s));
        insert(side, 1, rows / 2);
        RelaySession pair;
        QVERIFY_RESULT(pair.open(target(url, world)));
        Told told;
        const QString left = u"SELECT count(*) FROM outbox"_s;
        QVERIFY(work(pair, side, left, u"0"_s, told));
        QVERIFY(told.errors.isEmpty());

        // Nodes 3, 4 and 5 follow 0, 1 and 2.
        const int before = world.ownerOf(slotOfQueue(0));
        QDeadlineTimer again(0); // a busy machine may take longer than the 5 s that Redis tries
        const auto isReplica = [&] {
            if (again.hasExpired()) {
                static_cast<void>(
                    world.hand(before + 3).command({"CLUSTER", "FAILOVER"}, u"staging"_s));
                again.setRemainingTime(6000);
            }
            const auto info = world.hand(before).command({"INFO", "replication"}, u"looking"_s);
            return info && info->bytes.contains("role:slave");
        };
        QTRY_VERIFY_WITH_TIMEOUT(isReplica(), 60'000);
        insert(side, rows / 2 + 1, rows / 2);
        QVERIFY(work(pair, side, left, u"0"_s, told));
        QCOMPARE(told.totals.delivered(), rows);
        verifyNothingLost(world, told);
    }

    /// Half of a cluster is no queue: the rows stay, and the right address is said.
    void aNodeThatIsNamedAloneIsRefused()
    {
        ClusterWorld world;
        OUTBOX_START_SERVER(world, 3);
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::Sqlite);
        SideSession side(url);
        side.run(classicTable(u", queue text"_s));
        insert(side, 1, 240);
        RelaySession pair;
        RelayTarget alone = target(url, world);
        alone.redis
            = RedisEndpoint::fromUrl(u"redis://127.0.0.1:%1"_s.arg(world.portOf(0))).value();
        const auto opened = pair.open(alone);
        QVERIFY(!opened);
        QCOMPARE(opened.error().kind, Error::Kind::Refused);
        QVERIFY2(oneLine(opened.error()).contains(u"redis+cluster://"_s),
                 qPrintable(oneLine(opened.error())));
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), u"240"_s);
    }
};

} // namespace tst_clusterrelay

OUTBOX_TEST(tst_clusterrelay::TestClusterRelay)
#include "tst_clusterrelay.moc"
