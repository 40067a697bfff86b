// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// systemd's protocol, message by message: addresses, when it is told what, what counts as life.
#include "app/service/systemdnotifier.h"
#include "tests/support/notifysocket.h"
#include "tests/support/patience.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_supervisor {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestSupervisor : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        for (const char *name : {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"})
            qunsetenv(name);
    }

    void speaksToAPathAndToAnAbstractName_data()
    {
        QTest::addColumn<bool>("isAbstract");
        QTest::newRow("path") << false;
        QTest::newRow("abstract") << true;
    }

    void speaksToAPathAndToAnAbstractName()
    {
        QFETCH(bool, isAbstract);
        const NotifySocket manager(isAbstract);
        QVERIFY(manager.isBound());
        qputenv("NOTIFY_SOCKET", manager.address());
        Supervisor supervisor;
        QVERIFY_RESULT(supervisor.open());
        QVERIFY(supervisor.isListening());
        QVERIFY_RESULT(supervisor.tell("READY=1\nSTATUS=well"));
        QTRY_COMPARE(manager.lines(), (QByteArrayList{"READY=1", "STATUS=well"}));
    }

    void withoutAManagerAllIsSilence()
    {
        Supervisor supervisor;
        QVERIFY_RESULT(supervisor.open());
        QVERIFY(!supervisor.isListening());
        QVERIFY_RESULT(supervisor.tell("READY=1"));
    }

    void anAddressThatIsNoneIsRefused_data()
    {
        QTest::addColumn<QByteArray>("address");
        QTest::newRow("relative") << QByteArray("notify");
        QTest::newRow("empty name") << QByteArray("@");
        QTest::newRow("virtual machine") << QByteArray("vsock:2:1234");
        QTest::newRow("too long") << QByteArray("/" + QByteArray(108, 'x'));
    }

    void anAddressThatIsNoneIsRefused()
    {
        QFETCH(QByteArray, address);
        qputenv("NOTIFY_SOCKET", address);
        Supervisor supervisor;
        const auto opened = supervisor.open();
        QVERIFY(!opened);
        QCOMPARE(opened.error().kind, Error::Kind::Invalid);
    }

    void aManagerThatIsGoneIsAnErrorAndNoHang()
    {
        qputenv("NOTIFY_SOCKET", "/nonexistent/notify");
        Supervisor supervisor;
        QVERIFY_RESULT(supervisor.open());
        QVERIFY(!supervisor.tell("READY=1"));
        SystemdNotifier voice;
        QVERIFY_RESULT(voice.open(1));
        voice.answered(0, true);
        voice.status(u"well"_s);
        QVERIFY(voice.takeProblem().has_value()); // said once, not with each message
        QVERIFY(!voice.takeProblem().has_value());
    }

    void theWatchdogOfAnotherProcessIsNotOurs()
    {
        const NotifySocket manager;
        qputenv("NOTIFY_SOCKET", manager.address());
        qputenv("WATCHDOG_USEC", "4000000");
        qputenv("WATCHDOG_PID", QByteArray::number(::getpid()));
        Supervisor ours;
        QVERIFY_RESULT(ours.open());
        QCOMPARE(ours.watchdog(), std::optional(std::chrono::microseconds(4'000'000)));
        qputenv("WATCHDOG_PID", "1");
        Supervisor others;
        QVERIFY_RESULT(others.open());
        QVERIFY(!others.watchdog());
    }

    void aBeatNeedsAnAnswerFromEveryRoom()
    {
        Heartbeat heart(2, 4000);
        QVERIFY(!heart.answered(0, 500));
        QVERIFY(!heart.answered(0, 1000)); // the other one hangs
        QVERIFY(heart.answered(1, 1500));
        QVERIFY(!heart.answered(1, 1600)); // too soon, and the first one is silent
        QVERIFY(!heart.answered(1, 2500));
        QVERIFY(heart.answered(0, 2600));
        heart.gone(0);
        QVERIFY(heart.answered(1, 3200));
    }

    void beatsComeInLessThanHalfOfTheTime()
    {
        Heartbeat heart(1, 1000);
        qint64 last = 0;
        for (qint64 now = 250; now < 10'000; now += 250) { // the pace of a relay that waits
            if (heart.answered(0, now)) {
                QVERIFY(now - last < 500);
                last = now;
            }
        }
        QVERIFY(last > 9000);
    }

    void readyIsSaidOnceAndOnlyWhenAllHaveWorked()
    {
        const NotifySocket manager;
        qputenv("NOTIFY_SOCKET", manager.address());
        SystemdNotifier voice;
        QVERIFY_RESULT(voice.open(2));
        voice.answered(0, true);
        voice.answered(1, false); // backs off
        voice.status(u"one"_s);
        voice.status(u"one"_s);
        voice.answered(1, true);
        voice.answered(1, true);
        voice.status(u"two\nlines"_s);
        voice.stopping(5000);
        voice.stopping(9000);
        QTRY_COMPARE(manager.lines(),
                     (QByteArrayList{"STATUS=one", "READY=1", "STATUS=two lines", "STOPPING=1",
                                     "EXTEND_TIMEOUT_USEC=5000000"}));
    }
};

} // namespace tst_supervisor

OUTBOX_TEST(tst_supervisor::TestSupervisor)
#include "tst_supervisor.moc"
