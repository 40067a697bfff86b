// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A planned failover by sentinels in the middle of a relay's work: what has left the outbox is on
// the new master.
#include "app/relay/relaydriver.h"
#include "tests/support/ctl.h"
#include "tests/support/freeport.h"
#include "tests/support/patience.h"
#include "tests/support/resultmacros.h"
#include "tests/support/sentinelworld.h"
#include "tests/support/servers.h"
#include "tests/support/testoutbox.h"
#include "tests/support/testprogram.h"

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

private slots:
    void nothingIsLostByAPlannedFailover_data()
    {
        QTest::addColumn<int>("replicas");
        QTest::addColumn<int>("waits");
        QTest::newRow("two replicas, no WAIT") << 2 << 0;
        QTest::newRow("one replica, WAIT 1") << 1 << 1;
    }
    void nothingIsLostByAPlannedFailover()
    {
        QFETCH(int, replicas);
        QFETCH(int, waits);
        SentinelWorld world;
        OUTBOX_START_SERVER(world, replicas);
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
        RedisConnection hand; // asked without sentinels, and without our relay's connection
        QVERIFY_RESULT(hand.open(RedisEndpoint::fromUrl(u"redis://127.0.0.1:%1"_s.arg(now)).value(),
                                 RedisConnection::Access::ReadOnly, u"hand"_s));
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
