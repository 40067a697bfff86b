// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A relay into the queues of a Redis Cluster, while a slot is moved under it, scripts and
// connections are lost, and a node dies, hangs, refuses or lacks replicas: every row is there once,
// and only the queues concerned wait.
#include "app/relay/relaydriver.h"
#include "connectors/asynq/observe/inspector.h"
#include "connectors/asynq/wire/keys.h"
#include "connectors/redis/cluster/slots.h"
#include "tests/app/relayground.h"
#include "tests/support/clusterworld.h"
#include "tests/support/patience.h"
#include "tests/support/testprogram.h"

#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QSet>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
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
        QList<WaitingRows> waiting;
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
        while (clock.elapsed() < patient(60'000)) {
            const RelayBurst burst
                = pair.work(100, 1'000'000, 50, 5, RelayAim::Drained, stop.get_token());
            told.hasRest = burst.isQueueResting;
            told.hadRest = told.hadRest || burst.isQueueResting;
            for (const RelayStep &step : burst.steps) {
                told.totals.add(step);
                told.waiting += step.waiting;
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
    /// A node with queues that does not have the list of queues, which every batch writes to.
    static int nodeBesideTheList(ClusterWorld &world)
    {
        const int ofList = world.ownerOf(slotOf(asynq::allQueues));
        int queue = 0;
        while (world.ownerOf(slotOfQueue(queue)) == ofList)
            ++queue;
        return world.ownerOf(slotOfQueue(queue));
    }
    /// For an IN of SQL: the queues of this node.
    static QString queuesOf(ClusterWorld &world, int node)
    {
        QStringList names;
        for (int queue = 0; queue < queues; ++queue) {
            if (world.ownerOf(slotOfQueue(queue)) == node)
                names += u"'q%1'"_s.arg(queue);
        }
        return names.join(u',');
    }
    static QString countOf(const QString &condition)
    {
        return u"SELECT count(*) FROM outbox WHERE "_s + condition;
    }
    [[nodiscard]] static QString addressOf(ClusterWorld &world, int node)
    {
        return u"127.0.0.1:%1"_s.arg(world.portOf(node));
    }
    /// Rows come while something is wrong with a node: those of the others go, and none of its own.
    static void verifyOthersGoOn(ClusterWorld &world, int node, RelaySession &pair,
                                 SideSession &side, Told &told)
    {
        const QString ofNode = countOf(u"queue IN (%1)"_s.arg(queuesOf(world, node)));
        const QString ofOthers = countOf(u"queue NOT IN (%1)"_s.arg(queuesOf(world, node)));
        told = {};
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), u"0"_s);
        insert(side, rows / 2 + 1, rows / 2);
        const QString coming = side.one(ofNode);
        QVERIFY(work(pair, side, ofOthers, u"0"_s, told));
        QCOMPARE(side.one(ofNode), coming);
        QVERIFY(told.hasRest);
        const QString address = addressOf(world, node);
        QVERIFY(std::any_of(told.waiting.cbegin(), told.waiting.cend(),
                            [&](const WaitingRows &one) { return one.node == address; }));
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
        QVERIFY(!told.waiting.isEmpty());

        while (world.moveKeys(10).value_or(0) > 0)
            QVERIFY(work(pair, side, ofOthers, u"0"_s, told));
        QVERIFY_RESULT(world.endMove());
        QVERIFY(work(pair, side, left, u"0"_s, told));
        QVERIFY(told.hadRest && !told.hasRest);
        QCOMPARE(told.totals.delivered(), rows);
        verifyNothingLost(world, told);
    }

    /// Nodes without a port of plain TCP, which ask for client certificates.
    void aClusterWithTlsIsServedAndFollowed()
    {
        if (!TestCertificates::areUsable())
            QSKIP("the openssl command or Qt's TLS backend is not installed");
        constexpr int few = 200;
        const TestCertificates certificates;
        QVERIFY(certificates.makeForRedis());
        ClusterWorld world;
        OUTBOX_START_SERVER(world, 3, 0, certificates.redisTls(true));
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::Sqlite);
        SideSession side(url);
        side.run(classicTable(u", queue text"_s));
        insert(side, 1, few);
        RelayTarget withoutCertificate = target(url, world);
        withoutCertificate.redis.certificateFile.clear();
        withoutCertificate.redis.keyFile.clear();
        RelaySession pair;
        const auto refused = pair.open(withoutCertificate);
        QVERIFY(!refused);
        QVERIFY2(refused.error().hint.contains(u"client certificate"_s),
                 qPrintable(oneLine(refused.error())));
        pair.close();
        QVERIFY_RESULT(pair.open(target(url, world)));
        QCOMPARE(pair.facts().mode, u"cluster"_s);
        Told told;
        const QString left = u"SELECT count(*) FROM outbox"_s;
        QVERIFY(work(pair, side, left, u"0"_s, told));
        QVERIFY(told.errors.isEmpty() && !told.hadRest);

        const int slot = slotOfQueue(3);
        const int from = world.ownerOf(slot);
        QVERIFY_RESULT(world.beginMove(slot, (from + 1) % 3));
        QVERIFY_RESULT(world.finishMove()); // the relay is not told: MOVED sends it on
        insert(side, few + 1, few);
        QVERIFY(work(pair, side, left, u"0"_s, told));
        QCOMPARE(told.totals.delivered(), 2 * few);
        QCOMPARE(told.totals.parked, 0);
        for (const Error &error : told.errors)
            QVERIFY2(isOfNode(error), qPrintable(oneLine(error)));
        verifyEachOnce(world, 2 * few);
        QVERIFY(!QTest::currentTestFailed());

        AsynqInspector inspector;
        QVERIFY_RESULT(inspector.open(target(url, world).redis, u"look"_s));
        QList<QueueName> names;
        for (int queue = 0; queue < queues; ++queue)
            names += QueueName{u"q%1"_s.arg(queue)};
        const auto seen = inspector.snapshot(names);
        QVERIFY_RESULT(seen);
        qint64 pending = 0;
        for (const QueueSnapshot &one : *seen)
            pending += one.pending;
        QCOMPARE(pending, 2 * few);
    }

    void aSlotThatNobodyServesHoldsUpItsQueueAlone_data()
    {
        QTest::addColumn<bool>("isCircle");
        QTest::newRow("each node names the next one") << true;
        QTest::newRow("no node has it") << false;
    }
    /// Whoever follows MOVED without end never comes to the rows of the others.
    void aSlotThatNobodyServesHoldsUpItsQueueAlone()
    {
        QFETCH(bool, isCircle);
        ClusterWorld world;
        OUTBOX_START_SERVER(world, 3);
        const QByteArray slot = QByteArray::number(slotOfQueue(3));
        const int owner = world.ownerOf(slotOfQueue(3));
        QByteArrayList ids;
        for (int node = 0; node < 3; ++node) {
            const auto id = world.hand(node).command({"CLUSTER", "MYID"}, u"staging"_s);
            QVERIFY_RESULT(id);
            ids += id->bytes;
        }
        for (int each = 0; each < 3; ++each) { // the owner first, which would claim it again
            const int node = (owner + each) % 3;
            const RedisCommand wrong = isCircle
                ? RedisCommand{"CLUSTER", "SETSLOT", slot, "NODE", ids.at((node + 1) % 3)}
                : RedisCommand{"CLUSTER", "DELSLOTS", slot};
            QVERIFY_RESULT(world.hand(node).command(wrong, u"staging"_s));
        }
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        side.run(classicTable(u", queue text"_s));
        insert(side, 1, rows);
        const QString coming = side.one(countOf(u"queue = 'q3'"_s));
        RelaySession pair;
        QVERIFY_RESULT(pair.open(target(url, world)));
        Told told;
        QVERIFY(work(pair, side, countOf(u"queue <> 'q3'"_s), u"0"_s, told));
        QCOMPARE(side.one(countOf(u"queue = 'q3'"_s)), coming);
        QVERIFY(told.hadRest && !told.waiting.isEmpty());

        for (int node = 0; node < 3; ++node) {
            QVERIFY_RESULT(world.hand(node).command(
                {"CLUSTER", "SETSLOT", slot, "NODE", ids.at(owner)}, u"mending"_s));
        }
        QVERIFY(work(pair, side, u"SELECT count(*) FROM outbox"_s, u"0"_s, told));
        QVERIFY(!told.hasRest);
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

        const int dead = nodeBesideTheList(world);
        const auto setFailover = [&](const QByteArray &isKept) {
            return world.hand(dead + 3).command(
                {"CONFIG", "SET", "cluster-replica-no-failover", isKept}, u"staging"_s);
        };
        QVERIFY_RESULT(setFailover("yes"));
        world.server(dead).kill();
        verifyOthersGoOn(world, dead, pair, side, told);
        QVERIFY(!QTest::currentTestFailed());
        QVERIFY_RESULT(setFailover("no"));
        QVERIFY(work(pair, side, left, u"0"_s, told));
        verifyNothingLost(world, told);
    }

    /// Its rows stay, though their tasks are stored there, until a replica has them. Where WAIT
    /// speaks for the whole batch, no row of the others goes meanwhile.
    void aNodeWithTooFewReplicasHoldsUpItsQueuesAlone()
    {
        ClusterWorld world;
        OUTBOX_START_SERVER(world, 3, 1);
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        side.run(classicTable(u", queue text"_s));
        insert(side, 1, rows / 2);
        RelayTarget relayed = target(url, world);
        relayed.rules.replicas = 1;
        relayed.rules.replicaTimeoutMs = 300;
        RelaySession pair;
        QVERIFY_RESULT(pair.open(relayed));
        Told told;
        const QString left = u"SELECT count(*) FROM outbox"_s;
        QVERIFY(work(pair, side, left, u"0"_s, told));

        const int lacking = nodeBesideTheList(world);
        world.server(world.partnerOf(lacking)).freeze();
        verifyOthersGoOn(world, lacking, pair, side, told);
        world.server(world.partnerOf(lacking)).thaw();
        QVERIFY(!QTest::currentTestFailed());
        QVERIFY(told.errors.isEmpty());
        QVERIFY(work(pair, side, left, u"0"_s, told));
        verifyNothingLost(world, told);
    }

    /// It takes connections and answers nothing: the time that costs is not paid by each batch.
    void aPrimaryThatHangsHoldsUpItsQueuesAlone()
    {
        ClusterWorld world;
        OUTBOX_START_SERVER(world, 3);
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        side.run(classicTable(u", queue text"_s));
        insert(side, 1, rows / 2);
        RelaySession pair;
        QVERIFY_RESULT(pair.open(target(url, world)));
        Told told;
        const QString left = u"SELECT count(*) FROM outbox"_s;
        QVERIFY(work(pair, side, left, u"0"_s, told));

        const int hung = nodeBesideTheList(world);
        world.server(hung).freeze();
        verifyOthersGoOn(world, hung, pair, side, told);
        world.server(hung).thaw();
        QVERIFY(!QTest::currentTestFailed());
        QVERIFY(work(pair, side, left, u"0"_s, told));
        verifyNothingLost(world, told);
    }

    void aNodeThatRefusesHoldsUpItsQueuesAlone_data()
    {
        QTest::addColumn<QByteArrayList>("refuse");
        QTest::addColumn<QByteArrayList>("allow");
        QTest::addColumn<QString>("word");
        QTest::newRow("out of memory")
            << QByteArrayList{"CONFIG", "SET", "maxmemory", "1"}
            << QByteArrayList{"CONFIG", "SET", "maxmemory", "0"} << u"OOM"_s;
        QTest::newRow("a user without rights")
            << QByteArrayList{"ACL", "SETUSER", "deck", "-@all"}
            << QByteArrayList{"ACL", "SETUSER", "deck", "+@all"} << u"NOPERM"_s;
    }

    /// What it says was an error of the whole batch, and of the judgement of all nodes.
    void aNodeThatRefusesHoldsUpItsQueuesAlone()
    {
        QFETCH(QByteArrayList, refuse);
        QFETCH(QByteArrayList, allow);
        QFETCH(QString, word);
        ClusterWorld world;
        OUTBOX_START_SERVER(world, 3);
        const RedisCommand user{"ACL", "SETUSER", "deck", "on", ">secret", "~asynq:*", "+@all"};
        for (int node = 0; node < world.primaries(); ++node)
            QVERIFY_RESULT(world.hand(node).command(user, u"preparing"_s));
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        side.run(classicTable(u", queue text"_s));
        insert(side, 1, rows / 2);
        RelayTarget relayed = target(url, world);
        relayed.redis.user = u"deck"_s;
        relayed.redis.password = u"secret"_s;
        RelaySession pair;
        QVERIFY_RESULT(pair.open(relayed));
        Told told;
        const QString left = u"SELECT count(*) FROM outbox"_s;
        QVERIFY(work(pair, side, left, u"0"_s, told));

        const int refusing = nodeBesideTheList(world);
        QVERIFY_RESULT(world.hand(refusing).command(refuse, u"staging"_s));
        verifyOthersGoOn(world, refusing, pair, side, told);
        QVERIFY(!QTest::currentTestFailed());
        QVERIFY(told.errors.isEmpty());
        for (const WaitingRows &waiting : std::as_const(told.waiting)) {
            if (waiting.node == addressOf(world, refusing))
                QCOMPARE(waiting.error.code, word);
        }
        QVERIFY_RESULT(world.hand(refusing).command(allow, u"staging"_s));
        QVERIFY(work(pair, side, left, u"0"_s, told));
        verifyNothingLost(world, told);
    }

    /// 5,000 rows of a queue that rests stand before all others. A relay that waits longer and
    /// longer for its node, or that meets those rows at each claim, delivers none behind them.
    void rowsBehindThoseThatWaitGoAtOnce()
    {
        ClusterWorld world;
        OUTBOX_START_SERVER(world, 3);
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        side.run(classicTable(u", queue text"_s));
        const int refusing = nodeBesideTheList(world);
        const QString waits = queuesOf(world, refusing).section(u',', 0, 0);
        int well = 0;
        while (world.ownerOf(slotOfQueue(well)) == refusing)
            ++well;
        constexpr int before = 5000;
        constexpr int behind = 100;
        side.run(numbered(before, u"n, 'a', 'x', "_s + waits, u"outbox"_s));
        QVERIFY_RESULT(
            world.hand(refusing).command({"CONFIG", "SET", "maxmemory", "1"}, u"staging"_s));

        RelaySettings settings;
        settings.queue = u"q%1"_s.arg(well);
        settings.batch = 100;
        settings.pollMs = 20;
        settings.idsNeverReturn = true;
        settings.stateFolder = m_state.path();
        RelayDriver driver;
        QSignalSpy backingOff(&driver, &RelayDriver::backingOff);
        QSignalSpy finished(&driver, &RelayDriver::finished);
        qint64 claimed = 0;
        QStringList nodes;
        connect(&driver, &RelayDriver::stepsTaken, this, [&](const QList<RelayStep> &steps) {
            for (const RelayStep &step : steps) {
                claimed += step.claimed;
                for (const WaitingRows &waiting : step.waiting)
                    nodes += waiting.node;
            }
        });
        driver.start(settingsFor(url, StoreAccess::Relay), queuesShape(),
                     RedisEndpoint::fromUrl(world.url()).value(), settings);
        QTRY_VERIFY_WITH_TIMEOUT(!nodes.isEmpty(), patient(20'000));
        QVERIFY(driver.isQueueResting());
        QVERIFY(driver.rowsWaiting().value_or(0) >= before);
        const QString ofWell = countOf(u"queue = 'q%1'"_s.arg(well));
        for (int round = 0; round < 20; ++round) {
            side.run(numbered(behind,
                              u"n + %1, 'a', 'x', 'q%2'"_s.arg(before + round * behind).arg(well),
                              u"outbox"_s));
            claimed = 0;
            QTRY_VERIFY_WITH_TIMEOUT(side.one(ofWell) == u"0"_s, patient(20'000));
            QVERIFY2(claimed < before, "the rows that wait are claimed again and again");
        }
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), QString::number(before));
        QVERIFY(backingOff.isEmpty());
        nodes.removeAll(addressOf(world, refusing));
        QVERIFY2(nodes.isEmpty(), qPrintable(nodes.join(u' ')));

        QVERIFY_RESULT(
            world.hand(refusing).command({"CONFIG", "SET", "maxmemory", "0"}, u"staging"_s));
        QTRY_VERIFY_WITH_TIMEOUT(side.one(u"SELECT count(*) FROM outbox"_s) == u"0"_s,
                                 patient(20'000));
        QTRY_VERIFY(!driver.isQueueResting());
        driver.stop();
        QTRY_VERIFY_WITH_TIMEOUT(!finished.isEmpty(), patient(20'000));
        const auto depthOf = [&world](const QString &queue) {
            return world.number({"LLEN", asynq::QueueKeys(QueueName{queue}).pending()});
        };
        QCOMPARE(depthOf(waits.mid(1).chopped(1)), before);
        QCOMPARE(depthOf(u"q%1"_s.arg(well)), 20 * behind);
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
