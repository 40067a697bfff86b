// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A real Redis Cluster: which node a key goes to, what is sent again and what is not, tasks into
// queues of several nodes, and looks at them.
#include "connectors/asynq/asynqqueue.h"
#include "connectors/asynq/observe/inspector.h"
#include "connectors/redis/cluster/clusterlink.h"
#include "connectors/redis/cluster/slots.h"
#include "tests/support/clusterworld.h"
#include "tests/support/freeport.h"
#include "tests/support/patience.h"
#include "tests/support/redisprograms.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QSet>
#include <QElapsedTimer>
#include <QTest>

#include <algorithm>

namespace tst_cluster {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;
using Kind = EnqueueAnswer::Kind;
using Access = RedisConnection::Access;

class TestCluster : public QObject
{
    Q_OBJECT

    ClusterWorld m_world;
    RedisEndpoint m_endpoint;

    /// Runs a command with each key at its node.
    [[nodiscard]] static Result<QList<ClusterLink::Answer>>
    each(ClusterLink &link, const QByteArray &command, const QByteArrayList &keys)
    {
        if (auto ready = link.ensureOpen(); !ready)
            return passOn(ready);
        return link.exchange(keys, [&](RedisWire &wire, qsizetype at, bool) {
            wire.begin(2);
            wire.add(command);
            wire.add(keys.at(at));
        });
    }
    [[nodiscard]] QueueName queueAt(int node, const QByteArray &name) const
    {
        return QueueName{QString::fromLatin1(m_world.keyAt(node, name))};
    }
    [[nodiscard]] static EnqueueRequest requestTo(const QueueName &queue, const QString &id)
    {
        EnqueueRequest request = sampleRequest(id);
        request.queue = queue;
        return request;
    }
    [[nodiscard]] static QList<Kind> kindsOf(const QList<EnqueueAnswer> &answers)
    {
        QList<Kind> kinds;
        for (const EnqueueAnswer &answer : answers)
            kinds += answer.kind;
        return kinds;
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

    void theServerComputesTheSameSlots()
    {
        QList<RedisCommand> commands;
        QByteArrayList keys;
        for (int i = 0; i < 1000; ++i) {
            QByteArray key = "k" + QByteArray::number(i * 7919);
            if (i % 3 == 1)
                key = "asynq:{" + key + "}:t:" + QByteArray::number(i);
            if (i % 3 == 2)
                key.insert(i % 4, i % 2 == 0 ? "{}" : "{\xc3\xa4}{");
            keys += key;
            commands += {"CLUSTER", "KEYSLOT", key};
        }
        const auto replies = m_world.hand(0).pipeline(commands);
        QVERIFY_RESULT(replies);
        for (qsizetype i = 0; i < keys.size(); ++i)
            QVERIFY2(replies->at(i).integer == slotOf(keys.at(i)), keys.at(i).constData());
    }

    void theMapIsThatOfTheServers()
    {
        ClusterLink link;
        QVERIFY_RESULT(link.open(m_endpoint, Access::ReadOnly, u"test"_s));
        QCOMPARE(link.map().countWithoutOwner(), 0);
        QCOMPARE(link.map().primaries().size(), 3);
        for (const int slot : {0, 5460, 5462, 10'000, slotCount - 1}) {
            const auto owner = link.map().ownerOf(slot);
            QVERIFY(owner);
            QCOMPARE(owner->port, m_world.portOf(m_world.ownerOf(slot)));
        }
    }

    void aServerThatIsNoClusterIsRefused()
    {
        PrivateRedis alone;
        const quint16 port = freePort();
        OUTBOX_START_SERVER(alone,
                            {u"--port"_s, QString::number(port), u"--bind"_s, u"127.0.0.1"_s});
        ClusterLink link;
        const auto opened
            = link.open(RedisEndpoint::fromUrl(u"redis+cluster://127.0.0.1:%1"_s.arg(port)).value(),
                        Access::ReadOnly, u"test"_s);
        QVERIFY(!opened);
        QCOMPARE(opened.error().kind, Error::Kind::Refused);
        QVERIFY(!link.isOpen());
    }

    /// The first seed is dead: the next one is asked.
    void oneSeedIsEnough()
    {
        ClusterLink link;
        const QString url
            = u"redis+cluster://127.0.0.1:%1,127.0.0.1:%2"_s.arg(freePort()).arg(m_world.portOf(2));
        QVERIFY_RESULT(link.open(RedisEndpoint::fromUrl(url).value(), Access::ReadOnly, u"test"_s));
        QCOMPARE(link.map().primaries().size(), 3);
    }

    void eachCommandGoesToTheNodeOfItsKey()
    {
        ClusterLink link;
        QVERIFY_RESULT(link.open(m_endpoint, Access::Act, u"test"_s));
        QByteArrayList keys;
        for (int i = 0; i < 500; ++i)
            keys += QByteArray("count" + QByteArray::number(i));
        const auto answers = each(link, "INCR", keys);
        QVERIFY_RESULT(answers);
        QSet<RedisConnection *> nodes;
        for (const ClusterLink::Answer &answer : *answers) {
            QVERIFY_RESULT(answer.reply);
            QCOMPARE(answer.reply->integer, 1);
            nodes += answer.node;
        }
        QCOMPARE(nodes.size(), 3);
        qint64 sum = 0;
        for (int node = 0; node < 3; ++node)
            sum += numberOf(m_world.hand(node), {"DBSIZE"});
        QCOMPARE(sum, 500);
    }

    /// Only what met the moved slot is sent again: nothing is counted twice.
    void aMovedSlotIsFollowedByItsCommandsAlone()
    {
        ClusterLink link;
        QVERIFY_RESULT(link.open(m_endpoint, Access::Act, u"test"_s));
        const QByteArray there = m_world.keyAt(0, "moves");
        const QByteArrayList keys{m_world.keyAt(0, "stays"), there, m_world.keyAt(1, "stays"),
                                  there, m_world.keyAt(2, "stays")};
        const auto before = each(link, "INCR", keys);
        QVERIFY_RESULT(before);
        for (qsizetype i = 0; i < keys.size(); ++i)
            QVERIFY(link.isAt(keys.at(i), *before->at(i).node));
        QVERIFY_RESULT(m_world.beginMove(slotOf(there), 1));
        QVERIFY_RESULT(m_world.moveKeys(100));
        QVERIFY_RESULT(m_world.endMove());
        const auto answers = each(link, "INCR", keys);
        QVERIFY_RESULT(answers);
        const QList<qint64> counts{2, 3, 2, 4, 2};
        for (qsizetype i = 0; i < keys.size(); ++i) {
            QVERIFY_RESULT(answers->at(i).reply);
            QCOMPARE(answers->at(i).reply->integer, counts.at(i));
            QVERIFY(link.isAt(keys.at(i), *answers->at(i).node));
            QCOMPARE(link.isAt(keys.at(i), *before->at(i).node), keys.at(i) != there);
        }
        const auto owner = link.map().ownerOf(slotOf(there));
        QVERIFY(owner);
        QCOMPARE(owner->port, m_world.portOf(1));

        QVERIFY_RESULT(m_world.beginMove(slotOf(there), 0)); // back again, behind a link of looks
        ClusterLink looks;
        QVERIFY_RESULT(looks.open(m_endpoint, Access::ReadOnly, u"test"_s));
        QVERIFY_RESULT(m_world.moveKeys(100));
        QVERIFY_RESULT(m_world.endMove());
        const auto seen = looks.at(there, [&](RedisConnection &connection) {
            return connection.command({"GET", there}, u"looking"_s);
        });
        QVERIFY_RESULT(seen);
        QCOMPARE(seen->bytes, "4");
    }

    /// Who may not ask learns where slots are from what nodes reply, but not which nodes there are.
    void aUserWithoutTheRightToAskLearnsByTheWay()
    {
        for (int node = 0; node < 3; ++node) {
            QVERIFY_RESULT(m_world.hand(node).command(
                {"ACL", "SETUSER", "blind", "on", ">secret", "~*", "+@all", "-cluster"},
                u"staging"_s));
        }
        RedisEndpoint blind = m_endpoint;
        blind.user = u"blind"_s;
        blind.password = u"secret"_s;
        ClusterLink link;
        QVERIFY_RESULT(link.open(blind, Access::Act, u"test"_s));
        const QByteArrayList keys{m_world.keyAt(0, "b"), m_world.keyAt(1, "b"),
                                  m_world.keyAt(2, "b")};
        for (int round = 1; round <= 2; ++round) {
            const auto answers = each(link, "INCR", keys);
            QVERIFY_RESULT(answers);
            for (const ClusterLink::Answer &answer : *answers) {
                QVERIFY_RESULT(answer.reply);
                QCOMPARE(answer.reply->integer, round);
            }
        }
        std::optional<Error> missing;
        QVERIFY_RESULT(link.nodes(missing));
        QVERIFY(missing);
        QVERIFY2(missing->hint.contains(u"+cluster|slots"_s), qPrintable(oneLine(*missing)));
        AsynqInspector inspector;
        QVERIFY_RESULT(inspector.open(blind, u"test"_s));
        QVERIFY(!inspector.facts());
        QVERIFY_RESULT(inspector.queues());
    }

    void aDeadNodeConcernsItsKeysAlone()
    {
        ClusterWorld world;
        OUTBOX_START_SERVER(world, 3);
        ClusterLink link;
        QVERIFY_RESULT(
            link.open(RedisEndpoint::fromUrl(world.url()).value(), Access::Act, u"test"_s));
        const QByteArrayList keys{m_world.keyAt(0, "a"), m_world.keyAt(1, "a"),
                                  m_world.keyAt(2, "a")};
        QVERIFY_RESULT(each(link, "INCR", keys));
        world.server(2).kill();
        for (int round = 0; round < 3; ++round) { // the connection is cut, then refused
            const auto answers = each(link, "INCR", keys);
            QVERIFY_RESULT(answers);
            QVERIFY_RESULT(answers->at(0).reply);
            QVERIFY_RESULT(answers->at(1).reply);
            QVERIFY(!answers->at(2).reply || concernsNode(*answers->at(2).reply));
            QCOMPARE(answers->at(0).reply->integer, round + 2);
        }
        std::optional<Error> missing;
        const auto nodes = link.nodes(missing);
        QVERIFY_RESULT(nodes);
        QCOMPARE(nodes->size(), 2);
        QVERIFY(missing);
    }

    /// They are silent at the same time: each with the whole time would make it three times as
    /// long.
    void nodesThatHangAreWaitedForTogether()
    {
        ClusterWorld world;
        OUTBOX_START_SERVER(world, 3);
        constexpr std::chrono::milliseconds timeout(2000);
        ClusterLink link;
        QVERIFY_RESULT(link.open(RedisEndpoint::fromUrl(world.url()).value(), Access::Act,
                                 u"test"_s, timeout));
        const QByteArrayList keys{m_world.keyAt(0, "a"), m_world.keyAt(1, "a"),
                                  m_world.keyAt(2, "a")};
        QVERIFY_RESULT(each(link, "INCR", keys));
        for (int node = 0; node < 3; ++node)
            world.server(node).freeze();
        QElapsedTimer clock;
        clock.start();
        const auto answers = each(link, "INCR", keys);
        const qint64 took = clock.elapsed();
        for (int node = 0; node < 3; ++node)
            world.server(node).thaw();
        QVERIFY_RESULT(answers);
        for (const ClusterLink::Answer &answer : *answers)
            QVERIFY(!answer.reply);
        QVERIFY2(took < 2 * timeout.count(), qPrintable(QString::number(took)));
    }

    void tasksGoToTheNodesOfTheirQueues()
    {
        AsynqQueue relay;
        QVERIFY_RESULT(relay.open(m_endpoint, u"relay"_s));
        QList<EnqueueRequest> batch;
        for (int i = 0; i < 600; ++i)
            batch += requestTo({u"q%1"_s.arg(i % 12)}, u"row-%1"_s.arg(i));
        auto first = relay.enqueue(batch);
        QVERIFY_RESULT(first);
        QCOMPARE(kindsOf(*first).count(Kind::Stored), 600);
        QVERIFY_RESULT(relay.awaitCopies({1, false, 10}, batch, *first)); // no node has a replica
        QCOMPARE(kindsOf(*first).count(Kind::QueueAway), 600);
        // A node that forgets the script is told it again.
        for (int node = 0; node < 3; ++node)
            QVERIFY_RESULT(m_world.hand(node).command({"SCRIPT", "FLUSH"}, u"forgetting"_s));
        const auto second = relay.enqueue(batch);
        QVERIFY_RESULT(second);
        QCOMPARE(kindsOf(*second).count(Kind::Exists), 600);
        for (int i = 0; i < 12; ++i) {
            const asynq::QueueKeys keys(QueueName{u"q%1"_s.arg(i)});
            QCOMPARE(m_world.number({"LLEN", keys.pending()}), 50);
            QCOMPARE(relay.backlog({u"q%1"_s.arg(i)}).value_or(-1), 50);
        }
        QCOMPARE(m_world.number({"SCARD", asynq::allQueues}), 12);
    }

    /// Half of a queue's keys are elsewhere: its rows wait, and no other's.
    void aQueueThatIsBeingMovedIsAway()
    {
        AsynqQueue relay;
        QVERIFY_RESULT(relay.open(m_endpoint, u"relay"_s));
        const QueueName moving = queueAt(0, "moving");
        const QueueName staying = queueAt(0, "staying");
        const auto fill = [&](const QString &stem) {
            QList<EnqueueRequest> batch;
            for (int i = 0; i < 20; ++i)
                batch += requestTo(i % 2 == 0 ? moving : staying, stem + QString::number(i));
            return relay.enqueue(batch);
        };
        QVERIFY_RESULT(fill(u"before"_s));
        const int slot = slotOf(moving.text.toLatin1());
        QVERIFY_RESULT(m_world.beginMove(slot, 2));
        QVERIFY_RESULT(m_world.moveKeys(5));
        const auto during = fill(u"during"_s);
        QVERIFY_RESULT(during);
        for (qsizetype i = 0; i < during->size(); ++i)
            QCOMPARE(during->at(i).kind, i % 2 == 0 ? Kind::QueueAway : Kind::Stored);
        const QString word = during->first().code; // ASK of Redis 6
        QVERIFY2(word == u"TRYAGAIN"_s || word == u"ASK"_s, qPrintable(word));
        QVERIFY_RESULT(m_world.moveKeys(1000));
        QVERIFY_RESULT(m_world.endMove());
        const auto after = fill(u"during"_s);
        QVERIFY_RESULT(after);
        for (qsizetype i = 0; i < after->size(); ++i)
            QCOMPARE(after->at(i).kind, i % 2 == 0 ? Kind::Stored : Kind::Exists);
        QCOMPARE(m_world.number({"LLEN", asynq::QueueKeys(moving).pending()}), 20);
        QCOMPARE(m_world.number({"LLEN", asynq::QueueKeys(staying).pending()}), 20);
    }

    /// One that hangs takes the time of its answer once, and the others' queues go on.
    void aNodeThatHangsConcernsItsQueuesAlone()
    {
        AsynqQueue relay;
        QVERIFY_RESULT(relay.open(m_endpoint, u"relay"_s, std::chrono::milliseconds(300)));
        relay.checkServer([](const RedisFacts &) { return QString(); });
        QVERIFY_RESULT(relay.judge());
        QCOMPARE(relay.facts().mode, u"cluster"_s);
        const int listed = m_world.ownerOf(slotOf(asynq::allQueues));
        const int hung = (listed + 1) % 3;
        const QueueName there = queueAt(hung, "hung");
        const QueueName here = queueAt(listed, "well");
        const auto send = [&](const QString &id) {
            relay.judgeBeforeBatch();
            return relay.enqueue({requestTo(there, id), requestTo(here, id)});
        };
        m_world.server(hung).freeze();
        for (const QString &id : {u"1"_s, u"2"_s}) {
            const auto answers = send(id);
            QVERIFY_RESULT(answers);
            QCOMPARE(kindsOf(*answers), (QList{Kind::QueueAway, Kind::Stored}));
        }
        m_world.server(hung).thaw();
        const auto isWell = [&] {
            const auto answers = send(u"1"_s);
            return answers && answers->first().kind != Kind::QueueAway;
        };
        QTRY_VERIFY(isWell());
    }

    /// The node of the list of queues is needed by all of them, and its name is told: that of a
    /// queue's own node would be looked for in vain.
    void theListOfQueuesIsNeededByEachQueue()
    {
        ClusterWorld world;
        OUTBOX_START_SERVER(world, 3);
        AsynqQueue relay;
        QVERIFY_RESULT(relay.open(RedisEndpoint::fromUrl(world.url()).value(), u"relay"_s));
        const int listed = world.ownerOf(slotOf(asynq::allQueues));
        const QueueName other = queueAt((listed + 1) % 3, "other");
        QVERIFY_RESULT(relay.enqueue({requestTo(other, u"1"_s)}));
        world.server(listed).kill();
        const auto answers = relay.enqueue({requestTo(other, u"2"_s)});
        QVERIFY_RESULT(answers);
        QCOMPARE(kindsOf(*answers), QList{Kind::QueueAway});
        QVERIFY2(answers->first().detail.startsWith(u"asynq:queues"_s),
                 qPrintable(answers->first().detail));
        QVERIFY(answers->first().isOfAll);
    }

    /// WAIT is asked of each node, and what one lacks concerns its queue alone: where the fewest of
    /// all counted, no row of the others could go. A batch that is committed without its rows
    /// leaves nothing there that the node could be said to have lost.
    void tooFewReplicasOfANodeConcernItsQueuesAlone()
    {
        ClusterWorld world;
        OUTBOX_START_SERVER(world, 3, 1);
        AsynqQueue relay;
        QVERIFY_RESULT(relay.open(RedisEndpoint::fromUrl(world.url()).value(), u"relay"_s));
        QList<EnqueueRequest> batch;
        for (int node = 0; node < 3; ++node)
            batch += requestTo(queueAt(node, "w"), u"row-%1"_s.arg(node));
        relay.watchLives("test-relay", {});
        QList<EnqueueAnswer> answers;
        const auto send = [&](int timeoutMs) {
            auto found = relay.enqueue(batch);
            const bool isAnswered
                = found && relay.awaitCopies({1, false, timeoutMs}, batch, *found).has_value();
            answers = isAnswered ? *found : QList<EnqueueAnswer>();
            relay.committed(relay.lastBatch(), 2);
            return kindsOf(answers);
        };
        const auto committedOf = [&](int node) {
            qint64 batchNumber = -1;
            for (const QueueLife &life : relay.lives()) {
                if (life.queue == batch.at(node).queue)
                    batchNumber = life.committed;
            }
            return batchNumber;
        };
        QCOMPARE(send(5000), (QList{Kind::Stored, Kind::Stored, Kind::Stored}));
        const qint64 first = relay.lastBatch();
        QCOMPARE(committedOf(1), first);
        // Nodes 3, 4 and 5 follow 0, 1 and 2.
        world.server(4).freeze();
        QCOMPARE(send(300), (QList{Kind::Exists, Kind::QueueAway, Kind::Exists}));
        QCOMPARE(answers.at(1).node, u"127.0.0.1:%1"_s.arg(world.portOf(1)));
        QVERIFY2(answers.at(1).detail.startsWith(u"0 of 1"_s), qPrintable(answers.at(1).detail));
        QVERIFY(!answers.at(1).wasStored);
        QCOMPARE(committedOf(0), relay.lastBatch());
        QCOMPARE(committedOf(1), first);
        world.server(4).thaw();
        QCOMPARE(send(10'000), (QList{Kind::Exists, Kind::Exists, Kind::Exists}));
        QCOMPARE(committedOf(1), relay.lastBatch());
    }

    /// So does what the disk of one has not got, and a file that one does not keep. Under always
    /// and no also those answer in truth that do not under everysec.
    void theDiskOfANodeConcernsItsQueuesAlone_data()
    {
        addRedisPrograms({WaitAof::Early, WaitAof::Synced});
    }
    void theDiskOfANodeConcernsItsQueuesAlone()
    {
        QFETCH(QString, program);
        const RedisProgram servers(program);
        ClusterWorld world;
        OUTBOX_START_SERVER(world, 3);
        const auto set = [&world](int node, const QByteArray &setting, const QByteArray &value) {
            return world.hand(node).command({"CONFIG", "SET", setting, value}, u"staging"_s);
        };
        AsynqQueue relay;
        QVERIFY_RESULT(relay.open(RedisEndpoint::fromUrl(world.url()).value(), u"relay"_s));
        QList<EnqueueRequest> batch;
        for (int node = 0; node < 3; ++node) {
            batch += requestTo(queueAt(node, "w"), u"row-%1"_s.arg(node));
            const auto refused = relay.tryDisk();
            QVERIFY(!refused);
            QCOMPARE(refused.error().kind, Error::Kind::Refused);
            QVERIFY_RESULT(set(node, "appendfsync", "always"));
            QVERIFY_RESULT(set(node, "appendonly", "yes"));
        }
        QVERIFY_RESULT(relay.tryDisk());
        relay.watchLives("test-relay", {});
        QList<EnqueueAnswer> answers;
        const auto send = [&](int timeoutMs) {
            auto found = relay.enqueue(batch);
            const bool isAnswered
                = found && relay.awaitCopies({0, true, timeoutMs}, batch, *found).has_value();
            answers = isAnswered ? *found : QList<EnqueueAnswer>();
            return kindsOf(answers);
        };
        const QList oneIsAway{Kind::Exists, Kind::QueueAway, Kind::Exists};
        QCOMPARE(send(30'000), (QList{Kind::Stored, Kind::Stored, Kind::Stored}));
        QVERIFY_RESULT(set(1, "appendfsync", "no")); // it never syncs by itself
        QCOMPARE(send(500), oneIsAway);
        QCOMPARE(answers.at(1).node, u"127.0.0.1:%1"_s.arg(world.portOf(1)));
        QVERIFY2(answers.at(1).detail.contains(u"after 500 ms"_s),
                 qPrintable(answers.at(1).detail));
        QVERIFY_RESULT(set(1, "appendonly", "no"));
        QCOMPARE(send(500), oneIsAway);
        QVERIFY2(answers.at(1).detail.contains(u"no append-only file"_s),
                 qPrintable(answers.at(1).detail));
        QVERIFY_RESULT(set(1, "appendfsync", "always"));
        QVERIFY_RESULT(set(1, "appendonly", "yes"));
        QCOMPARE(send(30'000), (QList{Kind::Exists, Kind::Exists, Kind::Exists}));
    }

    /// What one node refuses holds up its queues, and is told with the node; no error stops all.
    void whatANodeRefusesConcernsItsQueuesAlone_data()
    {
        QTest::addColumn<RedisCommand>("refuse");
        QTest::addColumn<RedisCommand>("allow");
        QTest::addColumn<QString>("word");
        QTest::newRow("OOM") << RedisCommand{"CONFIG", "SET", "maxmemory", "1"}
                             << RedisCommand{"CONFIG", "SET", "maxmemory", "0"} << u"OOM"_s;
        QTest::newRow("NOREPLICAS")
            << RedisCommand{"CONFIG", "SET", "min-replicas-to-write", "1"}
            << RedisCommand{"CONFIG", "SET", "min-replicas-to-write", "0"} << u"NOREPLICAS"_s;
        QTest::newRow("NOPERM, a command")
            << RedisCommand{"ACL", "SETUSER", "deck", "-eval", "-evalsha"}
            << RedisCommand{"ACL", "SETUSER", "deck", "+eval", "+evalsha"} << u"NOPERM"_s;
        QTest::newRow("NOPERM, a key")
            << RedisCommand{"ACL", "SETUSER", "deck", "resetkeys"}
            << RedisCommand{"ACL", "SETUSER", "deck", "~asynq:*"} << u"NOPERM"_s;
        QTest::newRow("NOPERM, what it is judged by")
            << RedisCommand{"ACL", "SETUSER", "deck", "-info"}
            << RedisCommand{"ACL", "SETUSER", "deck", "+info"} << u"NOPERM"_s;
    }

    void whatANodeRefusesConcernsItsQueuesAlone()
    {
        QFETCH(RedisCommand, refuse);
        QFETCH(RedisCommand, allow);
        QFETCH(QString, word);
        const RedisCommand user{"ACL", "SETUSER", "deck", "on", ">secret", "~asynq:*", "+@all"};
        for (int node = 0; node < 3; ++node)
            QVERIFY_RESULT(m_world.hand(node).command(user, u"preparing"_s));
        RedisEndpoint endpoint = m_endpoint;
        endpoint.user = u"deck"_s;
        endpoint.password = u"secret"_s;
        AsynqQueue relay;
        QVERIFY_RESULT(relay.open(endpoint, u"relay"_s));
        relay.checkServer([](const RedisFacts &) { return QString(); });
        QVERIFY_RESULT(relay.judge());
        // The node of the list of queues is needed by all of them.
        const int listed = m_world.ownerOf(slotOf(asynq::allQueues));
        const int refusing = (listed + 1) % 3;
        const QByteArray name = QByteArray(QTest::currentDataTag()).toHex();
        QList<EnqueueRequest> batch;
        for (int i = 0; i < 4; ++i) {
            const int node = i % 2 == 0 ? refusing : listed;
            batch += requestTo(queueAt(node, name), u"row-%1"_s.arg(i));
        }
        RedisConnection &hand = m_world.hand(refusing);
        QVERIFY_RESULT(hand.command(refuse, u"staging"_s));
        relay.judgeBeforeBatch();
        const auto during = relay.enqueue(batch);
        QVERIFY_RESULT(hand.command(allow, u"staging"_s));
        QVERIFY_RESULT(during);
        for (qsizetype i = 0; i < during->size(); ++i)
            QCOMPARE(during->at(i).kind, i % 2 == 0 ? Kind::QueueAway : Kind::Stored);
        QCOMPARE(during->first().code, word);
        QCOMPARE(during->first().node, u"127.0.0.1:%1"_s.arg(m_world.portOf(refusing)));
        QVERIFY(!during->first().isOfAll);
        relay.judgeBeforeBatch();
        const auto after = relay.enqueue(batch);
        QVERIFY_RESULT(after);
        for (const EnqueueAnswer &answer : *after)
            QVERIFY(answer.kind == Kind::Stored || answer.kind == Kind::Exists);
        for (const qsizetype row : {0, 1}) {
            const asynq::QueueKeys keys(batch.at(row).queue);
            QCOMPARE(m_world.number({"LLEN", keys.pending()}), 2);
        }
    }

    /// The keys of one row may not be touched, those of the others of its queue may: were the queue
    /// called away all of them would wait, and that row would never be parked.
    void aRowThatANodeRefusesIsNamedAlone()
    {
        const QueueName queue = queueAt(0, "n");
        const QByteArray keys = "~asynq:{" + queue.text.toLatin1() + "}:";
        const RedisCommand user{
            "ACL",     "SETUSER", "narrow",        "reset",         "on",
            ">secret", "+@all",   "~asynq:queues", keys + "[a-s]*", keys + "t:row-*"};
        for (int node = 0; node < 3; ++node)
            QVERIFY_RESULT(m_world.hand(node).command(user, u"preparing"_s));
        RedisEndpoint endpoint = m_endpoint;
        endpoint.user = u"narrow"_s;
        endpoint.password = u"secret"_s;
        AsynqQueue relay;
        QVERIFY_RESULT(relay.open(endpoint, u"relay"_s));
        const QList<EnqueueRequest> batch{
            requestTo(queue, u"forbidden"_s), requestTo(queue, u"row-1"_s),
            requestTo(queue, u"row-2"_s), requestTo(queueAt(1, "n"), u"row-3"_s)};
        const auto answers = relay.enqueue(batch);
        const auto alone = relay.enqueue(batch.first(1)); // as the try that parks it
        for (int node = 0; node < 3; ++node)
            QVERIFY_RESULT(m_world.hand(node).command({"ACL", "DELUSER", "narrow"}, u"clearing"_s));
        QVERIFY_RESULT(answers);
        QCOMPARE(kindsOf(*answers),
                 (QList{Kind::Rejected, Kind::Stored, Kind::Stored, Kind::QueueAway}));
        QCOMPARE(answers->first().code, u"NOPERM"_s);
        QVERIFY_RESULT(alone);
        QCOMPARE(kindsOf(*alone), QList{Kind::Rejected});
    }

    void looksAreWhatTheNodesSayTogether()
    {
        AsynqQueue relay;
        QVERIFY_RESULT(relay.open(m_endpoint, u"relay"_s));
        QList<QueueName> queues;
        QList<EnqueueRequest> batch;
        for (int node = 0; node < 3; ++node) {
            queues += queueAt(node, "look");
            for (int i = 0; i <= node; ++i)
                batch += requestTo(queues.last(), u"row-%1-%2"_s.arg(node).arg(i));
        }
        QVERIFY_RESULT(relay.enqueue(batch));

        AsynqInspector inspector;
        QVERIFY_RESULT(inspector.open(m_endpoint, u"test"_s));
        auto names = inspector.queues();
        QVERIFY_RESULT(names);
        QCOMPARE(QSet<QueueName>(names->cbegin(), names->cend()),
                 QSet<QueueName>(queues.cbegin(), queues.cend()));
        const auto snapshots = inspector.snapshot(queues + QList{QueueName{u"nobody"_s}});
        QVERIFY_RESULT(snapshots);
        for (int node = 0; node < 3; ++node) {
            QCOMPARE(snapshots->at(node).pending, node + 1);
            QVERIFY(snapshots->at(node).known);
            QCOMPARE(snapshots->at(node).servers, 0);
        }
        QVERIFY(!snapshots->last().known);
        const auto page = inspector.tasks(queues.last(), TaskState::Pending, 10, {});
        QVERIFY_RESULT(page);
        QCOMPARE(page->tasks.size(), 3);
        const auto found = inspector.findAnywhere(queues.first(), QList{TaskId{u"row-2-1"_s}});
        QVERIFY_RESULT(found);
        QVERIFY(*found);
        QCOMPARE((*found)->queue, queues.last());
        QVERIFY_RESULT(inspector.workers());

        const auto facts = inspector.facts();
        QVERIFY_RESULT(facts);
        qint64 sum = 0;
        for (int node = 0; node < 3; ++node)
            sum += numberOf(m_world.hand(node), {"DBSIZE"});
        QCOMPARE(facts->dbSize, sum);
        QCOMPARE(facts->mode, u"cluster"_s);
    }

    /// The walk goes from node to node: a task of any queue is met, whichever node has it.
    void tasksAreFoundByTheirNamesAtAllNodes()
    {
        AsynqQueue relay;
        QVERIFY_RESULT(relay.open(m_endpoint, u"relay"_s));
        QSet<QString> wanted;
        QList<EnqueueRequest> batch;
        for (int node = 0; node < 3; ++node) {
            for (int i = 0; i < 1500; ++i) // more than one step of each node's walk
                batch += requestTo(queueAt(node, "named"), u"row-%1-%2"_s.arg(node).arg(i));
            wanted += u"row-%1-77"_s.arg(node);
        }
        QVERIFY_RESULT(relay.enqueue(batch));
        AsynqInspector inspector;
        QVERIFY_RESULT(inspector.open(m_endpoint, u"test"_s));
        QSet<QString> found;
        QString cursor;
        do {
            const auto named = inspector.tasksNamed({u"row-"_s, u"-77"_s}, cursor);
            QVERIFY_RESULT(named);
            for (const auto &[queue, task] : *named) {
                if (task.text.endsWith(u"-77"_s))
                    found += task.text;
            }
        } while (!cursor.isEmpty());
        QCOMPARE(found, wanted);
        QSet<QueueName> queues;
        QByteArray place = "0";
        do {
            const auto some = inspector.walkToQueues(place);
            QVERIFY_RESULT(some);
            queues += QSet<QueueName>(some->cbegin(), some->cend());
        } while (place != "0");
        QCOMPARE(queues.size(), 3);
    }

    /// What was passed over meanwhile is not known, and a walk that goes on would not tell it.
    void aWalkEndsWhereASlotWasMovedMeanwhile()
    {
        AsynqQueue relay;
        QVERIFY_RESULT(relay.open(m_endpoint, u"relay"_s));
        const QueueName moving = queueAt(2, "walked");
        QList<EnqueueRequest> batch;
        for (int i = 0; i < 3000; ++i)
            batch += requestTo(queueAt(0, "walked"), u"row-%1"_s.arg(i));
        batch += requestTo(moving, u"row-lost"_s);
        QVERIFY_RESULT(relay.enqueue(batch));
        AsynqInspector inspector;
        QVERIFY_RESULT(inspector.open(m_endpoint, u"test"_s));
        QString cursor;
        QVERIFY_RESULT(inspector.tasksNamed({u"row-"_s}, cursor));
        QVERIFY(!cursor.isEmpty());
        const int slot = slotOf(moving.text.toLatin1());
        QVERIFY_RESULT(m_world.beginMove(slot, 0)); // to where the walk is, or was
        while (m_world.moveKeys(1000).value_or(0) > 0) { }
        QVERIFY_RESULT(m_world.endMove());
        // Looking at the queue tells it; a walk asks by itself once a second.
        QVERIFY_RESULT(inspector.find(moving, {u"row-lost"_s}));
        Result<void> walked;
        while (walked && !cursor.isEmpty()) {
            const auto named = inspector.tasksNamed({u"row-"_s}, cursor);
            walked = named ? Result<void>() : passOn(named);
        }
        QVERIFY(!walked);
        QCOMPARE(walked.error().kind, Error::Kind::Unreachable);
        QVERIFY_RESULT(m_world.beginMove(slot, 2)); // the slots are shared by all tests
        while (m_world.moveKeys(1000).value_or(0) > 0) { }
        QVERIFY_RESULT(m_world.endMove());
    }

    /// A look that cannot be complete fails: it must not tell a part as the whole.
    void aLookWithoutANodeFails()
    {
        ClusterWorld world;
        OUTBOX_START_SERVER(world, 3);
        AsynqInspector inspector;
        QVERIFY_RESULT(inspector.open(RedisEndpoint::fromUrl(world.url()).value(), u"test"_s));
        QVERIFY_RESULT(inspector.facts());
        world.server(2).kill();
        QVERIFY(!inspector.facts());
        QVERIFY(!inspector.snapshot({queueAt(0, "x"), queueAt(2, "x")}));
        QVERIFY(inspector.glance(queueAt(0, "x"), QList{TaskId{u"1"_s}}));
    }
};

} // namespace tst_cluster

OUTBOX_TEST(tst_cluster::TestCluster)
#include "tst_cluster.moc"
