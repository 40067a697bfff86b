// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A short run of the trial `slotmoves`: slots of a Redis Cluster move, a primary dies without its
// replica, a relay dies. With WAIT nothing is lost; without it what only the primary had is, which
// shows that the count bites, and the relays tell of it.
#include "tests/crash/longmain.h"
#include "tests/crash/slottrial.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"

#include <QTest>

#include <algorithm>
#include <cstdio>

using namespace outbox;
using namespace outbox::crash;
using namespace Qt::Literals::StringLiterals;

class TestSlotMoves : public QObject
{
    Q_OBJECT

private slots:
    void eachRowIsThereOnceOrToldOf_data()
    {
        QTest::addColumn<int>("replicas");
        QTest::newRow("WAIT 1") << 1;
        QTest::newRow("no WAIT") << 0;
    }

    void eachRowIsThereOnceOrToldOf()
    {
        QFETCH(int, replicas);
        SlotOrder order;
        order.rows = {20'000, 4};
        order.ratePerSecond = 1500;
        order.replicas = replicas;
        order.kills.everyMs = 3000;
        order.kills.most = 1;
        SlotTrial trial(order);
        OUTBOX_START_SERVER(trial);
        const auto report = trial.run();
        QVERIFY_RESULT(report);
        const QString table = tableOf(order, *report);
        std::printf("%s\n%s", QTest::currentDataTag(), qPrintable(table));
        std::fflush(stdout);
        QVERIFY2(isAsPromised(order, *report), qPrintable(table));
        QCOMPARE(report->kills, 1);
        QVERIFY(report->ends.value(-1) > 0); // of relays
        QVERIFY(std::all_of(report->moves.begin(), report->moves.end(),
                            [](int moves) { return moves > 0; }));
        if (replicas == 0) {
            QVERIFY2(report->count.lost > 0, "only the dead primary had some tasks");
            QVERIFY(report->told.losses > 0);
        }
    }
};

OUTBOX_LONG_TEST_MAIN(TestSlotMoves)
#include "tst_slotmoves.moc"
