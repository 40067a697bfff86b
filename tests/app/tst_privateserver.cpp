// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Private servers start, answer, and die with the process that started them.
#include "app/demo/privateserver.h"
#include "tests/support/privatemariadb.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QLocalSocket>
#include <QProcess>
#include <QTest>

#include <csignal>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestPrivateServer : public QObject
{
    Q_OBJECT

    static bool lives(qint64 pid)
    {
        QFile stat(u"/proc/%1/stat"_s.arg(pid));
        return stat.open(QIODevice::ReadOnly) && !stat.readAll().contains(") Z ");
    }

private slots:
    void redisAnswersOnItsSocket()
    {
        PrivateRedis redis;
        OUTBOX_START_SERVER(redis);
        QLocalSocket socket;
        socket.connectToServer(redis.socketPath());
        QVERIFY(socket.waitForConnected(1000));
        socket.write("PING\r\n");
        QVERIFY(socket.waitForReadyRead(2000));
        QCOMPARE(socket.readAll(), QByteArray("+PONG\r\n"));
    }

    void postgresStartsStopsAndStartsAgain()
    {
        PrivatePostgres postgres;
        OUTBOX_START_SERVER(postgres);
        QVERIFY(postgres.isRunning());
        postgres.stop();
        QVERIFY(!postgres.isRunning());
        QVERIFY_RESULT(postgres.restart());
        QVERIFY(postgres.isRunning());
    }

    void postgresStoppedAtOnceRecoversFromItsLog()
    {
        PrivatePostgres postgres;
        OUTBOX_START_SERVER(postgres);
        postgres.stopAtOnce();
        QVERIFY(!postgres.isRunning());
        QVERIFY(!postgres.log().contains("not properly shut down"));
        QVERIFY_RESULT(postgres.restart());
        QVERIFY(postgres.log().contains("not properly shut down"));
    }

    void aKilledServerLeavesNothingThatIsInTheWayOfTheNext()
    {
        PrivatePostgres postgres;
        OUTBOX_START_SERVER(postgres);
        for (int life = 0; life < 10; ++life) {
            postgres.kill();
            QVERIFY(!postgres.isRunning());
            QVERIFY_RESULT(postgres.restart());
        }
    }

    void mariadbStartsDiesAndStartsAgain()
    {
        PrivateMariadb mariadb;
        OUTBOX_START_SERVER(mariadb);
        QVERIFY(mariadb.isRunning());
        mariadb.stop();
        QVERIFY(!mariadb.isRunning());
        QVERIFY_RESULT(mariadb.restart());
        mariadb.kill();
        QVERIFY(!mariadb.isRunning());
        QVERIFY_RESULT(mariadb.restart());
        QVERIFY(mariadb.isRunning());
    }

    void nothingOutlivesUsEvenAfterSigkill_data()
    {
        QTest::addColumn<QString>("which");
        QTest::newRow("redis") << u"redis"_s;
        QTest::newRow("postgres") << u"postgres"_s;
        QTest::newRow("mariadb") << u"mariadb"_s;
    }

    void nothingOutlivesUsEvenAfterSigkill()
    {
        QFETCH(QString, which);
        QProcess parent; // this program again, as a parent that only starts a server
        parent.start(QCoreApplication::applicationFilePath(), {u"--hold"_s, which});
        QVERIFY(parent.waitForReadyRead(30'000));
        const QList<QByteArray> line = parent.readLine().trimmed().split(' ');
        if (line.at(0) == "missing") {
            QVERIFY2(!qEnvironmentVariableIsSet("OUTBOX_REQUIRE_SERVERS"), "server missing");
            QSKIP("server not installed");
        }
        const qint64 server = line.at(0).toLongLong();
        QVERIFY(server > 0 && lives(server));
        const qint64 parentPid = parent.processId();
        parent.kill();
        QVERIFY(parent.waitForFinished(5000));
        QTRY_VERIFY_WITH_TIMEOUT(!lives(server), 10'000);

        // Its folder stays until the next process of ours comes by.
        const QString left = u"obx-%1-*"_s.arg(parentPid);
        const auto folders = [&] { return QDir::temp().entryList({left}, QDir::Dirs); };
        QVERIFY(!folders().isEmpty());
        QProcess next;
        next.start(QCoreApplication::applicationFilePath(), {u"--hold"_s, which});
        QVERIFY(next.waitForReadyRead(30'000));
        QVERIFY(folders().isEmpty());
        next.kill();
        QVERIFY(next.waitForFinished(5000));
    }
};

int main(int argc, char *argv[])
{
    QCoreApplication app(argc, argv);
    if (argc == 3 && qstrcmp(argv[1], "--hold") == 0) {
        PrivateRedis redis;
        PrivatePostgres postgres;
        PrivateMariadb mariadb;
        const QByteArray which = argv[2];
        auto started = which == "redis" ? redis.start()
            : which == "mariadb"        ? mariadb.start()
                                        : postgres.start();
        const PrivateServer &server = which == "redis" ? static_cast<PrivateServer &>(redis)
            : which == "mariadb"                       ? static_cast<PrivateServer &>(mariadb)
                                                       : static_cast<PrivateServer &>(postgres);
        QTextStream out(stdout);
        if (started)
            out << server.pid() << '\n';
        else
            out << "missing " << oneLine(started.error()) << '\n';
        out.flush();
        return QCoreApplication::exec();
    }
    TestPrivateServer test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_privateserver.moc"
