// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How often a system of a fleet is looked at, when a server that is away is tried again, and what
// the looks cost.
#include "app/system/fleet/fleetpace.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_fleetpace {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestFleetPace : public QObject
{
    Q_OBJECT

private slots:
    void troubleIsLookedAtMoreOften()
    {
        using enum HealthLevel;
        QCOMPARE(fleetIntervalMs(Ok, 10), 5000);
        for (const HealthLevel level : {Watch, Stalled, Broken, Unknown})
            QCOMPARE(fleetIntervalMs(level, 10), 2000);
    }

    void aDearLookTakesAFifthAtMost()
    {
        QCOMPARE(fleetIntervalMs(HealthLevel::Ok, 1000), 5000);
        QCOMPARE(fleetIntervalMs(HealthLevel::Ok, 1200), 6000);
        QCOMPARE(fleetIntervalMs(HealthLevel::Watch, 400), 2000);
        QCOMPARE(fleetIntervalMs(HealthLevel::Watch, 1200), 6000);
        QCOMPARE(fleetIntervalMs(HealthLevel::Ok, 1e9), 120'000);
    }

    void aServerThatIsAwayIsTriedOnceInAWhile()
    {
        const Error error{Error::Kind::Unreachable, u"connecting"_s, u"refused"_s, {}, {}};
        AwayServers away;
        QVERIFY(!away.closed(u"s"_s, 0));
        away.trying(u"s"_s, 0); // nothing is known against it: all may
        QVERIFY(!away.closed(u"s"_s, 0));
        away.failed(u"s"_s, error, 100);
        QVERIFY(away.closed(u"s"_s, 15'099) != nullptr);
        QCOMPARE(away.closed(u"s"_s, 15'099)->error, error);
        QVERIFY(!away.closed(u"other"_s, 101));
        QVERIFY(!away.closed(u"s"_s, 15'100));
        away.trying(u"s"_s, 15'100);
        QVERIFY(away.closed(u"s"_s, 15'100) != nullptr); // for all others
        away.answered(u"s"_s);
        QVERIFY(!away.closed(u"s"_s, 15'101));
    }

    void whatOneUserMayNotIsNoErrorOfTheServer()
    {
        Error error{Error::Kind::Unreachable, u"connecting"_s, u"no connection left"_s, {}, {}};
        QVERIFY(AwayServers::isOfServer(error));
        error.code = u"1226"_s;
        QVERIFY(!AwayServers::isOfServer(error));
        error.code.clear();
        error.kind = Error::Kind::Refused;
        QVERIFY(!AwayServers::isOfServer(error));
        error.kind = Error::Kind::Timeout;
        QVERIFY(AwayServers::isOfServer(error));
    }

    void theMeterKnowsTheLastTenSeconds()
    {
        FleetMeter meter;
        meter.start(1000);
        QCOMPARE(meter.cost(1000), FleetCost());
        for (int look = 0; look < 10; ++look)
            meter.add(1500, 5, {3, 1000});
        FleetCost cost = meter.cost(3000); // two seconds
        QCOMPARE(cost.looksPerSecond, 5.0);
        QCOMPARE(cost.bytesPerSecond, 5000);
        QCOMPARE(cost.processorShare, 0.025);
        cost = meter.cost(11'400);
        QCOMPARE(cost.looksPerSecond, 1.0);
        QCOMPARE(meter.cost(11'500), FleetCost()); // they are older
    }
};

} // namespace tst_fleetpace

OUTBOX_TEST(tst_fleetpace::TestFleetPace)
#include "tst_fleetpace.moc"
