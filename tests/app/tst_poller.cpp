// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A poller never overlaps, slows down when a look is dear, comes back when it is cheap, and backs
// off.
#include "app/system/sources/poller.h"
#include "tests/support/testprogram.h"

#include <QSignalSpy>
#include <QTest>

namespace tst_poller {

using namespace outbox;

class TestPoller : public QObject
{
    Q_OBJECT

private slots:
    void asksOnlyAfterTheAnswer()
    {
        Poller poller(1, 60'000);
        QSignalSpy due(&poller, &Poller::due);
        poller.start();
        QVERIFY(due.wait());
        QVERIFY(!due.wait(50)); // no answer, no second question
        QCOMPARE(due.count(), 1);
        poller.answered(0);
        QVERIFY(due.wait());
    }

    void waitsForAPersonWhereItIsTurnedAway()
    {
        Poller poller(1, 60'000);
        QSignalSpy due(&poller, &Poller::due);
        poller.start();
        QVERIFY(due.wait());
        poller.refused();
        QCOMPARE(poller.nextInMs(), 0);
        poller.start(); // it runs already
        QVERIFY(!due.wait(50));
        QVERIFY(poller.kick());
        QVERIFY(!poller.kick()); // while it is asked
        poller.refused();
        QVERIFY(due.wait());
        poller.answered(0);
        QVERIFY(due.wait()); // and by itself again
    }

    void slowsDownAndComesBack()
    {
        Poller poller(10, 60'000);
        QSignalSpy changed(&poller, &Poller::intervalChanged);
        QVERIFY(poller.kick());
        poller.answered(9);
        QCOMPARE(poller.intervalMs(), 20);
        QVERIFY(poller.isSlowed());
        QVERIFY(poller.kick());
        poller.answered(0.1);
        QCOMPARE(poller.intervalMs(), 10);
        QVERIFY(!poller.isSlowed());
        QCOMPARE(changed.count(), 2);
    }

    void tellsOnceThatAnAnswerIsOverdue()
    {
        Poller poller(1, 20);
        QSignalSpy overdue(&poller, &Poller::overdue);
        poller.start();
        QVERIFY(overdue.wait());
        QVERIFY(!overdue.wait(60));
    }

    void aKickDuringAQuestionAsksAgainAtOnce()
    {
        Poller poller(60'000, 60'000);
        QSignalSpy due(&poller, &Poller::due);
        poller.start();
        QVERIFY(due.wait());
        QVERIFY(!poller.kick());
        QCOMPARE(due.count(), 1);
        poller.answered(0);
        QVERIFY(due.wait());
    }

    void backsOffAfterFailures()
    {
        Poller poller(1, 60'000);
        poller.start();
        QSignalSpy due(&poller, &Poller::due);
        QVERIFY(due.wait());
        poller.failed();
        QVERIFY(poller.nextInMs() >= 200);
    }
};

} // namespace tst_poller

OUTBOX_TEST(tst_poller::TestPoller)
#include "tst_poller.moc"
