// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the relay's options do, seen from outside: durability, depth of the queue, metrics.
#include "tests/support/freeport.h"
#include "tests/support/redisprograms.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/runningrelay.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QTcpSocket>
#include <QTest>
#include <QUrl>

namespace tst_relayoptions {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestRelayOptions : public QObject
{
    Q_OBJECT

    static constexpr int patienceMs = 30'000;
    PrivatePostgres m_postgres;
    PrivateRedis m_redis;

    [[nodiscard]] static QByteArray get(const QString &address)
    {
        const QUrl url(address);
        QTcpSocket socket;
        socket.connectToHost(url.host(), static_cast<quint16>(url.port()));
        if (!socket.waitForConnected(5000))
            return {};
        socket.write("GET " + url.path().toUtf8() + " HTTP/1.1\r\nHost: x\r\n\r\n");
        while (socket.waitForReadyRead(5000) || socket.state() == QAbstractSocket::ConnectedState) {
        }
        return socket.readAll();
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_redis);
    }

    void theDurabilityLineTellsBarrierAndWait_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QStringList>("said");
        QTest::newRow("nothing") << QStringList() << QStringList{u"WAIT off"_s, u"barrier off"_s};
        QTest::newRow("barrier") << QStringList{u"--barrier"_s}
                                 << QStringList{u"WAIT off"_s, u"barrier on"_s,
                                                u"no row is sent before it is on"_s};
    }

    void theDurabilityLineTellsBarrierAndWait()
    {
        QFETCH(QStringList, options);
        QFETCH(QStringList, said);
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(10));
        RunningRelay relay(fixture);
        QVERIFY(relay.start(QStringList{u"--drain"_s} + options));
        QTRY_VERIFY_WITH_TIMEOUT(relay.hasEnded(), patienceMs);
        QCOMPARE(relay.process.exitCode(), 0);
        QCOMPARE(fixture.unprocessed(), 0);
        const QString line = relay.event(u"durability"_s).value("text"_L1).toString();
        for (const QString &part : said)
            QVERIFY2(line.contains(part), qPrintable(line));
        QVERIFY(!relay.event(u"durability"_s).contains(u"wait_aof"_s)); // nobody asked for it
    }

    void aDatabaseWithoutABarrierIsRefusedInWords()
    {
        TestOutbox fixture(TestOutbox::Kind::Sqlite, BenchShape::Payload, nullptr, m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(3));
        RunningRelay relay(fixture);
        QVERIFY(relay.start({u"--drain"_s, u"--barrier"_s}));
        QTRY_VERIFY_WITH_TIMEOUT(relay.hasEnded(), patienceMs);
        QCOMPARE(relay.process.exitCode(), 5);
        QVERIFY(relay.last()
                    .value("error"_L1)
                    .toObject()
                    .value("text"_L1)
                    .toString()
                    .contains(u"no barrier"_s));
        QCOMPARE(fixture.unprocessed(), 3);
    }

    void rowsStayWhileTooFewReplicasHaveThem_data() { addRedisPrograms(); }
    void rowsStayWhileTooFewReplicasHaveThem()
    {
        QFETCH(QString, program);
        const RedisProgram servers(program);
        const QString port = QString::number(freePort());
        PrivateRedis master;
        OUTBOX_START_SERVER(master, {u"--port"_s, port, u"--repl-diskless-sync-delay"_s, u"0"_s});
        PrivateRedis replica;
        OUTBOX_START_SERVER(replica, {u"--replicaof"_s, u"127.0.0.1"_s, port});
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, master);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(10));
        QTRY_VERIFY_WITH_TIMEOUT(numberOf(fixture.plainRedis(), {"WAIT", "1", "100"}) == 1,
                                 patienceMs);
        const QStringList waiting{u"--wait-replicas"_s, u"1"_s, u"--wait-timeout"_s, u"100ms"_s};
        RunningRelay relay(fixture);
        QVERIFY(relay.start(waiting));
        QTRY_COMPARE_WITH_TIMEOUT(fixture.unprocessed(), 0, patienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(
            relay.event(u"durability"_s).value("text"_L1).toString().contains(u"WAIT 1"_s),
            patienceMs);
        replica.freeze();
        QVERIFY(fixture.insertRows(10));
        QTRY_VERIFY_WITH_TIMEOUT(!relay.event(u"rolled_back"_s).isEmpty(), patienceMs);
        QVERIFY(relay.event(u"rolled_back"_s).value("text"_L1).toString().contains(u"0 of 1"_s));
        QCOMPARE(fixture.unprocessed(), 10);
        // Another one, to whom all of it is there already: since Redis 7.2 a connection waits for
        // what it wrote itself.
        relay.process.kill();
        QVERIFY(relay.process.waitForFinished());
        QCOMPARE(fixture.pendingIds().size(), 20);
        const QTemporaryDir state;
        RunningRelay other(fixture);
        QVERIFY(other.start(waiting + QStringList{u"--state-dir"_s, state.path()}));
        QTRY_VERIFY_WITH_TIMEOUT(!other.event(u"rolled_back"_s).isEmpty(), patienceMs);
        QVERIFY(other.event(u"rolled_back"_s).value("text"_L1).toString().contains(u"0 of 1"_s));
        QCOMPARE(fixture.unprocessed(), 10);
        replica.thaw();
        QTRY_COMPARE_WITH_TIMEOUT(fixture.unprocessed(), 0, patienceMs);
        QCOMPARE(fixture.pendingIds().size(), 20);
    }

    void nothingIsClaimedWhileTheQueueIsTooDeep()
    {
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(10));
        QCOMPARE(runCtl({u"relay"_s, u"--drain"_s, u"--database"_s, fixture.url(), u"--table"_s,
                         fixture.table(), u"--redis"_s, fixture.redisUrl()})
                     .exitCode,
                 0);
        QVERIFY(fixture.insertRows(5));
        RunningRelay relay(fixture);
        relay.setEnvironment(u"WATCHDOG_USEC"_s, u"2000000"_s);
        QVERIFY(relay.start({u"--max-depth"_s, u"10"_s}));
        QTRY_VERIFY_WITH_TIMEOUT(relay.manager.beats() >= 4, patienceMs); // it looks, and waits
        QCOMPARE(fixture.unprocessed(), 5);
        QVERIFY_RESULT(
            fixture.plainRedis().command({"DEL", "asynq:{default}:pending"}, u"working it off"_s));
        QTRY_COMPARE_WITH_TIMEOUT(fixture.unprocessed(), 0, patienceMs);
    }

    void metricsAreServedWhileItRuns()
    {
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(25));
        RunningRelay relay(fixture);
        QVERIFY(relay.start({u"--metrics"_s, u":0"_s}));
        QTRY_VERIFY_WITH_TIMEOUT(relay.manager.has("READY=1"), patienceMs);
        const QString url = relay.event(u"metrics"_s).value("url"_L1).toString();
        QVERIFY2(url.startsWith(u"http://127.0.0.1:"_s), qPrintable(url));
        QByteArray page;
        QTRY_VERIFY_WITH_TIMEOUT((page = get(url)).contains("outbox_source_up{source=\"queue\"} 1")
                                     && page.contains("{result=\"enqueued\"} 25"),
                                 patienceMs);
        QVERIFY(page.endsWith("# EOF\n"));
        QVERIFY(page.contains("outbox_relay_state{outbox_relay_state=\"running\"} 1"));
        QVERIFY(page.contains("\noutbox_pending_rows "));
        QVERIFY(page.contains("outbox_queue_tasks{queue=\"default\",state=\"pending\"} "));
        for (const QString &id : fixture.insertedIds().first(5))
            QVERIFY(!page.contains(id.toUtf8()));
        relay.send(SIGTERM);
        QTRY_VERIFY_WITH_TIMEOUT(relay.hasEnded(), patienceMs);
        QCOMPARE(relay.process.exitCode(), 0);
        QVERIFY(get(url).isEmpty());
    }

    void anAddressThatIsNoneIsAUsageError()
    {
        const CtlRun run
            = runCtl({u"relay"_s, u"--database"_s, u"sqlite:///nowhere"_s, u"--redis"_s,
                      u"redis://localhost"_s, u"--metrics"_s, u"here"_s});
        QCOMPARE(run.exitCode, 2);
        QVERIFY(run.err.contains("--metrics"));
    }
};

} // namespace tst_relayoptions

OUTBOX_TEST(tst_relayoptions::TestRelayOptions)
#include "tst_relayoptions.moc"
