// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// --wait-aof: who cannot say what is on its disk, or says it too early, is refused, and rows stay
// while the disk has not got them. What that is worth when the host dies: tst_powercut.
#include "tests/support/freeport.h"
#include "tests/support/redisprograms.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/runningrelay.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_waitaof {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestWaitAof : public QObject
{
    Q_OBJECT

    static constexpr int patienceMs = 60'000;
    static constexpr int rows = 10;
    PrivatePostgres m_postgres;

    [[nodiscard]] static QStringList logging(const QString &sync)
    {
        return {u"--appendonly"_s, u"yes"_s, u"--appendfsync"_s, sync};
    }
    [[nodiscard]] static Result<RedisReply> set(TestOutbox &fixture, const QByteArray &setting,
                                                const QByteArray &value)
    {
        return fixture.plainRedis().command({"CONFIG", "SET", setting, value}, u"staging"_s);
    }
    /// A relay with the option and `more` ends with a refusal that says `words`, and sends nothing.
    static void verifyRefused(TestOutbox &fixture, RunningRelay &relay, const QStringList &words,
                              const QStringList &more = {})
    {
        QVERIFY(fixture.insertRows(rows));
        QVERIFY(relay.start(QStringList{u"--drain"_s, u"--wait-aof"_s} + more));
        QTRY_VERIFY_WITH_TIMEOUT(relay.hasEnded(), patienceMs);
        QCOMPARE(relay.process.exitCode(), 5);
        const QJsonObject error = relay.last().value("error"_L1).toObject();
        const QString said
            = error.value("text"_L1).toString() + u'\n' + error.value("hint"_L1).toString();
        for (const QString &word : words)
            QVERIFY2(said.contains(word), qPrintable(said));
        QCOMPARE(fixture.unprocessed(), rows);
        QVERIFY(fixture.pendingIds().isEmpty());
    }
    /// Rows are delivered; then `setting` is `bad`, and more of them come: they stay, though they
    /// are in the queue, and the relay says `words`. With `setting` as it was they go.
    static void verifyRowsStay(TestOutbox &fixture, const QByteArray &setting,
                               const QByteArray &bad, const QByteArray &good, const QString &words)
    {
        QVERIFY(fixture.insertRows(rows));
        RunningRelay relay(fixture);
        QVERIFY(relay.start({u"--wait-aof"_s, u"--wait-timeout"_s, u"500ms"_s}));
        QTRY_COMPARE_WITH_TIMEOUT(fixture.unprocessed(), 0, patienceMs);
        QVERIFY_RESULT(set(fixture, setting, bad));
        QVERIFY(fixture.insertRows(rows));
        const auto told
            = [&relay] { return relay.event(u"rolled_back"_s).value("text"_L1).toString(); };
        QTRY_VERIFY2_WITH_TIMEOUT(told().contains(words), qPrintable(told()), patienceMs);
        QTRY_COMPARE_WITH_TIMEOUT(fixture.pendingIds().size(), 2 * rows, patienceMs);
        QCOMPARE(fixture.unprocessed(), rows);
        QVERIFY_RESULT(set(fixture, setting, good));
        QTRY_COMPARE_WITH_TIMEOUT(fixture.unprocessed(), 0, patienceMs);
        QCOMPARE(fixture.pendingIds().size(), 2 * rows);
        QVERIFY(!relay.hasEnded());
    }

private slots:
    void initTestCase()
    {
        PrivateRedis asked;
        OUTBOX_START_SERVER(asked);
        OUTBOX_START_SERVER(m_postgres);
    }

    void aServerThatDoesNotKnowItIsRefused_data() { addRedisPrograms({WaitAof::Unknown}); }
    void aServerThatDoesNotKnowItIsRefused()
    {
        QFETCH(QString, program);
        const RedisProgram servers(program);
        PrivateRedis redis;
        OUTBOX_START_SERVER(redis, logging(u"everysec"_s));
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, redis);
        QVERIFY(fixture.setUp());
        RunningRelay relay(fixture);
        verifyRefused(fixture, relay, {u"does not know WAITAOF"_s, u"7.2"_s});
    }

    void aServerThatAnswersTooEarlyIsRefused_data() { addRedisPrograms({WaitAof::Early}); }
    void aServerThatAnswersTooEarlyIsRefused()
    {
        QFETCH(QString, program);
        const RedisProgram servers(program);
        PrivateRedis redis;
        OUTBOX_START_SERVER(redis, logging(u"everysec"_s));
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, redis);
        QVERIFY(fixture.setUp());
        RunningRelay relay(fixture);
        verifyRefused(fixture, relay, {u"before it is (WAITAOF under everysec)"_s, u"8.0"_s});
    }

    void aServerWithoutAFileIsRefused_data() { addRedisPrograms({WaitAof::Synced}); }
    void aServerWithoutAFileIsRefused()
    {
        QFETCH(QString, program);
        const RedisProgram servers(program);
        PrivateRedis redis;
        OUTBOX_START_SERVER(redis);
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, redis);
        QVERIFY(fixture.setUp());
        RunningRelay relay(fixture);
        verifyRefused(fixture, relay, {u"no append-only file"_s, u"appendonly yes"_s});
    }

    /// The one right that is missing is named, and is enough.
    void aUserWhoMayNotAskIsRefused_data() { addRedisPrograms({WaitAof::Synced}); }
    void aUserWhoMayNotAskIsRefused()
    {
        QFETCH(QString, program);
        const RedisProgram servers(program);
        const QString port = QString::number(freePort());
        PrivateRedis redis;
        OUTBOX_START_SERVER(redis, QStringList{u"--port"_s, port} + logging(u"everysec"_s));
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, redis);
        QVERIFY(fixture.setUp());
        QVERIFY_RESULT(fixture.plainRedis().command(
            {"ACL", "SETUSER", "relay", "reset", "on", ">secret", "~*", "+@all", "-waitaof"},
            u"making a user"_s));
        const QStringList asRelay{u"--redis"_s, u"redis://relay@127.0.0.1:%1/0"_s.arg(port)};
        RunningRelay refused(fixture);
        refused.setEnvironment(u"REDIS_PASSWORD"_s, u"secret"_s);
        verifyRefused(fixture, refused, {u"+waitaof"_s}, asRelay);
        if (QTest::currentTestFailed())
            return;
        QVERIFY_RESULT(fixture.plainRedis().command({"ACL", "SETUSER", "relay", "+waitaof"},
                                                    u"giving the right"_s));
        RunningRelay relay(fixture);
        relay.setEnvironment(u"REDIS_PASSWORD"_s, u"secret"_s);
        QVERIFY(relay.start(QStringList{u"--drain"_s, u"--wait-aof"_s} + asRelay));
        QTRY_VERIFY_WITH_TIMEOUT(relay.hasEnded(), patienceMs);
        QCOMPARE(relay.process.exitCode(), 0);
        QCOMPARE(fixture.unprocessed(), 0);
        QCOMPARE(fixture.pendingIds().size(), rows);
    }

    /// The usual time is enough for everysec, also where a replica is waited for before.
    void theDiskIsWaitedFor_data() { addRedisPrograms({WaitAof::Synced}); }
    void theDiskIsWaitedFor()
    {
        QFETCH(QString, program);
        const RedisProgram servers(program);
        const QString port = QString::number(freePort());
        PrivateRedis master;
        OUTBOX_START_SERVER(master,
                            QStringList{u"--port"_s, port, u"--repl-diskless-sync-delay"_s, u"0"_s}
                                + logging(u"everysec"_s));
        PrivateRedis replica; // it keeps no file, and WAIT counts it
        OUTBOX_START_SERVER(replica, {u"--replicaof"_s, u"127.0.0.1"_s, port});
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, master);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(rows));
        QTRY_VERIFY_WITH_TIMEOUT(numberOf(fixture.plainRedis(), {"WAIT", "1", "100"}) == 1,
                                 patienceMs);
        RunningRelay relay(fixture);
        QVERIFY(relay.start({u"--drain"_s, u"--wait-aof"_s, u"--wait-replicas"_s, u"1"_s}));
        QTRY_VERIFY_WITH_TIMEOUT(relay.hasEnded(), patienceMs);
        QCOMPARE(relay.process.exitCode(), 0);
        QCOMPARE(fixture.unprocessed(), 0);
        QCOMPARE(relay.last().value("rollbacks"_L1).toInt(-1), 0);
        const QString line = relay.event(u"durability"_s).value("text"_L1).toString();
        for (const QString &part : {u"WAIT 1, WAITAOF on"_s, u"comes back with its disk"_s})
            QVERIFY2(line.contains(part), qPrintable(line));
    }

    /// As if the disk stood still: with `no` Redis never syncs by itself.
    void rowsStayWhileTheDiskStandsStill_data() { addRedisPrograms({WaitAof::Synced}); }
    void rowsStayWhileTheDiskStandsStill()
    {
        QFETCH(QString, program);
        const RedisProgram servers(program);
        PrivateRedis redis;
        OUTBOX_START_SERVER(redis, logging(u"always"_s));
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, redis);
        QVERIFY(fixture.setUp());
        verifyRowsStay(fixture, "appendfsync", "no", "always",
                       u"it does not have the batch after 500 ms"_s);
    }

    void rowsStayWhileTheFileIsOff_data() { addRedisPrograms({WaitAof::Synced}); }
    void rowsStayWhileTheFileIsOff()
    {
        QFETCH(QString, program);
        const RedisProgram servers(program);
        PrivateRedis redis;
        OUTBOX_START_SERVER(redis, logging(u"always"_s));
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, redis);
        QVERIFY(fixture.setUp());
        verifyRowsStay(fixture, "appendonly", "no", "yes", u"keeps no append-only file"_s);
    }

    void bothWaitsTogetherEndBeforeTheDatabaseEndsTheClaim()
    {
        const auto refusedWith = [](const QStringList &waits) {
            const CtlRun run
                = runCtl(QStringList{u"relay"_s, u"--database"_s, u"sqlite:///nowhere"_s,
                                     u"--redis"_s, u"redis://localhost"_s}
                         + waits);
            return run.err.contains("--wait-timeout") && run.err.contains("5s or less");
        };
        const QStringList disk{u"--wait-aof"_s, u"--wait-timeout"_s, u"6s"_s};
        QVERIFY(!refusedWith(disk));
        QVERIFY(refusedWith(disk + QStringList{u"--wait-replicas"_s, u"1"_s}));
    }
};

} // namespace tst_waitaof

OUTBOX_TEST(tst_waitaof::TestWaitAof)
#include "tst_waitaof.moc"
