// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// F73, F74: the clock of the desktop jumps, or differs from those of the servers. A library that
// lies about the time is laid under this program itself; the servers have the right one.
#include "tests/faults/faultconsole.h"
#include "tests/support/filebytes.h"
#include "tests/support/fonts.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/settableclock.h"

#include <QApplication>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

/// Runs in a process whose own clock is changed under it.
class TestClockJumps : public QObject
{
    Q_OBJECT

    static void setClock(const QByteArray &offset)
    {
        QVERIFY(writeFile(qEnvironmentVariable("FAKETIME_TIMESTAMP_FILE"), offset));
    }

private slots:
    void theConsoleGoesOn()
    {
        calmly([&](double &gapMs) {
            qunsetenv("LD_PRELOAD"); // the servers have the right time
            PrivatePostgres postgres;
            PrivateRedis redis;
            OUTBOX_START_SERVER(postgres);
            OUTBOX_START_SERVER(redis);
            FaultConsole console(TestOutbox::Kind::Postgres, &postgres, redis);
            const QString problem = console.open();
            QVERIFY2(problem.isEmpty(), qPrintable(problem));
            QSignalSpy taken(&console.desktop().system()->database(), &DatabaseFeed::taken);
            for (const char *jump : {"+86400", "-86400", "+0"}) {
                const QDateTime before = QDateTime::currentDateTimeUtc();
                setClock(jump);
                QVERIFY2(qAbs(before.msecsTo(QDateTime::currentDateTimeUtc())) > 80'000'000, jump);
                console.meter().forget();
                taken.clear();
                console.aside([&] { QVERIFY(console.fixture().insertRows(20)); });
                QVERIFY2(FaultConsole::until([&] { return taken.size() > 2; }),
                         jump); // looks go on
                QVERIFY2(console.untilDelivered(), jump); // and so does the relay
                QCOMPARE(console.account(), QString());
                const auto isFresh = [&] { // the ages are those of the last look again
                    return console.isLive()
                        && !staleSince(console.health(Source::Database),
                                       QDateTime::currentDateTimeUtc(), 250);
                };
                QVERIFY2(FaultConsole::until(isFresh), jump);
                // How old the oldest row is, the database says by its own clock.
                const auto snapshot = taken.last().first().value<OutboxSnapshot>();
                QVERIFY(snapshot.oldestPendingSeconds.value_or(0) < 60);
                gapMs = std::max(gapMs, console.meter().longest());
            }
        });
    }

    /// Of the desktop and both servers; each server's own is judged alike (models/tst_health).
    void theDifferenceIsTold()
    {
        calmly([&](double &gapMs) {
            qunsetenv("LD_PRELOAD");
            PrivatePostgres postgres;
            PrivateRedis redis;
            OUTBOX_START_SERVER(postgres);
            OUTBOX_START_SERVER(redis);
            FaultConsole console(TestOutbox::Kind::Postgres, &postgres, redis);
            const QString problem = console.open();
            QVERIFY2(problem.isEmpty(), qPrintable(problem));
            const auto told = [&] {
                const auto labels = console.desktop().window().findChildren<QLabel *>();
                for (const QLabel *label : labels) {
                    if (label->text().startsWith(u"The clock of the database server is"_s))
                        return label->text();
                }
                return QString();
            };
            QCOMPARE(told(), QString());
            setClock("+5");
            QVERIFY2(FaultConsole::until([&] { return told().contains(u"behind ours"_s); }),
                     qPrintable(told()));
            setClock("-5");
            QVERIFY2(FaultConsole::until([&] { return told().contains(u"ahead of ours"_s); }),
                     qPrintable(told()));
            console.aside([&] { QVERIFY(console.fixture().insertRows(20)); });
            QVERIFY(console.untilDelivered());
            QCOMPARE(console.account(), QString());
            setClock("+0");
            QVERIFY2(FaultConsole::until([&] { return told().isEmpty(); }), qPrintable(told()));
            gapMs = console.meter().longest();
        });
    }
};

class TestFaultsTime : public QObject
{
    Q_OBJECT

    /// A test of the above in a process of its own.
    static void passes(const char *function)
    {
        QByteArray said;
        QVERIFY2(SettableClock::passes({}, QString::fromLatin1(function), said), said.constData());
        const QByteArray passed = QByteArray("PASS   : TestClockJumps::").append(function);
        QVERIFY2(said.contains(passed), said.constData());
    }

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        if (SettableClock::library().isEmpty())
            QSKIP("no library that changes clocks: apt-get install faketime");
    }

    void f73_theClockOfTheDesktopJumps() { passes("theConsoleGoesOn"); }
    void f74_theClockOfTheDesktopDiffers() { passes("theDifferenceIsTold"); }
};

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    if (SettableClock::isUnder()) {
        TestClockJumps test;
        return QTest::qExec(&test, argc, argv);
    }
    TestFaultsTime test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_faults_time.moc"
