// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A planned failover by sentinels in the middle of a relay's work, with TLS as well: what has left
// the outbox is on the new master. Where TLS keeps a relay out, it says why and takes no row.
#include "app/relay/relaydriver.h"
#include "tests/support/ctl.h"
#include "tests/support/freeport.h"
#include "tests/support/patience.h"
#include "tests/support/redishand.h"
#include "tests/support/resultmacros.h"
#include "tests/support/sentinelworld.h"
#include "tests/support/servers.h"
#include "tests/support/testoutbox.h"
#include "tests/support/testprogram.h"

#include <QFileInfo>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

namespace tst_sentinelrelay {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestSentinelRelay : public QObject
{
    Q_OBJECT

    static constexpr int rows = 2000;
    static constexpr int rowsASecond = 500; ///< so that the failover comes in the middle
    static constexpr int before = 300; ///< rows, that are delivered when it begins
    static constexpr int longMs = 120'000;

    TestCertificates m_certificates;
    bool m_hasCertificates = false;

private slots:
    void initTestCase()
    {
        if (TestCertificates::areUsable()) {
            QVERIFY(m_certificates.makeForRedis());
            m_hasCertificates = true;
        }
    }

    void nothingIsLostByAPlannedFailover_data()
    {
        QTest::addColumn<int>("replicas");
        QTest::addColumn<int>("waits");
        QTest::addColumn<bool>("isTls");
        QTest::newRow("two replicas, no WAIT") << 2 << 0 << false;
        QTest::newRow("one replica, WAIT 1") << 1 << 1 << false;
        QTest::newRow("two replicas, TLS") << 2 << 0 << true;
    }
    void nothingIsLostByAPlannedFailover()
    {
        QFETCH(int, replicas);
        QFETCH(int, waits);
        QFETCH(bool, isTls);
        if (isTls && !m_hasCertificates)
            QSKIP("the openssl command or Qt's TLS backend is not installed");
        SentinelWorld world;
        OUTBOX_START_SERVER(world, replicas, isTls ? m_certificates.redisTls(true) : RedisTls{});
        TestOutbox fixture(TestOutbox::Kind::Sqlite, BenchShape::Payload, nullptr, world.node(0));
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(rows));
        const auto shape = fixture.takenShape();
        QVERIFY_RESULT(shape);
        QTemporaryDir state;
        RelaySettings settings;
        settings.batch = 20;
        settings.pollMs = 20;
        settings.ratePerSecond = rowsASecond;
        settings.replicas = waits;
        settings.stateFolder = state.path();
        QStringList said;
        RelayDriver driver;
        QSignalSpy finished(&driver, &RelayDriver::finished);
        connect(&driver, &RelayDriver::backingOff, this,
                [&said](const Error &error) { said += oneLine(error); });
        connect(&driver, &RelayDriver::failed, this,
                [&said](const Error &error) { said += oneLine(error); });
        driver.start(fixture.settings(StoreAccess::Relay), *shape, world.endpoint(), settings,
                     true);

        QTRY_VERIFY2(driver.totals().delivered() >= before, qPrintable(said.join(u'\n')));
        const quint16 old = world.sentinel(0).masterPort();
        QCOMPARE(old, world.port(0));
        QVERIFY(QTest::qWaitFor([&world] { return world.failOver(); }, patient(5000)));
        QVERIFY2(driver.totals().delivered() < rows, "the failover came too late");
        if (finished.isEmpty())
            QVERIFY2(finished.wait(patient(longMs)), qPrintable(said.join(u'\n')));
        QVERIFY2(finished.first().first().toString() == u"drained"_s, qPrintable(said.join(u'\n')));
        QCOMPARE(fixture.unprocessed(), 0);
        QCOMPARE(driver.totals().parked, 0);
        QVERIFY2(std::any_of(said.cbegin(), said.cend(),
                             [](const QString &one) { return one.contains(u"fails over"_s); }),
                 qPrintable(said.join(u'\n')));

        const quint16 now = world.sentinel(0).masterPort();
        QVERIFY(now != 0 && now != old);
        std::size_t master = 0;
        while (world.port(master) != now)
            ++master;
        RedisConnection hand; // asked without sentinels, and without our relay's connection
        QVERIFY_RESULT(openByHand(hand, world.node(master)));
        QList<RedisCommand> questions;
        for (const QString &id : fixture.insertedIds()) {
            questions += RedisCommand{"EXISTS",
                                      "asynq:{default}:t:" + fixture.taskId(*shape, id).toUtf8()};
        }
        QCOMPARE(questions.size(), rows);
        const auto replies = hand.pipeline(questions);
        QVERIFY_RESULT(replies);
        const auto there
            = std::count_if(replies->cbegin(), replies->cend(),
                            [](const RedisReply &reply) { return reply.integer == 1; });
        QCOMPARE(there, rows);
        const auto pending = hand.command({"LLEN", "asynq:{default}:pending"}, u"counting"_s);
        QVERIFY_RESULT(pending);
        QCOMPARE(pending->integer, rows); // and none twice
    }

