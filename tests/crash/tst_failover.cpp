// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Redis fails over to a replica that stood still: with WAIT no message is lost, without it those
// are that the replica had not seen. Also on Valkey where that is installed: since Redis 7.2 WAIT
// waits only for what its own connection wrote. OUTBOX_FAILOVERS=20 OUTBOX_FAILOVER_SEED=7;
// OUTBOX_REDIS_SERVERS names further servers.
#include "tests/crash/ground.h"
#include "tests/crash/longmain.h"
#include "tests/support/ctl.h"
#include "tests/support/freeport.h"
#include "tests/support/redisprograms.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"

#include <QDir>
#include <QRandomGenerator>
#include <QSet>
#include <QTest>

#include <csignal>
#include <cstdio>
#include <memory>
#include <vector>

using namespace outbox;
using namespace outbox::crash;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int patienceMs = 60'000;
constexpr int rows = 200;
constexpr int payloadBytes = 128 * 1024;
/// A frozen process still gets what its socket takes in: so much more goes there first.
constexpr int fillers = 40;
constexpr int fillerBytes = 1024 * 1024;
constexpr int mostBeforeTheFreeze = 50;

int failovers()
{
    return qEnvironmentVariable("OUTBOX_FAILOVERS", u"3"_s).toInt();
}

quint32 seed()
{
    return qEnvironmentVariable("OUTBOX_FAILOVER_SEED", u"1"_s).toUInt();
}

QSet<QString> setOf(const QStringList &ids)
{
    return {ids.begin(), ids.end()};
}

qint64 numberFrom(RedisConnection &connection, const QByteArrayList &command)
{
    const auto reply = connection.command(command, u"asking Redis"_s);
    return reply ? reply->integer : -1;
}

} // namespace

class TestFailover : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;

    struct Outcome
    {
        qint64 committed = 0; ///< rows that had left the outbox when the master died
        qint64 lost = 0; ///< of them, those whose task the new master does not have
    };

    void failOver(const QStringList &options, int before, int relays, Outcome &outcome);

private slots:
    void initTestCase() { OUTBOX_START_SERVER(m_postgres); }

    void whatTheReplicaHadNotSeenIsLostOnlyWithoutWait_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<int>("relays");
        QTest::addColumn<bool>("waits");
        for (const QString &program : redisPrograms()) {
            for (const int relays : {1, 2}) {
                for (const bool waits : {true, false}) {
                    QTest::addRow("%s, relays: %d, %s", qPrintable(program), relays,
                                  waits ? "WAIT 1" : "no WAIT")
                        << program << relays << waits;
                }
            }
        }
    }

    void whatTheReplicaHadNotSeenIsLostOnlyWithoutWait()
    {
        QFETCH(QString, program);
        QFETCH(int, relays);
        QFETCH(bool, waits);
        const RedisProgram servers(program);
        QRandomGenerator random(seed());
        QStringList options{u"--batch"_s, u"10"_s, u"--poll"_s, u"5ms"_s};
        if (waits)
            options += {u"--wait-replicas"_s, u"1"_s, u"--wait-timeout"_s, u"100ms"_s};
        Outcome sum;
        for (int round = 0; round < failovers(); ++round) {
            Outcome outcome;
            failOver(options, random.bounded(1, mostBeforeTheFreeze + 1), relays, outcome);
            if (QTest::currentTestFailed())
                return;
            sum.committed += outcome.committed;
            sum.lost += outcome.lost;
        }
        std::printf("seed %u, %s: %d failovers, %lld messages, %lld given up by the outbox, lost "
                    "%lld\n",
                    seed(), QTest::currentDataTag(), failovers(),
                    static_cast<long long>(failovers()) * rows,
                    static_cast<long long>(sum.committed), static_cast<long long>(sum.lost));
        std::fflush(stdout);
        QVERIFY(sum.committed > 0);
        if (waits)
            QCOMPARE(sum.lost, 0);
        else
            QVERIFY(sum.lost > 0);
    }
};

