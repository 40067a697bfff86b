// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Commands and webhooks that hang, refuse or cannot be started: each is told once, the next alert
// goes on, and nobody waits. In quiet times they hear nothing.
#include "app/cli/run/alertwatch.h"
#include "app/service/alerttargets.h"
#include "tests/app/webhookserver.h"
#include "tests/support/filebytes.h"
#include "tests/support/patience.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace tst_alerttargets {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

int shortMs()
{
    return patient(2000);
}

/// A look in which `pending` rows wait, at this local time of a day.
SystemReading lookAt(const QDate &day, const QTime &time, qint64 pending)
{
    OutboxSnapshot outbox;
    outbox.pending = pending;
    return {QDateTime(day, time), outbox,
            fail(Error::Kind::Unreachable, u"looking"_s, u"nobody is there"_s), HealthReport()};
}

} // namespace

class TestAlertTargets : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { WebhookServer::useNoProxy(); }

    /// It fails where a second request goes out beside the first, or where the first holds up all.
    void aWebhookThatHangsHoldsUpNobody()
    {
        WebhookServer server; // which never answers
        QVERIFY(server.listen());
        AlertWebhook target(server.url(), shortMs());
        const QSignalSpy failed(&target, &AlertSender::failed);
        qsizetype before = -1; // that had arrived when the first had its time
        connect(&target, &AlertSender::failed, this, [&] { before = server.bodies.size(); });
        for (const char *body : {"{\"n\":1}", "{\"n\":2}", "{\"n\":3}"})
            target.send(body);
        QVERIFY(server.bodies.isEmpty()); // sending waits for nothing
        QTRY_COMPARE(server.bodies.size(), 3);
        QTRY_VERIFY(target.isIdle());
        QCOMPARE(server.bodies, (QByteArrayList{"{\"n\":1}", "{\"n\":2}", "{\"n\":3}"}));
        QVERIFY(before == 0 || before == 1);
        QCOMPARE(failed.count(), 1);
        QVERIFY(failed.first().first().toString().startsWith(u"no answer within"_s));
    }

    void aWebhookThatRefusesIsToldOnce()
    {
        WebhookServer server;
        server.answer = "500 Not now";
        QVERIFY(server.listen());
        AlertWebhook target(server.url());
        const QSignalSpy failed(&target, &AlertSender::failed);
        target.send("{}");
        target.send("{}");
        QTRY_VERIFY(target.isIdle());
        QCOMPARE(failed.count(), 1);
        QCOMPARE(failed.first().first().toString(), u"it answers 500"_s);
        server.answer = "204 Well";
        target.send("{}");
        QTRY_VERIFY(target.isIdle());
        QCOMPARE(failed.count(), 1);
        server.answer = "302 Elsewhere";
        target.send("{}");
        QTRY_VERIFY(target.isIdle());
        QCOMPARE(failed.count(), 2); // it went well in between
        QCOMPARE(server.bodies.size(), 4);
    }

    void ofTooManyTheOldestAreDropped()
    {
        WebhookServer server;
        QVERIFY(server.listen());
        AlertWebhook target(server.url(), patient(60'000));
        const QSignalSpy failed(&target, &AlertSender::failed);
        for (qsizetype n = 0; n <= AlertSender::mostWaiting; ++n) // one of them is on its way
            target.send("{}");
        QCOMPARE(failed.count(), 0);
        target.send("{}");
        QCOMPARE(failed.count(), 1);
    }

    void aCommandReadsTheAlert()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(u"told"_s);
        AlertCommand target(QStringList{u"/bin/sh"_s, u"-c"_s, u"cat >> \"$0\""_s, file});
        const QSignalSpy failed(&target, &AlertSender::failed);
        target.send("{\"name\":\"$(id)\"}\n");
        target.send("{}\n");
        QTRY_VERIFY(target.isIdle());
        QCOMPARE(fileBytes(file), QByteArray("{\"name\":\"$(id)\"}\n{}\n"));
        QCOMPARE(failed.count(), 0);
    }

    void aCommandThatHangsIsKilled()
    {
        AlertCommand target(QStringList{u"sleep"_s, u"600"_s}, shortMs());
        const QSignalSpy failed(&target, &AlertSender::failed);
        target.send("{}");
        target.send("{}");
        QVERIFY(!target.isIdle());
        QTRY_VERIFY(target.isIdle());
        QCOMPARE(failed.count(), 1);
        QVERIFY(failed.first().first().toString().startsWith(u"no answer within"_s));
    }

    /// No shell reads a command: this would be two for one.
    void aCommandThatIsNotThereIsToldOnce()
    {
        AlertCommand target(QStringList{u"true; true"_s});
        const QSignalSpy failed(&target, &AlertSender::failed);
        target.send("{}");
        target.send("{}");
        QTRY_VERIFY(target.isIdle());
        QCOMPARE(failed.count(), 1);
        QVERIFY(failed.first().first().toString().startsWith(u"it cannot be started"_s));
        AlertCommand other(QStringList{u"false"_s});
        const QSignalSpy ended(&other, &AlertSender::failed);
        other.send("{}");
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(ended.first().first().toString(), u"it ended with 1"_s);
    }

    /// It fails where the night is told, where its end tells nothing, or where that comes twice.
    void inQuietTimesCommandsHearNothing()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(u"told"_s);
        const auto rule = AlertRule::fromText(u"pending > 0"_s);
        QVERIFY_RESULT(rule);
        const auto quiet = QuietTimes::fromText(u"22:00-07:00"_s);
        QVERIFY_RESULT(quiet);
        const Alert alert{
            u"waits"_s, *rule, {u"/bin/sh"_s, u"-c"_s, u"cat >> \"$0\""_s, file}, {}, *quiet};
        AlertWatch watch({alert}, Printer(false));
        const QDate day(2026, 1, 12);
        watch.take(lookAt(day, QTime(22, 30), 1)); // comes and goes in the night
        watch.take(lookAt(day, QTime(23, 0), 0));
        watch.take(lookAt(day, QTime(23, 30), 1)); // and is still so in the morning
        watch.take(lookAt(day.addDays(1), QTime(6, 59), 1));
        watch.take(lookAt(day.addDays(1), QTime(7, 0), 1));
        watch.take(lookAt(day.addDays(1), QTime(7, 1), 1));
        watch.take(lookAt(day.addDays(1), QTime(7, 2), 0));
        const auto lines = [&file] { return fileBytes(file).split('\n'); };
        QTRY_COMPARE(lines().size(), 3); // two, and what is behind the last
        const auto told
            = [&lines](qsizetype n) { return QJsonDocument::fromJson(lines().at(n)).object(); };
        QCOMPARE(told(0).value("event"_L1).toString(), u"raised"_s);
        QCOMPARE(told(0).value("at"_L1).toString(),
                 QDateTime(day, QTime(23, 30)).toUTC().toString(Qt::ISODateWithMs));
        QCOMPARE(told(1).value("event"_L1).toString(), u"over"_s);
    }
};

} // namespace tst_alerttargets

OUTBOX_TEST(tst_alerttargets::TestAlertTargets)
#include "tst_alerttargets.moc"
