// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Small runs of the long trials `failovers`, `promotions` and `galeraconflicts`; and what they
// count with.
#include "tests/crash/failovertrial.h"
#include "tests/crash/galeratrial.h"
#include "tests/crash/longmain.h"
#include "tests/crash/promotiontrial.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"

#include <QTest>

#include <cstdio>

using namespace outbox;
using namespace outbox::crash;
using namespace Qt::Literals::StringLiterals;

class TestTrials : public QObject
{
    Q_OBJECT

private slots:
    void whatNobodyToldOfIsCounted()
    {
        FailoverReport report;
        FailoverRound told;
        told.delivered = 100;
        told.lost = 7;
        told.told = {2, 7, false};
        told.pauseMs = 10;
        FailoverRound half = told;
        half.told = {1, 4, false};
        FailoverRound unbounded = told;
        unbounded.told = {1, 4, true};
        report.rounds = {told, unbounded};
        QCOMPARE(report.untold(), 0);
        report.rounds += half;
        QCOMPARE(report.untold(), 3);
        const QString table = tableOf(report);
        QVERIFY2(table.contains(u"not told"_s), qPrintable(table));

        PromotionReport promoted;
        promoted.gone = 5;
        QCOMPARE(promoted.untold(), 5);
        promoted.isSynchronous = false; // as running.md says of an asynchronous standby
        QCOMPARE(promoted.untold(), 0);
        promoted.lost = 1;
        QCOMPARE(promoted.untold(), 1);
    }

    void timesAreShownByTheirMedianAndTheWorst()
    {
        QCOMPARE(secondsText({}), u"-"_s);
        QCOMPARE(secondsText({3000, 1000, 2500}), u"2.50 / 3.00 s"_s);
        QCOMPARE(columnsText({QStringList{u"a"_s, u"long"_s}, QStringList{u"wide"_s, u"1"_s}}),
                 u"a     long\nwide     1\n"_s);
        QCOMPARE(verdictText(u"a switch"_s, {}, 100), QString());
        QCOMPARE(verdictText(u"a switch"_s, {100, 20, 50}, 100),
                 u"a switch: median / worst 0.05 / 0.10 s, wanted at most 0.10 s: met\n"_s);
        QVERIFY(verdictText(u"a switch"_s, {101, 20, 50}, 100).endsWith(u": missed\n"_s));
    }

    void timesAreJudgedByTheKindOfFault()
    {
        FailoverReport report;
        FailoverRound killed;
        killed.pauseMs = 2050;
        killed.switchMs = 2000;
        FailoverRound planned = killed;
        planned.fault = MasterFault::Planned;
        FailoverRound parted = killed;
        parted.fault = MasterFault::Parted;
        parted.lost = report.order.rowsASecond + 1;
        report.rounds = {killed, planned, parted, FailoverRound()};
        const QString table = tableOf(report);
        QVERIFY2(table.contains(u"0.05 / 0.05 s, wanted at most 0.10 s: met"_s), qPrintable(table));
        QVERIFY2(table.contains(u"2.05 / 2.05 s, wanted at most 2.00 s: missed"_s),
                 qPrintable(table));
        QVERIFY2(table.contains(u"1.00 / 1.00 s, wanted at most 1.00 s: missed"_s),
                 qPrintable(table));
        report.order.waits = report.order.replicas;
        const QString waits = tableOf(report);
        QVERIFY2(waits.contains(u"not judged"_s) && !waits.contains(u": met"_s), qPrintable(waits));

        PromotionReport promoted;
        promoted.rounds = {{PrimaryFault::Killed, 0, 501}, {PrimaryFault::CutOff, 0, 501}};
        const QString promotions = tableOf(promoted);
        QVERIFY2(promotions.contains(u"wanted at most 0.50 s: missed"_s), qPrintable(promotions));
        QVERIFY2(promotions.contains(u"wanted at most 4.00 s: met"_s), qPrintable(promotions));
    }

    void aKilledMasterAndAPlannedFailoverLoseNothingUntold_data()
    {
        QTest::addColumn<bool>("keepsRows");
        QTest::addColumn<int>("waits");
        QTest::newRow("rows are deleted, WAIT 1") << false << 1;
        QTest::newRow("rows are marked, no WAIT") << true << 0;
    }
    void aKilledMasterAndAPlannedFailoverLoseNothingUntold()
    {
        QFETCH(bool, keepsRows);
        QFETCH(int, waits);
        {
            PrivateRedis asked;
            OUTBOX_START_SERVER(asked); // a machine without servers
            PrivatePostgres askedToo;
            OUTBOX_START_SERVER(askedToo);
        }
        FailoverOrder order;
        order.failovers = 2;
        order.rowsASecond = 500;
        order.keepsRows = keepsRows;
        order.waits = waits;
        FailoverTrial trial(order);
        const auto report = trial.run([](const FailoverRound &) {});
        QVERIFY_RESULT(report);
        const QString table = tableOf(*report);
        std::printf("%s\n%s", QTest::currentDataTag(), qPrintable(table));
        std::fflush(stdout);
        QCOMPARE(report->rounds.size(), 3); // and one for the end
        QVERIFY(report->written > 0);
        QVERIFY2(report->untold() == 0, qPrintable(table));
        if (waits > 0) { // all replicas
            for (const FailoverRound &round : report->rounds)
                QVERIFY2(round.lost == 0, qPrintable(table));
        }
    }

