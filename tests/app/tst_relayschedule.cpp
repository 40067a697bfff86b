// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The ProcessedDate job: it works at its times only, never twice at once, leaves out the times it
// is too late for, and a row that cannot go does not stop those behind it.
#include "app/relay/relaydriver.h"
#include "tests/support/newlife.h"
#include "tests/support/patience.h"
#include "tests/support/resultmacros.h"
#include "tests/support/runningrelay.h"
#include "tests/support/servers.h"
#include "tests/support/testkinds.h"
#include "tests/support/testprogram.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>

namespace tst_relayschedule {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

using Kind = TestOutbox::Kind;

class TestRelaySchedule : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateMariadb m_mariadb;
    PrivateRedis m_redis;
    QTemporaryDir m_state;

    struct Driven
    {
        TestOutbox fixture;
        RelayDriver driver;
        QSignalSpy finished{&driver, &RelayDriver::finished};
        QSignalSpy ended{&driver, &RelayDriver::runEnded};
        OutboxShape shape;
        RelaySettings settings;

        Driven(TestRelaySchedule &test)
            : fixture(kind(), BenchShape::ProcessedDate, &test.m_postgres, test.m_redis,
                      &test.m_mariadb)
        {
            settings.batch = 10;
            settings.pollMs = 50;
            settings.schedule = *Schedule::fromText(u"every 1s"_s);
            settings.stateFolder = test.m_state.path();
        }
        [[nodiscard]] bool setUp(int rows)
        {
            if (!fixture.setUp() || !forgetLives(settings.stateFolder) || !fixture.insertRows(rows))
                return false;
            const auto found = fixture.takenShape();
            if (found)
                shape = *found;
            return found.has_value();
        }
        void start(bool drain = false)
        {
            driver.start(fixture.settings(StoreAccess::Relay), shape, fixture.redis(), settings,
                         drain);
        }
        [[nodiscard]] JobRun run(qsizetype at) const
        {
            return ended.at(at).first().value<JobRun>();
        }
        [[nodiscard]] bool stop()
        {
            driver.stop();
            return !finished.isEmpty() || finished.wait(10'000);
        }
    };

