// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What our looking costs is counted where it happens, on every kind of server.
#include "app/system/databasefeed.h"
#include "app/system/queuefeed.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/patience.h"
#include "tests/support/redisqueue.h"
#include "tests/support/testprogram.h"

#include <QSignalSpy>

namespace tst_pollcost {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestLookCost : public QObject
{
    Q_OBJECT

    Databases m_databases;
    PrivateRedis m_redis;
    QTemporaryDir m_folder;

private slots:
    void initTestCase()
    {
        OUTBOX_START_DATABASES(m_databases);
        OUTBOX_START_SERVER(m_redis);
    }

    void databaseLooksAreCounted_data() { addDialects(); }
    void databaseLooksAreCounted()
    {
        QFETCH(int, dialect);
        const DatabaseUrl url = m_databases.fresh(static_cast<DatabaseUrl::Dialect>(dialect));
        SideSession side(url);
        side.run(classicTable());
        side.run(numbered(300, u"n, 'mail', 'payload ' || n"_s, u"outbox"_s));
        Profile profile;
        profile.databaseUrl = m_databases.addressOf(url);
        profile.table = u"outbox"_s;
        profile.shape = classicShape();
        profile.refreshMs = 20;
        DatabaseFeed feed(profile, {}, m_folder.path());
        PollCost last;
        connect(&feed, &DatabaseFeed::costChanged, &feed,
                [&last](const PollCost &cost) { last = cost; });
        feed.showRows({}, true);
        feed.setRunning(true);
        QTRY_VERIFY(last.list.at.has_value() && last.looks >= 5);
        QVERIFY(last.since.has_value());
        QVERIFY(last.figures.at.has_value());
        QVERIFY(last.figures.tookMs > 0);
        QCOMPARE(last.figures.wantedMs, 20);
        QVERIFY(last.totalMs >= last.figures.tookMs);
        QVERIFY(last.traffic.statements >= last.looks); // each look is at least one statement
        QVERIFY(last.traffic.bytes > 300 * 10); // the rows came over
        feed.setRunning(false);
        feed.hideRows();
        const qint64 before = last.looks;
        feed.find({u"7"_s}); // asked once: it costs, too
        QTRY_VERIFY(last.looks > before);
    }

    void queueLooksAreCounted()
    {
        Profile profile;
        profile.redisUrl = m_redis.url();
        profile.refreshMs = 20;
        QueueFeed feed(profile, {});
        PollCost last;
        connect(&feed, &QueueFeed::costChanged, &feed,
                [&last](const PollCost &cost) { last = cost; });
        feed.setRunning(true);
        QTRY_VERIFY(last.looks >= 3);
        QVERIFY(last.figures.at.has_value());
        QVERIFY(!last.list.at.has_value()); // no tasks are on screen
        QVERIFY(last.traffic.statements >= last.looks);
        QVERIFY(last.traffic.bytes > 0);
        feed.setRunning(false);
    }

    void theLookThatSlowedItIsKept()
    {
        CostMeter meter;
        Poller poller(100, 60'000);
        const auto look = [&](double tookMs) {
            QVERIFY(poller.kick());
            poller.answered(tookMs);
            meter.add(tookMs, {1, 10});
            meter.addRegular(&PollCost::figures, poller);
        };
        look(2);
        QVERIFY(!meter.cost().figures.isSlowed());
        look(60);
        look(21); // neither dear enough for 200 ms nor cheap enough to go back
        QVERIFY(meter.cost().figures.isSlowed());
        QCOMPARE(meter.cost().figures.dearMs, 60.0);
        QCOMPARE(meter.cost().figures.tookMs, 21.0);
        look(1);
        QVERIFY(!meter.cost().figures.isSlowed());
        QCOMPARE(meter.cost().looks, 4);
        QCOMPARE(meter.cost().traffic, (Traffic{4, 40}));
    }
};

} // namespace tst_pollcost

OUTBOX_TEST(tst_pollcost::TestLookCost)
#include "tst_pollcost.moc"
