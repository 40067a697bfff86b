// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The window as it is shipped, told to end by a signal: its relay finishes, its demo leaves
// nothing.
#include "tests/support/testprogram.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

namespace tst_windowends {

using namespace Qt::Literals::StringLiterals;

class TestWindowEnds : public QObject
{
    Q_OBJECT

private slots:
    void aSignalEndsItAndTheDemoIsGone_data()
    {
        QTest::addColumn<int>("signal");
        QTest::newRow("SIGINT") << SIGINT;
        QTest::newRow("SIGTERM") << SIGTERM;
        QTest::newRow("SIGHUP") << SIGHUP;
    }
    void aSignalEndsItAndTheDemoIsGone()
    {
        QFETCH(int, signal);
        QTemporaryDir home;
        QVERIFY(QDir(home.path()).mkdir(u"tmp"_s));
        const QDir temporary(home.filePath(u"tmp"_s));
        QProcess window;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"TMPDIR"_s, temporary.path());
        environment.insert(u"XDG_RUNTIME_DIR"_s, home.path());
        environment.insert(u"QT_QPA_PLATFORM"_s, u"offscreen"_s);
        window.setProcessEnvironment(environment);
        window.setProcessChannelMode(QProcess::MergedChannels);
        window.start(QStringLiteral(OUTBOXDECK),
                     {u"--demo"_s, u"--config-dir"_s, home.filePath(u"config"_s), u"--state-dir"_s,
                      home.filePath(u"state"_s)});
        QVERIFY(window.waitForStarted());
        const auto left = [&temporary] {
            return temporary.entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot);
        };
        QTRY_VERIFY_WITH_TIMEOUT(!left().isEmpty(), 30'000);
        QCOMPARE(::kill(static_cast<pid_t>(window.processId()), signal), 0);
        QVERIFY(window.waitForFinished(30'000));
        QVERIFY2(window.exitStatus() == QProcess::NormalExit, window.readAll().constData());
        QCOMPARE(window.exitCode(), 0);
        QCOMPARE(left(), QStringList());
    }

    void aWordItCannotReadIsRefused_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("a demo apart") << QStringList{u"--demo"_s, u"elsewhere"_s}
                                      << QByteArray("--demo: \"elsewhere\" is not known");
        QTest::newRow("a demo with =") << QStringList{u"--demo=elsewhere"_s}
                                       << QByteArray("--demo: \"elsewhere\" is not known");
        QTest::newRow("an environment that nobody knows")
            << QStringList{u"--database"_s, u"sqlite:///tmp/none.db"_s, u"--environment"_s,
                           u"elsewhere"_s}
            << QByteArray("reading --environment: \"elsewhere\" is not known");
        QTest::newRow("a word too much") << QStringList{u"--demo"_s, u"sqlite"_s, u"postgres"_s}
                                         << QByteArray("\"postgres\" is not expected here");
    }
    void aWordItCannotReadIsRefused()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, said);
        QTemporaryDir home;
        arguments += {u"--config-dir"_s, home.filePath(u"config"_s), u"--state-dir"_s,
                      home.filePath(u"state"_s)};
        QProcess window;
        window.setProcessChannelMode(QProcess::MergedChannels);
        window.start(QStringLiteral(OUTBOXDECK), arguments);
        QVERIFY(window.waitForFinished(30'000));
        QCOMPARE(window.exitCode(), 2);
        const QByteArray output = window.readAll();
        QVERIFY2(output.contains(said), output.constData());
    }
};

} // namespace tst_windowends

OUTBOX_TEST(tst_windowends::TestWindowEnds)
#include "tst_windowends.moc"