void TestFailover::failOver(const QStringList &options, int before, int relays, Outcome &outcome)
{
    const QString port = QString::number(freePort());
    PrivateRedis master;
    OUTBOX_START_SERVER(master, {u"--port"_s, port, u"--repl-diskless-sync-delay"_s, u"0"_s});
    PrivateRedis replica;
    OUTBOX_START_SERVER(replica, {u"--replicaof"_s, u"127.0.0.1"_s, port});
    TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, master);
    QVERIFY(fixture.setUp());
    QVERIFY(fixture.insertRows(rows, payloadBytes));
    QTRY_COMPARE_WITH_TIMEOUT(numberFrom(fixture.plainRedis(), {"WAIT", "1", "100"}), 1,
                              patienceMs);

    const bool waits = options.contains(u"--wait-replicas"_s);
    std::vector<std::unique_ptr<RelayProcess>> working;
    const auto startOne = [&working, &fixture, &options] {
        working.push_back(std::make_unique<RelayProcess>());
        return working.back()->startCtl(fixture, options);
    };
    for (int i = 0; i < relays; ++i)
        QVERIFY_RESULT(startOne());
    QTRY_VERIFY_WITH_TIMEOUT(numberFrom(fixture.plainRedis(), {"LLEN", "asynq:{default}:pending"})
                                 >= before,
                             patienceMs);
    const auto tellAll = [&working](int signal) {
        for (const auto &relay : working)
            relay->tell(signal);
    };
    tellAll(SIGSTOP);
    replica.freeze();
    for (int filler = 0; filler < fillers; ++filler) {
        QVERIFY_RESULT(fixture.plainRedis().command(
            {"SET", "filler:" + QByteArray::number(filler), QByteArray(fillerBytes, 'x')},
            u"filling the replica's socket"_s));
    }
    tellAll(SIGCONT);
    const auto isHeldUp = [](RelayProcess &relay) { return relay.heard("0 of 1", patienceMs); };
    if (waits) { // the batch in hand, or the next one, does not come to its COMMIT
        for (const auto &relay : working)
            QVERIFY2(isHeldUp(*relay), relay->complaints().constData());
        if (relays > 1) { // one more, to whom all that the dead one stored is there already
            working.front()->tell(SIGKILL);
            QCOMPARE(working.front()->end(), -1);
            working.erase(working.begin());
            QVERIFY_RESULT(startOne());
            QVERIFY2(isHeldUp(*working.back()), working.back()->complaints().constData());
        }
    } else {
        QTRY_COMPARE_WITH_TIMEOUT(fixture.unprocessed(), 0, patienceMs);
    }
    master.kill();
    for (const auto &relay : working) {
        relay->tell(SIGTERM);
        QCOMPARE(relay->end(), 0);
    }

    replica.thaw();
    RedisConnection promoted;
    const auto endpoint = RedisEndpoint::fromUrl(replica.url());
    QVERIFY_RESULT(endpoint);
    QVERIFY_RESULT(promoted.open(*endpoint, RedisConnection::Access::Act, u"failover"_s));
    QVERIFY_RESULT(promoted.command({"REPLICAOF", "NO", "ONE"}, u"promoting the replica"_s));
    const QSet<QString> gone = setOf(fixture.insertedIds()) - setOf(fixture.unprocessedIds());
    const auto has = [&promoted](const QString &id) {
        return numberFrom(promoted, {"EXISTS", "asynq:{default}:t:" + id.toUtf8()}) == 1;
    };
    outcome.committed = gone.size();
    for (const QString &id : gone)
        outcome.lost += has(id) ? 0 : 1;

    // A relay goes on with the new master.
    const CtlRun drained = runCtl({u"relay"_s, u"--drain"_s, u"--database"_s, fixture.url(),
                                   u"--table"_s, fixture.table(), u"--redis"_s, replica.url()});
    QVERIFY2(drained.exitCode == 0, drained.err.constData());
    QCOMPARE(fixture.unprocessed(), 0);
    QCOMPARE(numberFrom(promoted, {"LLEN", "asynq:{default}:pending"}), rows - outcome.lost);
}

OUTBOX_LONG_TEST_MAIN(TestFailover)
#include "tst_failover.moc"
