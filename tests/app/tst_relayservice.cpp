// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The relay as a service: started, watched, paused, drained and stopped by systemd's own protocol
// and by signals.
#include "app/relay/parking/outboxparking.h"
#include "tests/support/filebytes.h"
#include "tests/support/resultmacros.h"
#include "tests/support/runningrelay.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QFileInfo>
#include <QTest>

#include <sys/stat.h>

namespace tst_relayservice {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestRelayService : public QObject
{
    Q_OBJECT

    static constexpr int patienceMs = 30'000;
    PrivatePostgres m_postgres;
    PrivateRedis m_redis;

    [[nodiscard]] std::unique_ptr<TestOutbox> benchWith(int rows, PrivateRedis &redis)
    {
        auto fixture = std::make_unique<TestOutbox>(TestOutbox::Kind::Postgres, BenchShape::Payload,
                                                    &m_postgres, redis);
        return fixture->setUp() && fixture->insertRows(rows) ? std::move(fixture) : nullptr;
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_redis);
    }

    void startedWatchedAndStoppedByTheProtocolOfSystemd()
    {
        const auto fixture = benchWith(1200, m_redis);
        QVERIFY(fixture);
        RunningRelay relay(*fixture);
        relay.setEnvironment(u"WATCHDOG_USEC"_s, u"6000000"_s);
        QVERIFY(relay.start({u"--rate"_s, u"300"_s}));
        QTRY_VERIFY_WITH_TIMEOUT(relay.manager.has("READY=1"), patienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(relay.manager.beats() >= 2, patienceMs);
        QVERIFY(fixture->unprocessed() > 0); // it was watched at work
        QTRY_COMPARE_WITH_TIMEOUT(fixture->unprocessed(), 0, patienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(
            relay.manager.has("STATUS=running: 1200 delivered, 0 parked, 0 rolled back"),
            patienceMs);
        const qsizetype beats = relay.manager.beats();
        QTRY_VERIFY_WITH_TIMEOUT(relay.manager.beats() >= beats + 3, patienceMs); // and idle
        QVERIFY2(relay.manager.longestSilenceMs() < 3000,
                 qPrintable(QString::number(relay.manager.longestSilenceMs())));
        QVERIFY(!relay.manager.has("STOPPING=1"));

        QVERIFY(fixture->insertRows(5000));
        relay.send(SIGTERM);
        QTRY_VERIFY_WITH_TIMEOUT(relay.hasEnded(), patienceMs);
        QCOMPARE(relay.process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(relay.process.exitCode(), 0);
        QVERIFY(relay.manager.has("STOPPING=1"));
        QVERIFY(relay.manager.has("EXTEND_TIMEOUT_USEC=10000000")); // grace, and to close
        QCOMPARE(relay.manager.lines().count("READY=1"), 1);
        QCOMPARE(relay.last().value("enqueued"_L1).toInteger(-1) + fixture->unprocessed(), 6200);
    }

    void aRoomThatHangsIsHeardBySilence()
    {
        PrivateRedis own;
        OUTBOX_START_SERVER(own);
        const auto fixture = benchWith(10, own);
        QVERIFY(fixture);
        RunningRelay relay(*fixture);
        relay.setEnvironment(u"WATCHDOG_USEC"_s, u"1000000"_s);
        QVERIFY(relay.start());
        QTRY_COMPARE_WITH_TIMEOUT(fixture->unprocessed(), 0, patienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(relay.manager.beats() >= 2, patienceMs);
        own.freeze();
        QVERIFY(fixture->insertRows(10));
        relay.manager.forget();
        QTRY_VERIFY_WITH_TIMEOUT(!relay.event(u"backing_off"_s).isEmpty(), patienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(relay.manager.beats() >= 2, patienceMs); // it waits, it lives
        QVERIFY2(relay.manager.longestSilenceMs() > 2000, // Redis had three seconds to answer
                 qPrintable(QString::number(relay.manager.longestSilenceMs())));
        own.thaw();
        QTRY_COMPARE_WITH_TIMEOUT(fixture->unprocessed(), 0, patienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(!relay.event(u"recovered"_s).isEmpty(), patienceMs);
        QCOMPARE(fixture->pendingIds().size(), 20);
    }

    void readyIsNotSaidBeforeTheRelayWorks()
    {
        const auto fixture = benchWith(10, m_redis);
        QVERIFY(fixture);
        // Both connections stand, but no row can be taken.
        QVERIFY(fixture->exec(u"create function no() returns trigger language plpgsql as "
                              u"$$ begin raise exception 'not yet'; end $$"_s));
        QVERIFY(
            fixture->exec(u"create trigger no before delete on outbox execute function no()"_s));
        RunningRelay relay(*fixture);
        relay.setEnvironment(u"WATCHDOG_USEC"_s, u"2000000"_s);
        QVERIFY(relay.start());
        QTRY_VERIFY_WITH_TIMEOUT(!relay.event(u"backing_off"_s).isEmpty(), patienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(relay.manager.beats() >= 4, patienceMs); // it tries, and lives
        QVERIFY(!relay.manager.has("READY=1"));
        QVERIFY(relay.event(u"recovered"_s).isEmpty());
        QVERIFY(fixture->exec(u"drop trigger no on outbox"_s));
        QTRY_VERIFY_WITH_TIMEOUT(relay.manager.has("READY=1"), patienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(!relay.event(u"recovered"_s).isEmpty(), patienceMs);
    }

    void sigusr1PausesAndResumes()
    {
        const auto fixture = benchWith(10, m_redis);
        QVERIFY(fixture);
        RunningRelay relay(*fixture);
        relay.setEnvironment(u"WATCHDOG_USEC"_s, u"2000000"_s);
        QVERIFY(relay.start());
        QTRY_COMPARE_WITH_TIMEOUT(fixture->unprocessed(), 0, patienceMs);
        relay.send(SIGUSR1);
        QTRY_VERIFY_WITH_TIMEOUT(!relay.event(u"paused"_s).isEmpty(), patienceMs);
        QVERIFY(fixture->insertRows(10));
        relay.manager.forget();
        // Several polls long it answers, and claims nothing.
        QTRY_VERIFY_WITH_TIMEOUT(relay.manager.beats() >= 5, patienceMs);
        QCOMPARE(fixture->unprocessed(), 10);
        QTRY_VERIFY_WITH_TIMEOUT(
            relay.manager.has("STATUS=paused: 10 delivered, 0 parked, 0 rolled back"), patienceMs);
        relay.send(SIGUSR1);
        QTRY_COMPARE_WITH_TIMEOUT(fixture->unprocessed(), 0, patienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(!relay.event(u"resumed"_s).isEmpty(), patienceMs);
        relay.send(SIGTERM);
        QTRY_VERIFY_WITH_TIMEOUT(relay.hasEnded(), patienceMs);
        QCOMPARE(relay.process.exitCode(), 0);
    }

    void sigusr2DrainsAndEndsAlsoOutOfAPause()
    {
        const auto fixture = benchWith(10, m_redis);
        QVERIFY(fixture);
        RunningRelay relay(*fixture);
        QVERIFY(relay.start({u"--workers"_s, u"2"_s}));
        QTRY_COMPARE_WITH_TIMEOUT(fixture->unprocessed(), 0, patienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(relay.manager.has("READY=1"), patienceMs);
        relay.send(SIGUSR1);
        QTRY_VERIFY_WITH_TIMEOUT(!relay.event(u"paused"_s).isEmpty(), patienceMs);
        QVERIFY(fixture->insertRows(3000));
        relay.send(SIGUSR2);
        QTRY_VERIFY_WITH_TIMEOUT(relay.hasEnded(), patienceMs);
        QCOMPARE(relay.process.exitCode(), 0);
        QCOMPARE(fixture->unprocessed(), 0);
        QCOMPARE(relay.last().value("stopped"_L1).toString(), u"drained"_s);
        QCOMPARE(relay.last().value("enqueued"_L1).toInteger(-1), 3010);
        QVERIFY(relay.manager.has("STOPPING=1"));
    }

    void aSecondSigtermRollsBackAtOnce()
    {
        PrivateRedis own;
        OUTBOX_START_SERVER(own);
        const auto fixture = benchWith(10, own);
        QVERIFY(fixture);
        RunningRelay relay(*fixture);
        QVERIFY(relay.start({u"--grace"_s, u"1h"_s}));
        QTRY_COMPARE_WITH_TIMEOUT(fixture->unprocessed(), 0, patienceMs);
        own.freeze();
        QVERIFY(fixture->insertRows(10));
        QTRY_VERIFY_WITH_TIMEOUT( // the batch is in hand: its rows are held
            fixture->scalar(u"select count(*) from pg_locks where relation = 'outbox'::regclass "
                            u"and mode = 'RowExclusiveLock'"_s)
                    .toInt()
                > 0,
            patienceMs);
        relay.send(SIGTERM);
        QTRY_VERIFY_WITH_TIMEOUT(!relay.event(u"stopping"_s).isEmpty(), patienceMs);
        relay.send(SIGTERM);
        QTRY_VERIFY_WITH_TIMEOUT(relay.hasEnded(), patienceMs);
        QCOMPARE(relay.process.exitCode(), 0);
        QCOMPARE(fixture->unprocessed(), 10);
        own.thaw();
    }

    void whatHappensIsLoggedInOneLineEach()
    {
        PrivateRedis own;
        const QStringList kept{u"--appendonly"_s, u"yes"_s, u"--appendfsync"_s, u"always"_s};
        OUTBOX_START_SERVER(own, kept);
        const auto fixture = benchWith(10, own);
        QVERIFY(fixture);
        const QString stranger = fixture->insertedIds().at(3);
        QVERIFY_RESULT(fixture->plainRedis().command(
            {"SET", "asynq:{default}:t:" + stranger.toUtf8(), "x"}, u"planting"_s));
        RunningRelay relay(*fixture);
        QVERIFY(relay.start());
        QTRY_COMPARE_WITH_TIMEOUT(fixture->unprocessed(), 1, patienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(!relay.event(u"parked"_s).isEmpty(), patienceMs);
        QCOMPARE(relay.event(u"parked"_s).value("row"_L1).toString(), stranger);
        QVERIFY(!relay.event(u"parked"_s).value("reason"_L1).toString().isEmpty());
        own.kill();
        QVERIFY(fixture->insertRows(10));
        QTRY_VERIFY_WITH_TIMEOUT(!relay.event(u"backing_off"_s).isEmpty(), patienceMs);
        const QJsonObject rolledBack = relay.event(u"rolled_back"_s);
        QCOMPARE(rolledBack.value("rows"_L1).toInt(), 10);
        QCOMPARE(rolledBack.value("level"_L1).toString(), u"warning"_s);
        QVERIFY(!rolledBack.value("error"_L1).toObject().value("text"_L1).toString().isEmpty());
        QVERIFY(relay.event(u"backing_off"_s).value("next_try_ms"_L1).toInt() > 0);
        QVERIFY_RESULT(own.start(kept));
        QTRY_VERIFY_WITH_TIMEOUT(!relay.event(u"recovered"_s).isEmpty(), patienceMs);
        QVERIFY(relay.event(u"recovered"_s).value("tries"_L1).toInt() > 0);
        for (const QJsonObject &event : relay.events())
            QVERIFY(event.contains("at"_L1) && event.contains("text"_L1));
        relay.send(SIGTERM);
        QTRY_VERIFY_WITH_TIMEOUT(relay.hasEnded(), patienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(!relay.event(u"stopping"_s).isEmpty(), patienceMs);
    }

    void aRowThatIsParkedAgainAfterItsReleaseIsToldAgain()
    {
        const auto fixture = benchWith(1, m_redis);
        QVERIFY(fixture);
        QVERIFY(fixture->exec(u"update outbox set type = ''"_s));
        RunningRelay relay(*fixture);
        QVERIFY(relay.start());
        const auto told = [&relay] {
            const QList<QJsonObject> events = relay.events();
            return std::count_if(events.cbegin(), events.cend(), [](const QJsonObject &event) {
                return event.value("event"_L1).toString() == u"parked"_s;
            });
        };
        QTRY_COMPARE_WITH_TIMEOUT(told(), 1, patienceMs);
        const auto shape = fixture->takenShape();
        QVERIFY_RESULT(shape);
        OutboxParking parking;
        QVERIFY_RESULT(parking.open(fixture->settings(StoreAccess::Relay), *shape, {}));
        const auto isThere = [&parking] {
            const auto rows = parking.rows();
            return rows && rows->size() == 1;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isThere(), patienceMs);
        QVERIFY_RESULT(parking.release({{fixture->insertedIds().first()}}));
        QTRY_COMPARE_WITH_TIMEOUT(told(), 2, patienceMs);
    }

    /// While its rows are left out there is nothing to fail; that is no recovery.
    void aQueueThatRestsIsNotToldToWorkAgain()
    {
        PrivateRedis own;
        OUTBOX_START_SERVER(own);
        const auto fixture = benchWith(10, own);
        QVERIFY(fixture);
        const QByteArray key = "asynq:{default}:pending";
        QVERIFY_RESULT(fixture->plainRedis().command({"SET", key, "x"}, u"planting"_s));
        RunningRelay relay(*fixture);
        QVERIFY(relay.start());
        const auto lastedMs
            = [&relay] { return relay.event(u"backing_off"_s).value("after_ms"_L1).toInt(); };
        QTRY_VERIFY_WITH_TIMEOUT(lastedMs() > 4000, patienceMs); // behind the first rest
        QVERIFY(relay.event(u"recovered"_s).isEmpty());
        QCOMPARE(relay.event(u"backing_off"_s).value("rows_waiting"_L1).toInt(), 10);
        QVERIFY_RESULT(fixture->plainRedis().command({"DEL", key}, u"clearing"_s));
        QTRY_COMPARE_WITH_TIMEOUT(fixture->unprocessed(), 0, patienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(!relay.event(u"recovered"_s).isEmpty(), patienceMs);
    }

    void theJournalIsToldTheLevelOfEachLine_data()
    {
        QTest::addColumn<bool>("isJournal");
        QTest::newRow("journal") << true;
        QTest::newRow("redirected since") << false;
    }

    void theJournalIsToldTheLevelOfEachLine()
    {
        QFETCH(bool, isJournal);
        const auto fixture = benchWith(10, m_redis);
        QVERIFY(fixture);
        QVERIFY_RESULT(fixture->plainRedis().command(
            {"SET", "asynq:{default}:t:" + fixture->insertedIds().first().toUtf8(), "x"},
            u"planting"_s));
        QTemporaryDir folder;
        const QString path = folder.filePath(u"stderr"_s);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        struct stat facts = {};
        QCOMPARE(::fstat(file.handle(), &facts), 0);
        RunningRelay relay(*fixture);
        relay.setEnvironment(u"JOURNAL_STREAM"_s,
                             QString::number(facts.st_dev) + u':'
                                 + QString::number(facts.st_ino + (isJournal ? 0 : 1)));
        relay.process.setStandardErrorFile(path, QIODevice::Append);
        QVERIFY(relay.start({u"--drain"_s}));
        QTRY_VERIFY_WITH_TIMEOUT(relay.hasEnded(), patienceMs);
        QCOMPARE(relay.process.exitCode(), 6); // a row is parked
        const QByteArrayList lines = fileBytes(path).trimmed().split('\n');
        QVERIFY(lines.size() >= 3);
        bool isWarned = false;
        for (const QByteArray &line : lines) {
            QVERIFY2(line.startsWith(isJournal ? "<" : "{"), line.constData());
            isWarned = isWarned || (line.startsWith("<4>") && line.contains("\"parked\""));
        }
        QCOMPARE(isWarned, isJournal);
    }

    /// The unit names 6 in RestartPreventExitStatus: a relay that is started again accepts the
    /// loss.
    void aLossIsAnEndThatNobodyStartsAgain()
    {
        PrivateRedis own;
        OUTBOX_START_SERVER(own);
        const auto fixture = benchWith(10, own);
        QVERIFY(fixture);
        RunningRelay relay(*fixture);
        QVERIFY(relay.start());
        QTRY_COMPARE_WITH_TIMEOUT(fixture->unprocessed(), 0, patienceMs);
        QVERIFY_RESULT(fixture->plainRedis().command({"FLUSHALL"}, u"emptying"_s));
        QVERIFY(fixture->insertRows(5));
        QTRY_VERIFY_WITH_TIMEOUT(relay.hasEnded(), patienceMs);
        QCOMPARE(relay.process.exitCode(), 6);
        QCOMPARE(fixture->unprocessed(), 5);
    }

    void passwordsComeFromTheCredentialsOfTheUnit()
    {
        PrivateRedis own;
        OUTBOX_START_SERVER(own);
        const auto fixture = benchWith(10, own);
        QVERIFY(fixture);
        QVERIFY_RESULT(fixture->plainRedis().command({"CONFIG", "SET", "requirepass", "tiger"},
                                                     u"setting a password"_s));
        RunningRelay without(*fixture);
        QVERIFY(without.start({u"--drain"_s}));
        QTRY_VERIFY_WITH_TIMEOUT(without.hasEnded(), patienceMs);
        QVERIFY(without.process.exitCode() != 0);
        QTemporaryDir credentials;
        QVERIFY(writeFile(credentials.filePath(u"redis-password"_s), "tiger\n"));
        RunningRelay relay(*fixture);
        relay.setEnvironment(u"CREDENTIALS_DIRECTORY"_s, credentials.path());
        QVERIFY(relay.start({u"--drain"_s}));
        QTRY_VERIFY_WITH_TIMEOUT(relay.hasEnded(), patienceMs);
        QCOMPARE(relay.process.exitCode(), 0);
        QCOMPARE(fixture->unprocessed(), 0);
    }
};

} // namespace tst_relayservice

OUTBOX_TEST(tst_relayservice::TestRelayService)
#include "tst_relayservice.moc"