    void whoeverIsNotLetInTakesNoRow_data()
    {
        QTest::addColumn<QString>("scheme");
        QTest::addColumn<QString>("options"); // FILES is where the certificates are
        QTest::addColumn<QString>("cause");
        const QString tls = u"rediss+sentinel"_s;
        const QString client = u"&cert=FILES/client.pem&key=FILES/client.key"_s;
        QTest::newRow("right") << tls << QString(u"?ca=FILES/ca.pem"_s + client) << QString();
        QTest::newRow("another authority") << tls << QString(u"?ca=FILES/other.pem"_s + client)
                                           << u"certificate of 127.0.0.1 is not accepted"_s;
        QTest::newRow("no client certificate")
            << tls << u"?ca=FILES/ca.pem"_s << u"client certificate"_s;
        QTest::newRow("no such file")
            << tls << u"?ca=FILES/missing.pem"_s << u"no certificate to read in"_s;
        QTest::newRow("no TLS") << u"redis+sentinel"_s << QString() << u"rediss+sentinel://"_s;
        QTest::newRow("wrong password of the sentinels")
            << tls << QString(u"?sentinel_user=nobody&ca=FILES/ca.pem"_s + client)
            << u"redis-sentinel-password"_s;
    }
    void whoeverIsNotLetInTakesNoRow()
    {
        QFETCH(QString, scheme);
        QFETCH(QString, options);
        QFETCH(QString, cause);
        if (!m_hasCertificates)
            QSKIP("the openssl command or Qt's TLS backend is not installed");
        const RedisTls tls = m_certificates.redisTls(true);
        const quint16 port = freePort();
        PrivateRedis redis;
        OUTBOX_START_SERVER(redis, tls.arguments(port));
        SentinelStart how;
        how.quorum = 1;
        how.tls = tls;
        PrivateSentinel sentinel;
        QVERIFY_RESULT(sentinel.start(port, how));
        TestOutbox fixture(TestOutbox::Kind::Sqlite, BenchShape::Payload, nullptr, redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(5));
        options.replace(u"FILES"_s, QFileInfo(m_certificates.file(u"ca.pem"_s)).absolutePath());
        const QString url = u"%1://%2/main/0"_s.arg(scheme, sentinel.at().text()) + options;
        auto environment = QProcessEnvironment::systemEnvironment();
        if (options.contains(u"nobody"_s))
            environment.insert(u"REDIS_SENTINEL_PASSWORD"_s, u"mistaken"_s);
        const QTemporaryDir state; // no relay remembers another Redis
        const CtlRun run
            = runCtl({u"relay"_s, u"--drain"_s, u"--database"_s, fixture.url(), u"--table"_s,
                      fixture.table(), u"--redis"_s, url, u"--state-dir"_s, state.path()},
                     60'000, {}, environment);
        if (cause.isEmpty()) {
            QVERIFY2(run.exitCode == 0, run.err.constData());
            QCOMPARE(fixture.unprocessed(), 0);
            QCOMPARE(fixture.pendingIds().size(), 5);
            return;
        }
        QVERIFY2(run.exitCode > 0, run.err.constData()); // and it does not try for ever
        QVERIFY2(QString::fromUtf8(run.err).contains(cause), run.err.constData());
        QVERIFY2(!run.err.contains("mistaken"), run.err.constData());
        QCOMPARE(fixture.unprocessed(), 5);
        QVERIFY(fixture.pendingIds().isEmpty());
    }

    /// By a plain address: it is no Redis, and takes no task.
    void aSentinelThatIsTakenForARedisGetsNoRow()
    {
        const quint16 port = freePort();
        PrivateRedis redis;
        OUTBOX_START_SERVER(redis, {u"--port"_s, QString::number(port)});
        PrivateSentinel sentinel;
        QVERIFY_RESULT(sentinel.start(port));
        TestOutbox fixture(TestOutbox::Kind::Sqlite, BenchShape::Payload, nullptr, redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(5));
        const CtlRun run = runCtl({u"relay"_s, u"--drain"_s, u"--database"_s, fixture.url(),
                                   u"--table"_s, fixture.table(), u"--redis"_s, sentinel.url()});
        QVERIFY2(run.exitCode > 0, run.err.constData()); // and it does not try for ever
        QVERIFY2(run.err.contains("entinel"), run.err.constData());
        QCOMPARE(fixture.unprocessed(), 5);
        QVERIFY(fixture.pendingIds().isEmpty());
    }
};

} // namespace tst_sentinelrelay

OUTBOX_TEST(tst_sentinelrelay::TestSentinelRelay)
#include "tst_sentinelrelay.moc"
