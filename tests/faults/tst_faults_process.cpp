// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// F05 … F07: the console's own process closes, aborts, and is started again and again.
#include "tests/faults/faultconsole.h"
#include "tests/support/fonts.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"

#include <QApplication>
#include <QProcess>
#include <QSignalSpy>
#include <QTest>

#include <csignal>
#include <cstdlib>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

/// The console with a relay, as a process; aborts in its GUI thread in the midst of the work.
int beTheChild(const QStringList &arguments)
{
    QTemporaryDir folder;
    Profile profile;
    profile.name = u"child"_s;
    profile.environment = Environment::Development;
    profile.databaseUrl = arguments.at(2);
    profile.redisUrl = arguments.at(3);
    profile.readOnly = false;
    profile.refreshMs = 250;
    Desktop desktop(Folders{folder.path(), folder.path()});
    desktop.openProfile(profile, {});
    desktop.window().show();
    RelayStart start;
    start.batch = 10;
    start.pollMs = 50;
    desktop.relay()->startWhenReady(start);
    if (arguments.at(1) == u"--abort"_s) {
        QObject::connect(&desktop.relay()->driver(), &RelayDriver::stepsTaken, &desktop, [] {
            std::signal(SIGABRT, SIG_DFL);
            std::abort();
        });
    }
    return QApplication::exec();
}

} // namespace

class TestFaultsProcess : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateRedis m_redis;

    void start(QProcess &child, const QString &how, const FaultConsole &console)
    {
        child.start(QCoreApplication::applicationFilePath(),
                    {how, console.profile().databaseUrl, console.profile().redisUrl});
        QVERIFY(child.waitForStarted());
    }

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_redis);
    }

    void f05_closedWhileRelaying()
    {
        calmly([&](double &gapMs) {
            FaultConsole console(TestOutbox::Kind::Postgres, &m_postgres, m_redis);
            QString problem = console.open();
            QVERIFY2(problem.isEmpty(), qPrintable(problem));
            QSignalSpy finished(&console.relay(), &RelayDriver::finished);
            console.queueLine.set({.latencyMs = 50}); // so that a batch is in hand
            QVERIFY(console.fixture().insertRows(300));
            QVERIFY(FaultConsole::until([&] { return console.queueLine.standing() > 0; }));
            console.meter().forget();
            emit console.desktop().window().stopAndCloseAsked();
            QVERIFY(FaultConsole::until([&] { return !console.desktop().window().isVisible(); }));
            QCOMPARE(finished.size(), 1);
            gapMs = std::max(gapMs, console.meter().longest());
            console.queueLine.set({});
            problem = console.open(console.profile(), true); // and the next one finishes
            QVERIFY2(problem.isEmpty(), qPrintable(problem));
        });
    }

    void f06_anAbortInTheGuiThread()
    {
        FaultConsole console(TestOutbox::Kind::Postgres, &m_postgres, m_redis);
        QString problem = console.open(false);
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        QVERIFY(console.fixture().insertRows(500));
        console.queueLine.set({.latencyMs = 5});
        QProcess child;
        start(child, u"--abort"_s, console);
        QVERIFY(FaultConsole::until([&] { return child.state() == QProcess::NotRunning; }));
        QCOMPARE(child.exitStatus(), QProcess::CrashExit);
        QVERIFY(console.fixture().unprocessed() > 0);
        console.queueLine.set({});
        problem = console.open(console.profile(), true);
        QVERIFY2(problem.isEmpty(), qPrintable(problem)); // each row once, the child's included
    }

    void f07_startedAndKilledAgainAndAgain()
    {
        FaultConsole console(TestOutbox::Kind::Postgres, &m_postgres, m_redis);
        QString problem = console.open(false);
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        constexpr int lives = 4;
        const int before = console.databaseLine.accepted();
        const int queueBefore = console.queueLine.accepted();
        for (int life = 0; life < lives; ++life) {
            QVERIFY(console.fixture().insertRows(20));
            QProcess child;
            start(child, u"--stay"_s, console);
            QVERIFY(console.untilDelivered());
            child.kill();
            QVERIFY(child.waitForFinished());
        }
        QCOMPARE(console.account(), QString());
        // Each life looks, writes that its relay began, works in two lanes, and may begin again
        // once: no storm.
        QVERIFY2(console.databaseLine.accepted() - before <= 6 * lives,
                 qPrintable(QString::number(console.databaseLine.accepted() - before)));
        QVERIFY2(console.queueLine.accepted() - queueBefore <= 4 * lives,
                 qPrintable(QString::number(console.queueLine.accepted() - queueBefore)));
        QVERIFY(
            FaultConsole::until([&] { return console.databaseLine.standing() == 1; })); // our own
    }
};

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.value(1) == u"--abort"_s || arguments.value(1) == u"--stay"_s)
        return beTheChild(arguments);
    TestFaultsProcess test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_faults_process.moc"