    static Kind kind()
    {
        QFETCH_GLOBAL(Kind, kind);
        return kind;
    }

private slots:
    void initTestCase_data() { addKinds(); }
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_mariadb);
        OUTBOX_START_SERVER(m_redis);
    }

    void itWorksAtItsTimesOnly()
    {
        Driven relay(*this);
        QVERIFY(relay.setUp(25));
        QSignalSpy planned(&relay.driver, &RelayDriver::runPlanned);
        relay.start();
        QTRY_VERIFY(relay.ended.size() >= 2);
        QCOMPARE(planned.size(), 1);
        QCOMPARE(relay.fixture.unprocessed(), 0);
        qint64 delivered = 0;
        for (qsizetype at = 0; at < relay.ended.size(); ++at) {
            const JobRun run = relay.run(at);
            delivered += run.delivered;
            QCOMPARE(run.planned.toMSecsSinceEpoch() % 1000, 0);
            QVERIFY(run.began >= run.planned);
            QVERIFY(at == 0 || run.planned > relay.run(at - 1).planned);
            QVERIFY(at == 0 || run.began >= relay.run(at - 1).ended);
            QVERIFY(run.next > run.ended);
        }
        QCOMPARE(delivered, 25);
        QCOMPARE(relay.run(0).delivered, 25); // it worked off all that was due
        // A row that comes now is the next run's.
        QVERIFY(relay.fixture.insertRows(1));
        QTRY_COMPARE(relay.fixture.unprocessed(), 0);
        QVERIFY(relay.stop());
    }

    void aRunThatIsLateForTheNextOneLeavesItOut()
    {
        Driven relay(*this);
        QVERIFY(relay.setUp(60));
        relay.settings.ratePerSecond = 20; // some three seconds of work for each second
        relay.start();
        QTRY_VERIFY_WITH_TIMEOUT(relay.ended.size() >= 1, 30'000);
        const JobRun run = relay.run(0);
        QCOMPARE(run.delivered, 60);
        QVERIFY(run.missed >= 1);
        QCOMPARE(run.missed, relay.settings.schedule->timesBetween(run.planned, run.ended, 1000));
        QVERIFY(relay.stop());
    }

    void anotherProcessAtWorkIsLeftAlone()
    {
        Driven relay(*this);
        QVERIFY(relay.setUp(5));
        OutboxStore other;
        QVERIFY(other.open(relay.fixture.settings(StoreAccess::Relay)));
        QVERIFY(other.use(relay.shape));
        QCOMPARE(other.takeJobLock().value(), true);
        QCOMPARE(other.takeJobLock().value(), true); // it has it
        relay.start();
        QTRY_VERIFY(relay.ended.size() >= 2);
        for (qsizetype at = 0; at < relay.ended.size(); ++at)
            QVERIFY(relay.run(at).isElsewhere);
        QCOMPARE(relay.fixture.unprocessed(), 5);
        QVERIFY(other.releaseJobLock());
        QTRY_COMPARE(relay.fixture.unprocessed(), 0);
        QVERIFY(relay.stop());
        // A relay that ended keeps nobody away, nor does a session that is gone.
        QTRY_COMPARE(other.takeJobLock().value(), true);
        other.close();
        OutboxStore third;
        QVERIFY(third.open(relay.fixture.settings(StoreAccess::Relay)));
        QVERIFY(third.use(relay.shape));
        QTRY_COMPARE(third.takeJobLock().value(), true);
        // The runs of another table are none of its business.
        OutboxShape elsewhere = relay.shape;
        elsewhere.table.table = u"other"_s;
        QVERIFY(relay.fixture.exec(u"create table %1 as select * from %2"_s.arg(
            kind() == Kind::Postgres ? u"app.other"_s : u"other"_s,
            kind() == Kind::Postgres ? u"app.\"OutboxMessages\""_s : u"\"OutboxMessages\""_s)));
        QVERIFY(relay.fixture.exec(kind() == Kind::Postgres
                                       ? u"alter table app.other add primary key (\"Id\")"_s
                                       : u"create unique index other_id on other (\"Id\")"_s));
        if (kind() != Kind::Sqlite) { // there a column of a copy may be NULL, and is no key
            OutboxStore fourth;
            QVERIFY(fourth.open(relay.fixture.settings(StoreAccess::Relay)));
            QVERIFY(fourth.use(elsewhere));
            QCOMPARE(fourth.takeJobLock().value(), true);
        }
    }

    void aPoisonRowAtTheHeadStopsNobodyAndIsParked()
    {
        Driven relay(*this);
        QVERIFY(relay.setUp(20));
        const QString head = relay.fixture.insertedIds().first();
        if (kind() == Kind::Postgres) {
            QVERIFY(relay.fixture.exec(
                u"create function app.refuse() returns trigger language plpgsql as $$ begin"
                " if old.\"Id\" = '%1' then raise exception 'this row may not go'; end if;"
                " return new; end $$"_s.arg(head)));
            QVERIFY(
                relay.fixture.exec(u"create trigger refuse before update on app.\"OutboxMessages\""
                                   " for each row execute function app.refuse()"_s));
        } else if (kind() == Kind::MariaDb) {
            QVERIFY(relay.fixture.exec(
                u"create trigger refuse before update on \"OutboxMessages\" for each row"
                " if old.\"Id\" = '%1' then signal sqlstate '45000'"
                " set message_text = 'this row may not go'; end if"_s.arg(head)));
        } else {
            QVERIFY(relay.fixture.exec(
                u"create trigger refuse before update on \"OutboxMessages\""
                " when old.\"Id\" = '%1' begin select raise(abort, 'this row may not go'); end"_s
                    .arg(head)));
        }
        relay.start();
        // Those behind it go, in spite of it; it is given up after its own tries.
        QTRY_COMPARE_WITH_TIMEOUT(relay.fixture.unprocessedIds(), QStringList{head}, 30'000);
        QTRY_COMPARE_WITH_TIMEOUT(relay.driver.totals().parked, 1, 30'000);
        QVERIFY(relay.fixture.insertRows(5));
        QTRY_COMPARE_WITH_TIMEOUT(relay.fixture.unprocessedIds(), QStringList{head}, 30'000);
        QCOMPARE(relay.driver.totals().parked, 1);
        QVERIFY(relay.stop());
    }

    void drainingNeedsNoTime()
    {
        Driven relay(*this);
        QVERIFY(relay.setUp(5));
        relay.settings.schedule = *Schedule::fromText(u"0 0 29 2 *"_s);
        relay.start(true);
        QVERIFY(relay.finished.wait(20'000));
        QCOMPARE(relay.finished.first().first().toString(), u"drained"_s);
        QCOMPARE(relay.fixture.unprocessed(), 0);
    }

    void theCommandTellsItsTimesAndRuns()
    {
        Driven relay(*this);
        QVERIFY(relay.setUp(5));
        const QStringList target{u"relay"_s,
                                 u"--database"_s,
                                 relay.fixture.url(),
                                 u"--table"_s,
                                 relay.fixture.table(),
                                 u"--redis"_s,
                                 relay.fixture.redisUrl()};
        const CtlRun wrong = runCtl(target + QStringList{u"--schedule"_s, u"61 * * * *"_s});
        QVERIFY(wrong.exitCode != 0);
        QVERIFY2(wrong.err.contains("minute: 61 is not between 0 and 59"), wrong.err.constData());
        const CtlRun two
            = runCtl(target + QStringList{u"--schedule"_s, u"every 15s"_s, u"--workers"_s, u"2"_s});
        QVERIFY(two.exitCode != 0);
        QVERIFY2(two.err.contains("never overlap"), two.err.constData());
        RunningRelay running(relay.fixture);
        QVERIFY(running.start({u"--schedule"_s, u"every 1s"_s, u"--state-dir"_s, m_state.path()}));
        QTRY_COMPARE_WITH_TIMEOUT(relay.fixture.unprocessed(), 0, 20'000);
        QTRY_VERIFY(!running.event(u"run"_s).isEmpty());
        QCOMPARE(running.event(u"planned"_s).value(u"schedule").toString(), u"every 1s"_s);
        running.send(SIGTERM);
        QTRY_VERIFY(running.hasEnded());
    }

    void twoProcessesTakeTurnsAndAKilledOneKeepsNobodyAway()
    {
        Driven relay(*this); // only to look at its table
        QVERIFY(relay.setUp(40));
        const QStringList slow{u"--schedule"_s, u"every 1s"_s, u"--rate"_s,      u"10"_s,
                               u"--batch"_s,    u"5"_s,        u"--state-dir"_s, m_state.path()};
        RunningRelay one(relay.fixture);
        RunningRelay two(relay.fixture);
        QVERIFY(one.start(slow));
        QVERIFY(two.start(slow));
        const auto isLeftOut = [](RunningRelay &running) {
            const QList<QJsonObject> events = running.events();
            return std::any_of(events.begin(), events.end(), [](const QJsonObject &event) {
                return event.value("elsewhere"_L1).toBool();
            });
        };
        QTRY_VERIFY_WITH_TIMEOUT(isLeftOut(one) || isLeftOut(two), 20'000);
        // The one that is at work dies in the middle of its run; the other one goes on.
        RunningRelay &idle = isLeftOut(one) ? one : two;
        RunningRelay &busy = isLeftOut(one) ? two : one;
        QVERIFY(relay.fixture.unprocessed() > 0);
        busy.process.kill();
        QTRY_COMPARE_WITH_TIMEOUT(relay.fixture.unprocessed(), 0, 30'000);
        QVERIFY(!idle.hasEnded());
        QStringList delivered;
        for (const QString &task : relay.fixture.pendingIds())
            delivered += task.section(u':', -1); // behind the table's source
        QStringList wanted = relay.fixture.insertedIds();
        delivered.sort();
        wanted.sort();
        QCOMPARE(delivered, wanted); // each of them once
        idle.send(SIGTERM);
        QTRY_VERIFY(idle.hasEnded());
    }
};

} // namespace tst_relayschedule

OUTBOX_TEST(tst_relayschedule::TestRelaySchedule)
#include "tst_relayschedule.moc"
