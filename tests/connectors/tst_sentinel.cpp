// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Real sentinels tell where the master is: what a connection makes of it, and what the watch hears
// of a failover.
#include "connectors/redis/connection.h"
#include "connectors/redis/mastersearch.h"
#include "connectors/redis/sentinel/masterwatch.h"
#include "tests/support/freeport.h"
#include "tests/support/patience.h"
#include "tests/support/resultmacros.h"
#include "tests/support/rolespage.h"
#include "tests/support/sentinelworld.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <array>
#include <chrono>

namespace tst_sentinel {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

using Access = RedisConnection::Access;

class TestSentinel : public QObject
{
    Q_OBJECT

    SentinelWorld m_world;

    /// The same world, of which these are known at the start.
    RedisEndpoint knowing(const QList<HostPort> &sentinels) const
    {
        RedisEndpoint endpoint = m_world.endpoint();
        endpoint.sentinels->hosts = sentinels;
        return endpoint;
    }
    /// Waits for what is told once, which QTRY_VERIFY would ask for twice.
    template <typename Once> static bool comes(Once once, int ms = 20'000)
    {
        return QTest::qWaitFor(once, patient(ms));
    }
    /// What a sentinel knows of its master, which it learns behind its start.
    static SentinelAnswer told(const PrivateSentinel &by)
    {
        RedisConnection connection;
        const auto opened = connection.open(RedisEndpoint::fromUrl(by.url()).value(),
                                            Access::ReadOnly, u"test"_s);
        if (!opened)
            return {};
        return askSentinel(connection, u"main"_s).value_or(SentinelAnswer());
    }
    /// The port of the node that is talked to, by its own word; 0 where it is no master.
    static quint16 masterBehind(RedisConnection &connection)
    {
        const auto role = connection.command({"INFO", "replication"}, u"asking for the role"_s);
        const auto server = connection.command({"INFO", "server"}, u"asking for the port"_s);
        if (!role || !server || !role->bytes.contains("role:master"))
            return 0;
        const qsizetype begin = server->bytes.indexOf("tcp_port:") + 9;
        return server->bytes.mid(begin, server->bytes.indexOf('\r', begin) - begin).toUShort();
    }

private slots:
    void initTestCase() { OUTBOX_START_SERVER(m_world, 2); }

    void theMasterIsFound()
    {
        RedisConnection redis;
        QVERIFY_RESULT(redis.open(m_world.endpoint(), Access::Act, u"test"_s));
        QCOMPARE(masterBehind(redis), m_world.port(0));
        QVERIFY_RESULT(redis.command({"SET", "k", "1"}, u"writing"_s));
    }

    /// One that is cut off may have gone on to name what the others left long ago. Here it has
    /// never known better.
    void aSentinelThatNamesAReplicaIsPassedOver()
    {
        PrivateSentinel stale;
        QVERIFY_RESULT(stale.start(m_world.port(1)));
        QCOMPARE(stale.masterPort(), m_world.port(1));
        RedisConnection redis;
        QVERIFY_RESULT(redis.open(knowing({stale.at(), m_world.sentinel(0).at()}), Access::ReadOnly,
                                  u"test"_s));
        QCOMPARE(masterBehind(redis), m_world.port(0));
    }

    /// Nobody outvotes it: what the node says of itself counts. Nor do two sentinels contradict
    /// each other where one knows as a replica what the other one names.
    void aReplicaThatIsNamedAloneIsNotUsed()
    {
        const quint16 ofMaster = freePort();
        const quint16 ofReplica = freePort();
        PrivateRedis master;
        PrivateRedis replica;
        OUTBOX_START_SERVER(master, {u"--port"_s, QString::number(ofMaster)});
        OUTBOX_START_SERVER(replica,
                            {u"--port"_s, QString::number(ofReplica), u"--replicaof"_s,
                             u"127.0.0.1"_s, QString::number(ofMaster)});
        PrivateSentinel stale;
        QVERIFY_RESULT(stale.start(ofReplica));
        RedisConnection redis;
        const auto opened = redis.open(knowing({stale.at()}), Access::Act, u"test"_s);
        QVERIFY(!opened);
        QCOMPARE(opened.error().kind, Error::Kind::Unreachable);
        const QString words = u"127.0.0.1:%1: it is no master"_s.arg(ofReplica);
        QVERIFY2(opened.error().text.contains(words), qPrintable(oneLine(opened.error())));
        QVERIFY(!redis.isOpen());

        PrivateSentinel right;
        QVERIFY_RESULT(right.start(ofMaster));
        QVERIFY(comes(
            [&] { return !told(stale).runId.isEmpty() && told(right).replicas.size() == 1; }));
        QVERIFY_RESULT(redis.open(knowing({stale.at(), right.at()}), Access::Act, u"test"_s));
        QCOMPARE(masterBehind(redis), ofMaster);
    }

    /// The others were started anew with a master that is gone, and know no replica: they do not
    /// outvote the one that has seen the failover.
    void sentinelsThatKnowNothingYetDoNotOutvote()
    {
        const quint16 port = freePort();
        PrivateRedis promoted;
        OUTBOX_START_SERVER(promoted, {u"--port"_s, QString::number(port)});
        SentinelStart how;
        how.epoch = 3;
        PrivateSentinel witness;
        QVERIFY_RESULT(witness.start(port, how));
        const quint16 gone = freePort();
        std::array<PrivateSentinel, 2> anew;
        for (PrivateSentinel &one : anew)
            QVERIFY_RESULT(one.start(gone));
        RedisConnection redis;
        QVERIFY_RESULT(redis.open(knowing({anew.front().at(), anew.back().at(), witness.at()}),
                                  Access::Act, u"test"_s));
        QCOMPARE(masterBehind(redis), port);
    }

    /// It calls the master of other servers by the same name. Whoever believes the first one that
    /// is named, or the newest configuration alone, writes there.
    void aSentinelOfOtherServersIsOutvoted_data()
    {
        QTest::addColumn<int>("epoch");
        QTest::newRow("as old a configuration") << 0;
        QTest::newRow("a newer configuration") << 99;
    }
    void aSentinelOfOtherServersIsOutvoted()
    {
        QFETCH(int, epoch);
        const quint16 port = freePort();
        PrivateRedis other;
        OUTBOX_START_SERVER(other, {u"--port"_s, QString::number(port)});
        SentinelStart how;
        how.epoch = epoch;
        PrivateSentinel liar;
        QVERIFY_RESULT(liar.start(port, how));
        QCOMPARE(liar.masterPort(), port);
        RedisConnection redis;
        const auto opened
            = redis.open(knowing({liar.at(), m_world.sentinel(0).at()}), Access::Act, u"test"_s);
        if (epoch == 0) {
            QVERIFY_RESULT(opened);
            QCOMPARE(masterBehind(redis), m_world.port(0));
            return;
        }
        QVERIFY(!opened); // nor is the older configuration relied on
        QCOMPARE(opened.error().kind, Error::Kind::Unreachable);
        const QString words = u"127.0.0.1:%1: most sentinels do not know it"_s.arg(port);
        QVERIFY2(opened.error().text.contains(words), qPrintable(oneLine(opened.error())));
        QVERIFY2(opened.error().hint.contains(u"same servers"_s),
                 qPrintable(oneLine(opened.error())));
        QVERIFY(!redis.isOpen());
    }

    /// Sentinels that have met their masters.
    void ofTwoMastersNoneIsUsed()
    {
        std::array<PrivateRedis, 2> servers;
        std::array<PrivateSentinel, 2> sentinels;
        for (std::size_t i = 0; i < servers.size(); ++i) {
            const quint16 port = freePort();
            OUTBOX_START_SERVER(servers.at(i), {u"--port"_s, QString::number(port)});
            QVERIFY_RESULT(sentinels.at(i).start(port));
        }
        for (const PrivateSentinel &one : sentinels)
            QVERIFY(comes([&one] { return !told(one).runId.isEmpty(); }));
        RedisConnection redis;
        const auto opened = redis.open(knowing({sentinels.front().at(), sentinels.back().at()}),
                                       Access::Act, u"test"_s);
        QVERIFY(!opened);
        QCOMPARE(opened.error().kind, Error::Kind::Unreachable);
        QVERIFY2(opened.error().text.contains(u"two masters"_s),
                 qPrintable(oneLine(opened.error())));
        QVERIFY(!redis.isOpen());
    }

    void anUnknownNameIsSaidSoBesideThoseThatAreKnown()
    {
        RedisEndpoint endpoint = m_world.endpoint();
        endpoint.sentinels->master = u"other"_s;
        RedisConnection redis;
        const auto opened = redis.open(endpoint, Access::ReadOnly, u"test"_s);
        QVERIFY(!opened);
        QCOMPARE(opened.error().kind, Error::Kind::Invalid);
        QVERIFY2(opened.error().text.contains(u"\"other\""_s), qPrintable(oneLine(opened.error())));
        QVERIFY2(opened.error().hint.contains(u"main"_s), qPrintable(oneLine(opened.error())));
    }

    void whatIsNoSentinelIsSaidSo()
    {
        RedisConnection redis;
        const HostPort node{u"127.0.0.1"_s, m_world.port(0)};
        const auto opened = redis.open(knowing({node}), Access::ReadOnly, u"test"_s);
        QVERIFY(!opened);
        QCOMPARE(opened.error().kind, Error::Kind::Unreachable);
        QVERIFY2(opened.error().text.contains(node.text() + u": it is no sentinel"_s),
                 qPrintable(oneLine(opened.error())));
        QVERIFY(!redis.isOpen());
    }

    void aSentinelBehindAPlainAddressIsRefused()
    {
        RedisConnection redis;
        QVERIFY_RESULT(redis.open(RedisEndpoint::fromUrl(m_world.sentinel(0).url()).value(),
                                  Access::ReadOnly, u"test"_s));
        const auto read = redis.command({"GET", "k"}, u"reading"_s);
        QVERIFY(!read);
        QCOMPARE(read.error().kind, Error::Kind::Refused);
        QVERIFY2(read.error().hint.contains(u"redis+sentinel://"_s + m_world.sentinel(0).at().text()
                                            + u"/NAME/0"_s),
                 qPrintable(oneLine(read.error())));
    }

    /// With the rights that the page of roles gives, and no more.
    void theUserOfTheSentinelsNeedsFewRights()
    {
        const RolesPage page
            = RolesPage::read(QStringLiteral(ROLES_PAGE), u"Redis Sentinel"_s, {u"ACL SETUSER "_s});
        QCOMPARE(page.statements.size(), 1);
        QString statement = page.statements.first();
        statement.replace(u"…"_s, u"secret"_s);
        for (std::size_t i = 0; i < SentinelWorld::sentinels; ++i)
            QVERIFY_RESULT(m_world.sentinel(i).ask(statement.toUtf8().split(' ')));
        RedisEndpoint endpoint = m_world.endpoint();
        endpoint.sentinels->user = u"deck_sentinel"_s;
        endpoint.sentinels->password = u"secret"_s;
        RedisConnection redis;
        QVERIFY_RESULT(redis.open(endpoint, Access::Act, u"test"_s));
        QCOMPARE(masterBehind(redis), m_world.port(0));
        const RedisEndpoint first = sentinelEndpoint(endpoint, m_world.sentinel(0).at());
        RedisConnection sentinel;
        QVERIFY_RESULT(sentinel.open(first, Access::ReadOnly, u"test"_s));
        const auto answer = askSentinel(sentinel, u"main"_s);
        QVERIFY_RESULT(answer);
        QCOMPARE(answer->failoverTimeoutMs, 20'000); // it may ask for that, too
        QVERIFY(answer->failsOver && !*answer->failsOver);
        QVERIFY(answer->sentinels.contains(m_world.sentinel(1).at()));
        QCOMPARE(answer->replicas.size(), 2);
        const auto unknown = askSentinel(sentinel, u"other"_s);
        QVERIFY_RESULT(unknown);
        QCOMPARE(unknown->known, QStringList{u"main"_s});
        RedisConnection events;
        QVERIFY_RESULT(events.open(first, Access::ReadOnly, u"test"_s));
        QVERIFY_RESULT(events.subscribe(
            {"+switch-master", "+try-failover", "+selected-slave", "-failover-abort-not-elected",
             "-failover-abort-no-good-slave", "-failover-abort-slave-timeout"}));
        const auto came = events.messages(std::chrono::milliseconds(patient(5000)));
        QVERIFY_RESULT(came);
        QVERIFY(!came->isEmpty());
        QVERIFY2(!came->first().isError(), came->first().bytes.constData());
        QVERIFY_RESULT(events.messages(std::chrono::milliseconds(0))); // nothing more, and it stays
        QVERIFY(events.isOpen());

        endpoint.sentinels->password = u"wrong"_s;
        const auto opened = redis.open(endpoint, Access::Act, u"test"_s);
        QVERIFY(!opened);
        QCOMPARE(opened.error().kind, Error::Kind::Refused);
        QVERIFY2(opened.error().hint.contains(u"redis-sentinel-password"_s),
                 qPrintable(oneLine(opened.error())));
        QVERIFY(!oneLine(opened.error()).contains(u"wrong"_s));
    }

    /// The old master calls itself one for seconds more, and sentinels that did not lead the
    /// failover hear of it later: with the first answer alone the connection would be on the old
    /// one again.
    void aFailoverIsHeardOfAndFollowed()
    {
        const RedisEndpoint endpoint = knowing(
            {m_world.sentinel(1).at(), m_world.sentinel(2).at(), m_world.sentinel(0).at()});
        MasterWatch watch(endpoint, u"watch"_s);
        RedisConnection redis;
        QVERIFY_RESULT(redis.open(endpoint, Access::ReadOnly, u"test"_s));
        const quint16 before = masterBehind(redis);
        QCOMPARE(before, m_world.port(0));
        QVERIFY(!watch.isInDoubt() && !watch.takeHold() && !watch.takeMove());

        QVERIFY(comes([this] { return m_world.failOver(); }));
        QTRY_VERIFY(watch.isInDoubt());
        QVERIFY(comes([&watch] { return watch.takeMove(); }));
        const qint64 times = redis.timesConnected();
        redis.close();
        QVERIFY_RESULT(redis.ensureOpen());
        QVERIFY(redis.timesConnected() > times); // by which a relay judges the server anew
        const quint16 after = masterBehind(redis);
        QVERIFY(after != 0 && after != before);
        QTRY_COMPARE(m_world.sentinel(2).masterPort(), after);
        QVERIFY(comes([&watch] { // each sentinel that hears of it later tells it again
            static_cast<void>(watch.takeMove());
            return !watch.isInDoubt();
        }));
    }

    void aFailoverHoldsBeforeAnotherNodeIsTheMaster()
    {
        MasterWatch watch(m_world.endpoint(), u"watch"_s);
        const quint16 before = m_world.sentinel(0).masterPort();
        QVERIFY(comes([this] { return m_world.failOver(); }, 60'000)); // the one before has to end
        bool wasHeldInTime = false;
        QVERIFY(comes([&] {
            wasHeldInTime
                = wasHeldInTime || (watch.isHeld() && m_world.sentinel(0).masterPort() == before);
            return watch.takeMove();
        }));
        QVERIFY(wasHeldInTime);
        QTRY_VERIFY(!watch.isHeld());
        QTRY_COMPARE(m_world.sentinel(2).masterPort(), m_world.sentinel(0).masterPort());
    }

    /// The last one that is asked would have a failover last three milliseconds.
    void theTimeOfOneSentinelShortensNoHoldOfAnother()
    {
        const PrivateSentinel &hasty = m_world.sentinel(SentinelWorld::sentinels - 1);
        const auto setTimeout = [&hasty](const QByteArray &milliseconds) {
            return hasty.ask({"SENTINEL", "SET", "main", "failover-timeout", milliseconds});
        };
        QVERIFY(comes([this] { return m_world.isWhole(); }, 60'000)); // the failover before is over
        QVERIFY_RESULT(setTimeout("1"));
        MasterWatch watch(m_world.endpoint(), u"watch"_s);
        const quint16 before = m_world.sentinel(0).masterPort();
        QVERIFY(comes([this] { return m_world.failOver(); }, 60'000));
        QVERIFY(comes([&watch] { return watch.takeMove(); }));
        const quint16 after = m_world.sentinel(0).masterPort();
        QVERIFY_RESULT(setTimeout("20000"));
        QVERIFY(after != before); // else the hold had ended before the failover
        QTRY_VERIFY(!watch.isHeld());
        QTRY_COMPARE(hasty.masterPort(), after);
    }

    /// While it named the old master somebody may have connected to that by its word alone.
    void aSentinelThatHearsOfItLaterIsHeededToo()
    {
        PrivateSentinel early;
        PrivateSentinel late;
        QVERIFY_RESULT(early.start(freePort()));
        QVERIFY_RESULT(late.start(freePort()));
        const RedisEndpoint endpoint = knowing({early.at(), late.at()});
        const QByteArray port = QByteArray::number(freePort());
        MasterWatch watch(endpoint, u"watch"_s);
        QVERIFY(!watch.takeMove());
        for (const PrivateSentinel *one : {&early, &late}) {
            QVERIFY_RESULT(one->ask({"SENTINEL", "REMOVE", "main"}));
            QVERIFY_RESULT(one->ask({"SENTINEL", "MONITOR", "main", "127.0.0.1", port, "2"}));
            QVERIFY(comes([&watch] { return watch.takeMove(); }));
        }
    }

    /// Last, for they stay dead.
    void theThirdSentinelIsEnoughAndNoneIsTooFew()
    {
        MasterWatch watch(m_world.endpoint(), u"watch"_s);
        RedisConnection other; // is told one of them, and hears of the others
        QVERIFY_RESULT(
            other.open(knowing({m_world.sentinel(0).at()}), Access::ReadOnly, u"test"_s));
        m_world.sentinel(0).kill();
        other.close();
        QVERIFY_RESULT(other.ensureOpen());

        m_world.sentinel(1).kill();
        const RedisEndpoint endpoint = m_world.endpoint();
        RedisConnection redis;
        QVERIFY_RESULT(redis.open(endpoint, Access::ReadOnly, u"test"_s));
        QVERIFY(masterBehind(redis) != 0);

        m_world.sentinel(2).kill();
        const auto opened = redis.open(endpoint, Access::ReadOnly, u"test"_s);
        QVERIFY(!opened);
        QCOMPARE(opened.error().kind, Error::Kind::Unreachable);
        for (std::size_t i = 0; i < SentinelWorld::sentinels; ++i) {
            QVERIFY2(opened.error().text.contains(m_world.sentinel(i).at().text() + u": "_s),
                     qPrintable(oneLine(opened.error())));
        }
        QVERIFY(comes([&watch] { return watch.takeSilence(); }));
        QVERIFY(!watch.takeSilence()); // once
    }
};

} // namespace tst_sentinel

OUTBOX_TEST(tst_sentinel::TestSentinel)
#include "tst_sentinel.moc"
