// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `outboxctl watch --alerts` beside a real outbox: the relay stops and it is raised, the outbox is
// drained and it is over; a webhook that hangs delays no look, and a file with a fault runs
// nothing.
#include "tests/app/webhookserver.h"
#include "tests/support/filebytes.h"
#include "tests/support/patience.h"
#include "tests/support/resultmacros.h"
#include "tests/support/runningrelay.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

namespace tst_ctlalerts {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestCtlAlerts : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateRedis m_redis;

    [[nodiscard]] static QStringList systemOf(const TestOutbox &fixture)
    {
        return {u"--json"_s,     u"--database"_s, fixture.url(),     u"--table"_s,
                fixture.table(), u"--redis"_s,    fixture.redisUrl()};
    }

private slots:
    void initTestCase()
    {
        WebhookServer::useNoProxy();
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_redis);
    }

    void aStoppedRelayIsRaisedAndADrainedOutboxIsOver()
    {
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, m_redis);
        QVERIFY(fixture.setUp() && fixture.insertRows(20));
        RunningRelay relay(fixture);
        QVERIFY(relay.start());
        QTRY_COMPARE(fixture.unprocessed(), 0);

        WebhookServer hook; // which hangs
        QVERIFY(hook.listen());
        const QTemporaryDir folder;
        const QString file = folder.filePath(u"alerts.json"_s);
        const QString told = folder.filePath(u"told"_s);
        const QJsonObject late{
            {u"name"_s, u"late"_s},
            {u"rule"_s, u"pending > 0 for 1s"_s},
            {u"command"_s,
             QJsonArray{u"/bin/sh"_s, u"-c"_s, u"cat >> \"$0\"; echo not for stdout"_s, told}},
            {u"webhook"_s, hook.url().toString()}};
        QVERIFY(writeFile(file, QJsonDocument(QJsonArray{late}).toJson()));

        QProcess watch;
        const auto end = qScopeGuard([&watch] {
            watch.kill();
            watch.waitForFinished();
        });
        QByteArray out;
        const auto objects = [&out, &watch] {
            out += watch.readAllStandardOutput();
            return CtlRun{0, out, {}}.objects();
        };
        const auto events = [&objects] {
            QStringList words;
            for (const QJsonObject &one : objects()) {
                if (one.contains("alert"_L1))
                    words += one.value("alert"_L1).toObject().value("event"_L1).toString();
            }
            return words;
        };
        watch.start(QStringLiteral(OUTBOXCTL),
                    QStringList{u"watch"_s, u"--interval"_s, u"100ms"_s, u"--alerts"_s, file}
                        + systemOf(fixture));
        QTRY_VERIFY(objects().size() >= 3);
        QCOMPARE(events(), QStringList());

        relay.send(SIGTERM);
        QTRY_VERIFY(relay.hasEnded());
        QVERIFY(fixture.insertRows(20));
        QTRY_COMPARE(events(), QStringList{u"raised"_s});
        QTRY_COMPARE(hook.bodies.size(), 1);
        const qsizetype before = objects().size();
        QTRY_VERIFY(objects().size() >= before + 10); // while the webhook hangs
        QCOMPARE(hook.bodies.size(), 1);

        const CtlRun drain = runCtl(QStringList{u"relay"_s, u"--drain"_s} + systemOf(fixture));
        QCOMPARE(drain.exitCode, 0);
        QTRY_COMPARE(events(), (QStringList{u"raised"_s, u"over"_s}));
        QTRY_COMPARE(fileBytes(told).count('\n'), 2);
        const QJsonObject first
            = QJsonDocument::fromJson(fileBytes(told).split('\n').first()).object();
        QCOMPARE(first.value("name"_L1).toString(), u"late"_s);
        QCOMPARE(first.value("value"_L1).toInteger(), 20);

        watch.terminate();
        QTRY_COMPARE(watch.state(), QProcess::NotRunning);
        QCOMPARE(watch.exitStatus(), QProcess::NormalExit);
        QCOMPARE(watch.exitCode(), 0);
        QCOMPARE(events(), (QStringList{u"raised"_s, u"over"_s}));
        QVERIFY(!out.contains("not for stdout"));
        const QByteArray err = watch.readAllStandardError();
        QVERIFY2(err.contains("alert: late is raised: pending is 20 (pending > 0 for 1s)"),
                 err.constData());
        QVERIFY2(err.contains("alert: late is over: pending is 0"), err.constData());
    }

    /// It fails where a rule on a filter is not counted, is told again at each look, or is quiet
    /// though nobody can count it.
    void rulesOnFiltersAreCountedHeadless()
    {
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, m_redis);
        QVERIFY(fixture.setUp() && fixture.insertRows(20));
        const QTemporaryDir folder;
        const QString file = folder.filePath(u"alerts.json"_s);
        const QJsonArray alerts{
            QJsonObject{{u"name"_s, u"many"_s}, {u"rule"_s, u"rows \"state:pending\" > 5"_s}},
            QJsonObject{{u"name"_s, u"blind"_s}, {u"rule"_s, u"rows 'cause:x' > 5"_s}}};
        QVERIFY(writeFile(file, QJsonDocument(alerts).toJson()));
        QProcess watch;
        const auto end = qScopeGuard([&watch] {
            watch.kill();
            watch.waitForFinished();
        });
        watch.start(QStringLiteral(OUTBOXCTL),
                    QStringList{u"watch"_s, u"--interval"_s, u"100ms"_s, u"--alerts"_s, file}
                        + systemOf(fixture));
        QByteArray err;
        const auto lines = [&](const char *part) {
            err += watch.readAllStandardError();
            return err.count(part);
        };
        QTRY_COMPARE(
            lines("alert: many is raised: rows is at least 6 (rows \"state:pending\" > 5)"), 1);
        QTRY_COMPARE(lines("alert: blind cannot be judged: "), 1);
        QByteArray out;
        const auto looks = [&] {
            out += watch.readAllStandardOutput();
            return out.count('\n');
        };
        const auto before = looks();
        QTRY_VERIFY(looks() >= before + 10);
        QCOMPARE(lines("alert: "), 2);
    }

    void aFileWithAFaultRunsNothing()
    {
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, m_redis);
        QVERIFY(fixture.setUp());
        const QTemporaryDir folder;
        const QString file = folder.filePath(u"alerts.json"_s);
        const auto watch = [&] {
            return runCtl(QStringList{u"watch"_s, u"--alerts"_s, file} + systemOf(fixture));
        };
        QCOMPARE(watch().exitCode, 78); // there is no such file
        for (const auto &[bytes, part] :
             {std::pair(
                  "[{\"name\":\"a\",\"rule\":\"lag > 2m\"},{\"name\":\"b\",\"rule\":\"x > 2\"}]",
                  "reading alert 2, rule of "),
              std::pair("[{\"name\":", "reading ")}) {
            QVERIFY(writeFile(file, bytes));
            const CtlRun run = watch();
            QCOMPARE(run.exitCode, 78);
            QVERIFY2(run.err.contains(part), run.err.constData());
            QVERIFY2(run.err.contains("at character "), run.err.constData());
            QVERIFY(!run.out.contains("\"health\"")); // no look
        }
    }
};

} // namespace tst_ctlalerts

OUTBOX_TEST(tst_ctlalerts::TestCtlAlerts)
#include "tst_ctlalerts.moc"
