// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Redis fails over to a replica that stood still: with WAIT no message is lost, without it those
// are that the replica had not seen. OUTBOX_FAILOVERS=20 OUTBOX_FAILOVER_SEED=7.
#include "tests/crash/ground.h"
#include "tests/crash/longmain.h"
#include "tests/support/ctl.h"
#include "tests/support/freeport.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"

#include <QRandomGenerator>
#include <QSet>
#include <QTest>

#include <csignal>
#include <cstdio>

using namespace outbox;
using namespace outbox::crash;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int patienceMs = 60'000;
/// A frozen process still gets what its socket takes in: there must be more than that.
constexpr int rows = 200;
constexpr int payloadBytes = 128 * 1024;
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

    void failOver(const QStringList &options, int before, Outcome &outcome);

private slots:
    void initTestCase() { OUTBOX_START_SERVER(m_postgres); }

    void whatTheReplicaHadNotSeenIsLostOnlyWithoutWait_data()
    {
        QTest::addColumn<bool>("waits");
        QTest::newRow("WAIT 1") << true;
        QTest::newRow("no WAIT") << false;
    }

    void whatTheReplicaHadNotSeenIsLostOnlyWithoutWait()
    {
        QFETCH(bool, waits);
        QRandomGenerator random(seed());
        QStringList options{u"--batch"_s, u"10"_s, u"--poll"_s, u"5ms"_s};
        if (waits)
            options += {u"--wait-replicas"_s, u"1"_s, u"--wait-timeout"_s, u"100ms"_s};
        Outcome sum;
        for (int round = 0; round < failovers(); ++round) {
            Outcome outcome;
            failOver(options, random.bounded(1, mostBeforeTheFreeze + 1), outcome);
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

void TestFailover::failOver(const QStringList &options, int before, Outcome &outcome)
{
    const QString port = QString::number(freePort());
    PrivateRedis master;
    OUTBOX_START_SERVER(master, {u"--port"_s, port, u"--repl-diskless-sync-delay"_s, u"0"_s});
    PrivateRedis replica;
    OUTBOX_START_SERVER(replica, {u"--replicaof"_s, u"127.0.0.1"_s, port});
    OutboxBench bench(OutboxBench::Kind::Postgres, BenchShape::Payload, &m_postgres, master);
    QVERIFY(bench.setUp());
    QVERIFY(bench.insertRows(rows, payloadBytes));
    QTRY_COMPARE_WITH_TIMEOUT(numberFrom(bench.plainRedis(), {"WAIT", "1", "100"}), 1, patienceMs);

    const bool waits = options.contains(u"--wait-replicas"_s);
    RelayProcess relay;
    QVERIFY_RESULT(relay.startCtl(bench, options));
    QTRY_VERIFY_WITH_TIMEOUT(
        numberFrom(bench.plainRedis(), {"LLEN", "asynq:{default}:pending"}) >= before, patienceMs);
    replica.freeze();
    if (waits) // the batch in hand, or the next one, does not come to its COMMIT
        QVERIFY2(relay.heard("0 of 1", patienceMs), relay.complaints().constData());
    else
        QTRY_COMPARE_WITH_TIMEOUT(bench.unprocessed(), 0, patienceMs);
    master.kill();
    relay.tell(SIGTERM);
    QCOMPARE(relay.end(), 0);

    replica.thaw();
    RedisConnection promoted;
    const auto endpoint = RedisEndpoint::fromUrl(replica.url());
    QVERIFY_RESULT(endpoint);
    QVERIFY_RESULT(promoted.open(*endpoint, RedisConnection::Access::Act, u"failover"_s));
    QVERIFY_RESULT(promoted.command({"REPLICAOF", "NO", "ONE"}, u"promoting the replica"_s));
    const QSet<QString> gone = setOf(bench.insertedIds()) - setOf(bench.unprocessedIds());
    const auto has = [&promoted](const QString &id) {
        return numberFrom(promoted, {"EXISTS", "asynq:{default}:t:" + id.toUtf8()}) == 1;
    };
    outcome.committed = gone.size();
    for (const QString &id : gone)
        outcome.lost += has(id) ? 0 : 1;

    // A relay goes on with the new master.
    const CtlRun drained = runCtl({u"relay"_s, u"--drain"_s, u"--database"_s, bench.url(),
                                   u"--table"_s, bench.table(), u"--redis"_s, replica.url()});
    QVERIFY2(drained.exitCode == 0, drained.err.constData());
    QCOMPARE(bench.unprocessed(), 0);
    QCOMPARE(numberFrom(promoted, {"LLEN", "asynq:{default}:pending"}), rows - outcome.lost);
}

OUTBOX_LONG_TEST_MAIN(TestFailover)
#include "tst_failover.moc"