    void aPartedMasterLosesOnlyWhatIsTold_data()
    {
        QTest::addColumn<int>("replicas");
        QTest::addColumn<int>("waits");
        QTest::newRow("no WAIT") << 1 << 0;
        QTest::newRow("WAIT 1 of 2") << 2 << 1;
    }
    void aPartedMasterLosesOnlyWhatIsTold()
    {
        QFETCH(int, replicas);
        QFETCH(int, waits);
        {
            PrivateRedis asked;
            OUTBOX_START_SERVER(asked);
            PrivatePostgres askedToo;
            OUTBOX_START_SERVER(askedToo);
        }
        FailoverOrder order;
        order.failovers = 1;
        order.isParted = true;
        order.rowsASecond = 500;
        order.replicas = replicas;
        order.waits = waits;
        FailoverTrial trial(order);
        const auto report = trial.run([](const FailoverRound &) {});
        QVERIFY_RESULT(report);
        const QString table = tableOf(*report);
        std::printf("%s\n%s", QTest::currentDataTag(), qPrintable(table));
        std::fflush(stdout);
        QCOMPARE(report->rounds.size(), 2); // and one for the end
        const FailoverRound &parted = report->rounds.first();
        const FailoverRound &end = report->rounds.last();
        QVERIFY2(report->untold() == 0, qPrintable(table));
        QCOMPARE(end.lost, 0);
        if (waits > 0) {
            QCOMPARE(parted.lost, 0);
            return;
        }
        QVERIFY2(parted.lost > 0, qPrintable(table)); // the partition did strike
        // Relays that stay with the old master give it all rows of the rest of the partition: of
        // five seconds, where sentinels switch within three.
        QVERIFY2(parted.late < 3 * order.rowsASecond, qPrintable(table));
    }

    void primariesThatFailLoseNothingOnASynchronousStandby_data()
    {
        QTest::addColumn<bool>("isCutOff");
        QTest::newRow("killed and hung") << false;
        QTest::newRow("cut off") << true;
    }
    void primariesThatFailLoseNothingOnASynchronousStandby()
    {
        QFETCH(bool, isCutOff);
        {
            PrivateRedis asked;
            OUTBOX_START_SERVER(asked);
            PrivatePostgres askedToo;
            OUTBOX_START_SERVER(askedToo);
        }
        PromotionOrder order;
        order.promotions = 2;
        order.isCutOff = isCutOff;
        order.rowsASecond = 300;
        PromotionTrial trial(order);
        const auto report = trial.run([](const PromotionRound &) {});
        QVERIFY_RESULT(report);
        const QString table = tableOf(*report);
        std::printf("%s\n%s", QTest::currentDataTag(), qPrintable(table));
        std::fflush(stdout);
        QCOMPARE(report->rounds.size(), 2);
        QVERIFY(report->acknowledged > 0);
        if (isCutOff) { // the fault did strike the relays: two seconds of rows wait, or nearly
            for (const PromotionRound &round : report->rounds)
                QVERIFY2(round.waiting > order.rowsASecond / 2, qPrintable(table));
        } else { // and here the writer
            QVERIFY2(report->retries > 0, qPrintable(table));
        }
        QVERIFY2(report->untold() == 0, qPrintable(table));
        QVERIFY2(report->doubled == 0, qPrintable(table));
    }

    void transactionsThatAClusterUndoesLoseAndDoubleNothing()
    {
        {
            PrivateRedis asked;
            OUTBOX_START_SERVER(asked);
            GaleraWorld askedToo;
            OUTBOX_START_SERVER(askedToo);
        }
        GaleraOrder order;
        order.conflicts = 20;
        order.mostMinutes = 5;
        GaleraTrial trial(order);
        const auto report = trial.run([](qint64) {});
        QVERIFY_RESULT(report);
        const QString table = tableOf(*report);
        std::printf("%s", qPrintable(table));
        std::fflush(stdout);
        QVERIFY2(report->conflicts >= order.conflicts, qPrintable(table));
        QVERIFY2(report->written >= order.rowsAtOnce, qPrintable(table));
        QVERIFY2(report->isClean(), qPrintable(table));
    }
};

OUTBOX_LONG_TEST_MAIN(TestTrials)
#include "tst_trials.moc"
