// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The host of a server loses its power: the server comes back with what it had synced, and nothing
// else. What the servers promise to keep is enough for the relay; what Redis does not keep under
// `everysec` is noticed, and with --wait-aof, on servers that answer in truth, no row was given up
// for it. OUTBOX_POWER_CUTS=100; OUTBOX_REDIS_SERVERS names further servers.
#include "tests/crash/ground.h"
#include "tests/crash/longmain.h"
#include "tests/support/redisprograms.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/volatiledisk.h"

#include <QRandomGenerator>
#include <QTest>

#include <csignal>
#include <cstdio>

using namespace outbox;
using namespace outbox::crash;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int rows = 300;
constexpr int patienceMs = 60'000;

int cuts()
{
    bool isSet = false;
    const int wanted = qEnvironmentVariableIntValue("OUTBOX_POWER_CUTS", &isSet);
    return isSet ? wanted : 3;
}

QStringList logging(const QString &sync)
{
    return {u"--appendonly"_s, u"yes"_s, u"--appendfsync"_s, sync};
}

} // namespace

class TestPowerCut : public QObject
{
    Q_OBJECT

    QRandomGenerator m_random{20261123};
    QTemporaryDir m_state;

    [[nodiscard]] Result<void> startRelay(RelayProcess &relay, const TestOutbox &fixture,
                                          const QStringList &options
                                          = {u"--batch"_s, u"10"_s}) const
    {
        qputenv("XDG_STATE_HOME", QFile::encodeName(m_state.path()));
        return relay.startCtl(
            fixture, QStringList{u"--poll"_s, u"5ms"_s, u"--retention"_s, u"1h"_s} + options);
    }
    /// Until a part of the rows that wait is delivered.
    void letItWork(TestOutbox &fixture)
    {
        const qint64 most = fixture.unprocessed() - m_random.bounded(20, rows - 50);
        QTRY_VERIFY_WITH_TIMEOUT(fixture.unprocessed() <= most, patienceMs);
    }
    static void judge(TestOutbox &fixture, CountingWorker &worker, Tally &tally)
    {
        const auto shape = fixture.takenShape();
        QVERIFY_RESULT(shape);
        QVERIFY_RESULT(worker.consume());
        tally = tallyOf(fixture.insertedIds(), fixture.unprocessedIds(), worker,
                        [&](const QString &id) { return fixture.taskId(*shape, id); });
    }
    static void say(const char *what, const Tally &tally)
    {
        std::printf("%s: %d cuts, %s\n", what, cuts(), qPrintable(words(tally)));
        std::fflush(stdout);
    }

private slots:
    void theDatabasesHost()
    {
        PrivateRedis redis;
        OUTBOX_START_SERVER(redis);
        PrivatePostgres postgres;
        OUTBOX_START_SERVER(postgres, {}, true);
        postgres.stop();
        VolatileDisk disk;
        QVERIFY(disk.take(postgres.folder() + u"/data"_s));
        const auto restart = [&] {
            disk.mount(true);
            const auto started = postgres.restart();
            disk.mount(false);
            return started;
        };
        QVERIFY_RESULT(restart());
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &postgres, redis);
        QVERIFY(fixture.setUp());
        CountingWorker worker;
        QVERIFY_RESULT(worker.open(fixture.redis()));
        RelayProcess relay;
        QVERIFY_RESULT(startRelay(relay, fixture));
        for (int cut = 0; cut < cuts(); ++cut) {
            QVERIFY(fixture.insertRows(rows));
            letItWork(fixture);
            postgres.kill();
            QVERIFY(disk.losePower());
            QVERIFY_RESULT(worker.consume()); // what was enqueued is done before the relay is back
            QVERIFY_RESULT(restart());
            QVERIFY(fixture.reopen());
            QTRY_COMPARE_WITH_TIMEOUT(fixture.unprocessed(), 0, patienceMs);
        }
        relay.tell(SIGTERM);
        QCOMPARE(relay.end(), 0);
        Tally tally;
        judge(fixture, worker, tally);
        say("the database's host", tally);
        QVERIFY2(tally.isClean(), qPrintable(words(tally)));
        QCOMPARE(tally.messages, qint64{rows} * cuts());
    }

    void theQueuesHost_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("sync");
        QTest::addColumn<bool>("waits");
        if (redisPrograms().isEmpty())
            QSKIP("no Redis server is here");
        for (const QString &program : redisPrograms()) {
            const auto row = [&program](const QString &sync, bool waits) {
                QTest::addRow("%s, %s%s", qPrintable(program), qPrintable(sync),
                              waits ? ", --wait-aof" : "")
                    << program << sync << waits;
            };
            row(u"always"_s, false);
            row(u"everysec"_s, false);
            if (waitAofOf(program) == WaitAof::Synced)
                row(u"everysec"_s, true);
        }
    }
    void theQueuesHost()
    {
        QFETCH(QString, program);
        QFETCH(QString, sync);
        QFETCH(bool, waits);
        // A batch that waits takes a second.
        const QStringList options = waits
            ? QStringList{u"--batch"_s, u"100"_s, u"--wait-aof"_s, u"--wait-timeout"_s, u"8s"_s}
            : QStringList{u"--batch"_s, u"10"_s};
        const RedisProgram servers(program);
        PrivatePostgres postgres;
        OUTBOX_START_SERVER(postgres);
        PrivateRedis redis;
        VolatileDisk disk;
        QVERIFY(disk.take(redis.folder()));
        const auto start = [&] {
            disk.mount(true);
            const auto started = redis.start(logging(sync));
            disk.mount(false);
            return started;
        };
        QVERIFY_RESULT(start());
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &postgres, redis);
        QVERIFY(fixture.setUp());
        qint64 lost = 0;
        int noticed = 0;
        int lossy = 0;
        for (int cut = 0; cut < cuts(); ++cut) {
            RelayProcess relay;
            QVERIFY_RESULT(startRelay(relay, fixture, options));
            QVERIFY(fixture.insertRows(rows));
            letItWork(fixture);
            redis.kill();
            QVERIFY(disk.losePower());
            QVERIFY_RESULT(start());
            QVERIFY(fixture.insertRows(20)); // it meets Redis again, and goes on or not
            QTRY_VERIFY_WITH_TIMEOUT(
                fixture.unprocessed() == 0 || (relay.listen(), !relay.isRunning()), patienceMs);
            const bool hasNoticed = relay.complaints().contains("has lost what it was given");
            relay.tell(SIGTERM);
            static_cast<void>(relay.end());
            // What was given up by the outbox and is not there.
            RedisConnection hand;
            QVERIFY_RESULT(hand.open(fixture.redis(), RedisConnection::Access::Act, u"hand"_s));
            const QStringList left = fixture.unprocessedIds();
            const QSet<QString> remaining(left.begin(), left.end());
            qint64 gone = 0;
            const QStringList written = fixture.insertedIds();
            for (const QString &id : written) {
                const auto is
                    = hand.command({"EXISTS", "asynq:{default}:t:" + id.toUtf8()}, u"looking"_s);
                QVERIFY_RESULT(is);
                gone += is->integer == 1 || remaining.contains(id) ? 0 : 1;
            }
            const qint64 lostNow = gone - lost;
            lost = gone;
            noticed += hasNoticed ? 1 : 0;
            lossy += lostNow > 0 ? 1 : 0;
            QVERIFY2(lostNow == 0 || hasNoticed, relay.complaints().constData());
            if (fixture.unprocessed() > 0) { // who starts it again was told
                RelayProcess next;
                QVERIFY_RESULT(startRelay(next, fixture, options));
                QTRY_COMPARE_WITH_TIMEOUT(fixture.unprocessed(), 0, patienceMs);
                next.tell(SIGTERM);
                QCOMPARE(next.end(), 0);
            }
        }
        std::printf("the queue's host, %s: %d cuts, %lld messages, lost %lld in %d, noticed %d\n",
                    QTest::currentDataTag(), cuts(),
                    static_cast<long long>(fixture.insertedIds().size()),
                    static_cast<long long>(lost), lossy, noticed);
        std::fflush(stdout);
        if (waits || sync == "always"_L1) {
            QCOMPARE(lost, 0);
            QCOMPARE(noticed, 0);
        } else {
            QVERIFY(lost > 0); // else the cut took nothing, and the test shows nothing
        }
    }
};

OUTBOX_LONG_TEST_MAIN(TestPowerCut)
#include "tst_powercut.moc"
