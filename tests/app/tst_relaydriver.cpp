// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The relay as it is driven: pause, drain, stop, a database that stands still, a Redis that comes
// back.
#include "app/relay/relaydriver.h"
#include "tests/support/patience.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testoutbox.h"
#include "tests/support/testpostgres.h"
#include "tests/support/testprogram.h"

#include <QSignalSpy>
#include <QTest>

namespace tst_relaydriver {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestRelayDriver : public QObject
{
    Q_OBJECT

    TestPostgres m_postgres;
    PrivateRedis m_redis;
    /// A Redis that loses nothing by a kill, however slow the disk is.
    const QStringList kept{u"--appendonly"_s, u"yes"_s, u"--appendfsync"_s, u"always"_s};

    struct Driven
    {
        TestOutbox fixture;
        RelayDriver driver;
        QSignalSpy finished{&driver, &RelayDriver::finished};
        QSignalSpy failed{&driver, &RelayDriver::failed};
        QSignalSpy backingOff{&driver, &RelayDriver::backingOff};
        OutboxShape shape;
        RelaySettings settings;

        Driven(PrivatePostgres &postgres, PrivateRedis &redis)
            : fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &postgres, redis)
        {
            settings.batch = 10;
            settings.pollMs = 50;
        }
        [[nodiscard]] bool setUp(int rows)
        {
            if (!fixture.setUp() || !fixture.insertRows(rows))
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
        [[nodiscard]] QString how() const { return finished.value(0).value(0).toString(); }
        [[nodiscard]] QString failedWith() const
        {
            return failed.isEmpty() ? QString() : oneLine(failed.first().first().value<Error>());
        }
    };

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_redis);
    }

    void drainsAndEnds()
    {
        Driven relay(m_postgres, m_redis);
        QVERIFY(relay.setUp(35));
        relay.start(true);
        QVERIFY(relay.finished.wait(20'000));
        QCOMPARE(relay.how(), u"drained"_s);
        QCOMPARE(relay.driver.state(), RelayState::Stopped);
        QCOMPARE(relay.driver.totals().enqueued, 35);
        QCOMPARE(relay.fixture.unprocessed(), 0);
    }

    void goesOnWithRowsThatComeLaterUntilItIsStopped()
    {
        Driven relay(m_postgres, m_redis);
        QVERIFY(relay.setUp(5));
        relay.start();
        QTRY_COMPARE_WITH_TIMEOUT(relay.fixture.unprocessed(), 0, 20'000);
        QVERIFY(relay.fixture.insertRows(5));
        QTRY_COMPARE_WITH_TIMEOUT(relay.fixture.unprocessed(), 0, 20'000);
        relay.driver.stop();
        QVERIFY(relay.finished.wait(10'000));
        QCOMPARE(relay.how(), u"stopped"_s);
        QCOMPARE(relay.driver.totals().enqueued, 10);
    }

    void aPausedRelayClaimsNothing()
    {
        Driven relay(m_postgres, m_redis);
        QVERIFY(relay.setUp(5));
        relay.start();
        QTRY_COMPARE_WITH_TIMEOUT(relay.driver.totals().enqueued, 5, 20'000); // it has told of them
        relay.driver.pause();
        QCOMPARE(relay.driver.state(), RelayState::Paused);
        QSignalSpy steps(&relay.driver, &RelayDriver::stepsTaken);
        steps.wait(300); // the batch in hand may be told yet
        steps.clear();
        QVERIFY(relay.fixture.insertRows(5));
        QVERIFY(!steps.wait(400)); // eight polls
        QCOMPARE(relay.fixture.unprocessed(), 5);
        relay.driver.resume();
        QTRY_COMPARE_WITH_TIMEOUT(relay.fixture.unprocessed(), 0, 20'000);
    }

    void aPauseDuringABackOffHoldsWhenTheServerIsBack()
    {
        PrivateRedis own;
        OUTBOX_START_SERVER(own, kept);
        Driven relay(m_postgres, own);
        QVERIFY(relay.setUp(5));
        relay.start();
        QTRY_COMPARE_WITH_TIMEOUT(relay.fixture.unprocessed(), 0, 20'000);
        own.kill();
        QVERIFY(relay.fixture.insertRows(5));
        QVERIFY(relay.backingOff.wait(10'000));
        relay.driver.pause();
        QVERIFY_RESULT(own.start(kept));
        QTRY_COMPARE_WITH_TIMEOUT(relay.driver.state(), RelayState::Paused, 20'000);
        QSignalSpy answered(&relay.driver, &RelayDriver::answered);
        QTRY_VERIFY_WITH_TIMEOUT(answered.count() >= 3, 20'000); // it stands, and claims nothing
        QCOMPARE(relay.fixture.unprocessed(), 5);
        relay.driver.resume();
        QTRY_COMPARE_WITH_TIMEOUT(relay.fixture.unprocessed(), 0, 20'000);
    }

    void itIsHeardFromSeveralTimesASecondHoweverLongThePoll()
    {
        Driven relay(m_postgres, m_redis);
        QVERIFY(relay.setUp(5));
        relay.settings.pollMs = 3'600'000;
        relay.start();
        QTRY_COMPARE_WITH_TIMEOUT(relay.driver.totals().enqueued, 5, 20'000);
        QSignalSpy answered(&relay.driver, &RelayDriver::answered);
        QSignalSpy steps(&relay.driver, &RelayDriver::stepsTaken);
        QTRY_VERIFY_WITH_TIMEOUT(answered.count() >= 8, 20'000);
        QVERIFY(steps.isEmpty());
        QVERIFY(relay.fixture.insertRows(5)); // without a NOTIFY it is not its turn yet
        answered.clear();
        QTRY_VERIFY_WITH_TIMEOUT(answered.count() >= 4, 20'000);
        QCOMPARE(relay.fixture.unprocessed(), 5);
    }

    void keepsToARate()
    {
        Driven relay(m_postgres, m_redis);
        QVERIFY(relay.setUp(40));
        relay.settings.ratePerSecond = 40;
        QElapsedTimer clock;
        clock.start();
        relay.start(true);
        QVERIFY(relay.finished.wait(20'000));
        QVERIFY(clock.elapsed() > 900); // 40 rows at 40/s, from an empty bucket
    }

    void redisThatDiesIsWaitedForAndNothingIsLost()
    {
        PrivateRedis own;
        OUTBOX_START_SERVER(own, kept);
        Driven relay(m_postgres, own);
        QVERIFY(relay.setUp(5));
        relay.start();
        QTRY_COMPARE_WITH_TIMEOUT(relay.fixture.unprocessed(), 0, 20'000);
        own.kill();
        QVERIFY(relay.fixture.insertRows(20));
        QVERIFY(relay.backingOff.wait(10'000));
        QCOMPARE(relay.driver.state(), RelayState::BackingOff);
        QCOMPARE(relay.fixture.unprocessed(), 20);
        QVERIFY_RESULT(own.start(kept));
        QTRY_COMPARE_WITH_TIMEOUT(relay.fixture.unprocessed(), 0, 30'000);
        QCOMPARE(relay.fixture.pendingIds().size(), 25);
        QVERIFY(relay.driver.totals().rollbacks > 0);
    }

    void aRedisThatComesBackEmptyEndsTheRelay_data()
    {
        QTest::addColumn<bool>("isSeenDead");
        QTest::newRow("it was missed") << true;
        QTest::newRow("nobody noticed") << false;
    }
    void aRedisThatComesBackEmptyEndsTheRelay()
    {
        QFETCH(bool, isSeenDead);
        PrivateRedis own;
        OUTBOX_START_SERVER(own);
        Driven relay(m_postgres, own);
        QVERIFY(relay.setUp(5));
        relay.start();
        QTRY_COMPARE_WITH_TIMEOUT(relay.fixture.unprocessed(), 0, 20'000);
        QTRY_COMPARE(relay.driver.totals().enqueued, 5);
        own.kill();
        if (isSeenDead) {
            QVERIFY(relay.fixture.insertRows(20));
            QVERIFY(relay.backingOff.wait(10'000));
        }
        QVERIFY_RESULT(own.start());
        if (!isSeenDead) {
            QSignalSpy answered(&relay.driver, &RelayDriver::answered);
            QTRY_VERIFY_WITH_TIMEOUT(answered.size() > 1, 20'000); // judged in each burst
            QVERIFY(relay.fixture.insertRows(20));
        }
        QTRY_COMPARE_WITH_TIMEOUT(relay.finished.size(), 1, 20'000);
        QCOMPARE(relay.driver.state(), RelayState::Failed);
        QVERIFY(oneLine(relay.failed.first().first().value<Error>()).contains(u"lost"_s));
        QCOMPARE(relay.fixture.unprocessed(), 20);
    }

    void aRedisThatMayEvictTasksIsGivenNoMore()
    {
        PrivateRedis own;
        OUTBOX_START_SERVER(own, kept);
        Driven relay(m_postgres, own);
        QVERIFY(relay.setUp(5));
        QSignalSpy opened(&relay.driver, &RelayDriver::opened);
        relay.start();
        QTRY_COMPARE_WITH_TIMEOUT(relay.fixture.unprocessed(), 0, 20'000);
        own.kill();
        QSignalSpy answered(&relay.driver, &RelayDriver::answered);
        QTRY_VERIFY_WITH_TIMEOUT(answered.size() > 1, 20'000); // Redis is judged in each burst
        QVERIFY_RESULT(own.start(kept + QStringList{u"--maxmemory-policy"_s, u"allkeys-lru"_s}));
        QVERIFY(relay.fixture.insertRows(20));
        const auto isRefused = [&relay] {
            return std::any_of(
                relay.backingOff.cbegin(), relay.backingOff.cend(), [](const QVariantList &told) {
                    return oneLine(told.first().value<Error>()).contains(u"allkeys-lru"_s);
                });
        };
        QTRY_VERIFY_WITH_TIMEOUT(isRefused(), 20'000);
        QCOMPARE(relay.fixture.unprocessed(), 20);
        QVERIFY_RESULT(relay.fixture.plainRedis().ensureOpen());
        QVERIFY_RESULT(relay.fixture.plainRedis().command(
            {"CONFIG", "SET", "maxmemory-policy", "noeviction"}, u"repairing"_s));
        QTRY_VERIFY_WITH_TIMEOUT(relay.fixture.unprocessed() == 0 || !relay.failed.isEmpty(),
                                 30'000);
        QVERIFY2(relay.failed.isEmpty(), qPrintable(relay.failedWith()));
        QVERIFY(opened.size() > 1); // what is promised now is told
    }

    void theDepthOfEveryQueueThatRowsGoToCounts()
    {
        Driven relay(m_postgres, m_redis);
        QVERIFY(relay.setUp(3000));
        QVERIFY(relay.fixture.exec(u"alter table outbox add queue text default 'other'"_s));
        relay.shape.queueColumn = u"queue"_s;
        relay.settings.deepestQueue = 20;
        relay.settings.ratePerSecond = 1000; // it asks ten times a second: some batches get by
        relay.start();
        QSignalSpy answered(&relay.driver, &RelayDriver::answered);
        QTRY_VERIFY_WITH_TIMEOUT(answered.size() > 10 && relay.driver.totals().enqueued > 0,
                                 20'000);
        QVERIFY2(relay.driver.totals().enqueued < 3000,
                 qPrintable(QString::number(relay.driver.totals().enqueued)));
        relay.driver.stop();
        QTRY_COMPARE_WITH_TIMEOUT(relay.finished.size(), 1, 20'000);
    }

    void aDatabaseThatStandsStillDoesNotHoldTheRelayBeyondItsGrace()
    {
        PrivatePostgres own;
        OUTBOX_START_SERVER(own);
        Driven relay(own, m_redis);
        QVERIFY(relay.setUp(5));
        relay.settings.graceMs = 300;
        relay.start();
        QTRY_COMPARE_WITH_TIMEOUT(relay.fixture.unprocessed(), 0, 20'000);
        own.freeze();
        relay.driver.stop();
        const bool ended = relay.finished.wait(5'000) || !relay.finished.isEmpty();
        own.thaw();
        QVERIFY(ended);
    }

    void refusalsComeBeforeARowIsTouched()
    {
        Driven relay(m_postgres, m_redis);
        QVERIFY(relay.setUp(3));
        relay.settings.retentionSeconds = 0;
        relay.start(true);
        QCOMPARE(relay.failed.size(), 1);
        QCOMPARE(relay.how(), u"failed"_s);
        relay.settings.retentionSeconds = 60;
        relay.shape.use = OutboxShape::Use::Watch;
        relay.start(true);
        QCOMPARE(relay.failed.size(), 2);
        QCOMPARE(relay.fixture.unprocessed(), 3);
    }

    void aNotifyWakesItLongBeforeThePoll()
    {
        Driven relay(m_postgres, m_redis);
        QVERIFY(relay.setUp(1));
        relay.settings.pollMs = 60'000;
        relay.settings.notifyChannel = u"outbox"_s;
        relay.start();
        if (isDatabasePooled()) { // it would never be woken, and says so before a row is touched
            QTRY_COMPARE_WITH_TIMEOUT(relay.finished.size(), 1, 20'000);
            QCOMPARE(relay.driver.state(), RelayState::Failed);
            const auto refused = relay.failed.first().first().value<Error>();
            QCOMPARE(refused.kind, Error::Kind::Refused);
            QVERIFY2(refused.text.contains(u"passes no notifications on"_s),
                     qPrintable(oneLine(refused)));
            QCOMPARE(relay.fixture.unprocessed(), 1);
            return;
        }
        QTRY_COMPARE_WITH_TIMEOUT(relay.fixture.unprocessed(), 0, 20'000);
        QVERIFY(relay.fixture.insertRows(3));
        QVERIFY(relay.fixture.exec(u"notify outbox"_s));
        QTRY_COMPARE_WITH_TIMEOUT(relay.fixture.unprocessed(), 0, 10'000);
    }

    void aServerThatWasRestartedIsMetOnceNotByEachSession()
    {
        PrivatePostgres own;
        OUTBOX_START_SERVER(own);
        Driven relay(own, m_redis);
        QVERIFY(relay.setUp(35));
        relay.settings.barrier = true;
        relay.start();
        QTRY_COMPARE_WITH_TIMEOUT(relay.driver.totals().enqueued, 35, 20'000);
        own.stopAtOnce();
        QVERIFY_RESULT(own.restart()); // it is back before the relay can try again
        QVERIFY(relay.fixture.reopen());
        QVERIFY(relay.fixture.insertRows(35));
        QTRY_COMPARE_WITH_TIMEOUT(relay.driver.totals().enqueued, 70, 20'000);
        QCOMPARE(relay.backingOff.count(), 1);
        relay.driver.stop();
        QVERIFY(relay.finished.wait(20'000));
        QCOMPARE(relay.fixture.unprocessed(), 0);
    }
};

} // namespace tst_relaydriver

OUTBOX_TEST(tst_relaydriver::TestRelayDriver)
#include "tst_relaydriver.moc"
