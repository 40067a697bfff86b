// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// In which zone newest times are: generated tables, writers and seasons. What is told is true, and
// whatever cannot be told is asked.
#include "connectors/sql/dialect/catalogtexts.h"
#include "connectors/sql/probe/zoneprobe.h"
#include "models/localtime.h"
#include "tests/support/testprogram.h"

#include <QDateTime>
#include <QRandomGenerator>
#include <QTest>
#include <QTimeZone>

namespace tst_zoneprobe {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 second = 1'000'000;
constexpr qint64 hour = 3600 * second;

} // namespace

class TestZoneLook : public QObject
{
    Q_OBJECT

private slots:
    void whatIsToldIsTrue()
    {
        QRandomGenerator random(15);
        static const QStringList zones{
            u"UTC"_s,          u"Europe/Berlin"_s,      u"Europe/London"_s, u"America/New_York"_s,
            u"Asia/Kolkata"_s, u"Australia/Adelaide"_s, u"Africa/Abidjan"_s};
        int told = 0;
        int asked = 0;
        for (int i = 0; i < 20'000; ++i) {
            const auto day = QDateTime(QDate(2026, 1, 1), QTime(), QTimeZone::utc())
                                 .addSecs(random.bounded(365 * 86'400));
            ZoneEvidence evidence;
            evidence.column = u"created_at"_s;
            evidence.now = day.toMSecsSinceEpoch() * 1000;
            evidence.databaseZone = *timeZoneNamed(zones.at(random.bounded(zones.size())));
            // Its writer goes by the database's zone or by UTC, and wrote within minutes.
            const QString writer = random.bounded(2) ? evidence.databaseZone : u"UTC"_s;
            const qint64 age = qint64(random.bounded(360)) * second;
            evidence.newest = localOf(evidence.now - age, writer);
            const ZoneOpinion opinion = zoneBy(evidence);
            QVERIFY(opinion.zone.isEmpty() != opinion.question.isEmpty());
            QVERIFY(opinion.zone.isEmpty() == opinion.reason.isEmpty());
            if (opinion.zone.isEmpty()) {
                QVERIFY(opinion.question.contains(u"--time-zone"_s));
                ++asked;
                continue;
            }
            ++told;
            if (opinion.zone != writer) { // the clocks were changed since the row was written
                QVERIFY2(false,
                         qPrintable(writer + u" taken for "_s + opinion.zone + u" at "_s
                                    + day.toString(Qt::ISODate)));
            }
        }
        qInfo("%d told, %d asked, 0 wrong", told, asked);
        QVERIFY(told > asked);
    }

    void whatCannotBeToldIsAsked_data()
    {
        QTest::addColumn<QString>("database");
        QTest::addColumn<qint64>("ahead"); // of the newest time, taken for UTC
        QTest::addColumn<QString>("zone");
        QTest::newRow("fresh in UTC") << u"UTC"_s << -20 * second << u"UTC"_s;
        QTest::newRow("fresh in UTC, elsewhere")
            << u"America/New_York"_s << -20 * second << u"UTC"_s;
        QTest::newRow("fresh there")
            << u"America/New_York"_s << -5 * hour - 20 * second << u"America/New_York"_s;
        QTest::newRow("half hours")
            << u"Asia/Kolkata"_s << 5 * hour + 1780 * second << u"Asia/Kolkata"_s;
        QTest::newRow("an hour old") << u"UTC"_s << -hour - 1200 * second << QString();
        QTest::newRow("years old") << u"UTC"_s << -20'000 * hour << QString();
        QTest::newRow("of another zone")
            << u"America/New_York"_s << hour - 20 * second << QString();
        QTest::newRow("London in winter") << u"Europe/London"_s << -20 * second << QString();
        QTest::newRow("no name") << QString() << -20 * second << QString();
        QTest::newRow("in the future") << u"UTC"_s << 40 * hour << QString();
    }
    void whatCannotBeToldIsAsked()
    {
        QFETCH(QString, database);
        QFETCH(qint64, ahead);
        QFETCH(QString, zone);
        ZoneEvidence evidence;
        evidence.column = u"created_at"_s;
        evidence.now
            = QDateTime(QDate(2026, 1, 20), QTime(12, 0), QTimeZone::utc()).toMSecsSinceEpoch()
            * 1000;
        evidence.newest = evidence.now + ahead;
        evidence.databaseZone = database;
        const ZoneOpinion opinion = zoneBy(evidence);
        QCOMPARE(opinion.zone, zone);
        QCOMPARE(opinion.question.isEmpty(), !zone.isEmpty());
        evidence.newest.reset();
        QVERIFY(!zoneBy(evidence).question.isEmpty());
        evidence.isUtcByCustom = true;
        QCOMPARE(zoneBy(evidence).zone, u"UTC"_s);
        // Due before it was written: the two are in two zones.
        evidence.isUtcByCustom = false;
        evidence.newest = evidence.now + ahead;
        evidence.soonestDue = -2 * hour;
        QVERIFY(!zoneBy(evidence).question.isEmpty());
    }

    void aDefaultTellsItsZone_data()
    {
        QTest::addColumn<QString>("expression");
        QTest::addColumn<bool>("ofSession");
        QTest::addColumn<bool>("ofUtc");
        QTest::newRow("now()") << u"now()"_s << false << false;
        QTest::newRow("in UTC") << u"timezone('utc'::text, now())"_s << true << true;
        QTest::newRow("at UTC") << u"(now() AT TIME ZONE 'UTC'::text)"_s << true << true;
        QTest::newRow("in Berlin") << u"timezone('Europe/Berlin'::text, now())"_s << false << false;
        QTest::newRow("utc_timestamp") << u"utc_timestamp()"_s << true << true;
        QTest::newRow("current") << u"CURRENT_TIMESTAMP"_s << false << true;
        QTest::newRow("SQLite") << u"strftime('%Y', 'now')"_s << false << true;
        QTest::newRow("SQLite local") << u"datetime('now', 'localtime')"_s << false << false;
        QTest::newRow("plain") << u"'2026-01-01'"_s << false << false;
    }
    void aDefaultTellsItsZone()
    {
        QFETCH(QString, expression);
        QFETCH(bool, ofSession);
        QFETCH(bool, ofUtc);
        QCOMPARE(isTimeOfUtc(expression, Clock::Session), ofSession);
        QCOMPARE(isTimeOfUtc(expression, Clock::Utc), ofUtc);
    }
};

} // namespace tst_zoneprobe

OUTBOX_TEST(tst_zoneprobe::TestZoneLook)
#include "tst_zoneprobe.moc"
