// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The times of a schedule, and what is said of one that cannot be read.
#include "models/relay/schedule.h"
#include "tests/support/testprogram.h"

#include <QTest>
#include <QTimeZone>

namespace tst_schedule {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

QDateTime utc(const QString &text)
{
    return QDateTime::fromString(text + u'Z', Qt::ISODate);
}

} // namespace

class TestSchedule : public QObject
{
    Q_OBJECT

private slots:
    void theNextTimeIsTheFirstThatFits_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("after");
        QTest::addColumn<QString>("next");
        const auto row = [](const char *name, const QString &text, const QString &after,
                            const QString &next) { QTest::newRow(name) << text << after << next; };
        row("every 15 s", u"every 15s"_s, u"2026-11-22T08:00:07"_s, u"2026-11-22T08:00:15"_s);
        row("the usual interval", u"every"_s, u"2026-11-22T08:00:07"_s, u"2026-11-22T08:00:15"_s);
        row("on the time itself", u"every 15s"_s, u"2026-11-22T08:00:15"_s,
            u"2026-11-22T08:00:30"_s);
        row("every hour", u"every 1 h"_s, u"2026-11-22T08:59:59"_s, u"2026-11-22T09:00:00"_s);
        row("before 1970", u"every 1m"_s, u"1969-12-31T23:59:30"_s, u"1970-01-01T00:00:00"_s);
        row("each minute", u"* * * * *"_s, u"2026-11-22T08:00:07"_s, u"2026-11-22T08:01:00"_s);
        row("step", u"*/5 * * * *"_s, u"2026-11-22T08:55:00"_s, u"2026-11-22T09:00:00"_s);
        row("seconds first", u"*/15 * * * * *"_s, u"2026-11-22T08:00:50"_s,
            u"2026-11-22T08:01:00"_s);
        row("from on", u"10/20 * * * *"_s, u"2026-11-22T08:31:00"_s, u"2026-11-22T08:50:00"_s);
        row("range", u"0 9-17 * * *"_s, u"2026-11-22T17:00:00"_s, u"2026-11-23T09:00:00"_s);
        row("range with a step", u"0 8-18/4 * * *"_s, u"2026-11-22T12:30:00"_s,
            u"2026-11-22T16:00:00"_s);
        row("list", u"5,35 0 * * *"_s, u"2026-11-22T00:05:00"_s, u"2026-11-22T00:35:00"_s);
        row("a day of the week by name", u"0 6 * * MON"_s, u"2026-11-22T08:00:00"_s,
            u"2026-11-23T06:00:00"_s);
        row("Sunday is 7 too", u"0 6 * * 7"_s, u"2026-11-22T08:00:00"_s, u"2026-11-29T06:00:00"_s);
        row("to Sunday", u"0 6 * * fri-sun"_s, u"2026-11-22T08:00:00"_s, u"2026-11-27T06:00:00"_s);
        row("a month by name", u"0 0 1 jan *"_s, u"2026-11-22T08:00:00"_s,
            u"2027-01-01T00:00:00"_s);
        row("either day", u"0 0 24 * MON"_s, u"2026-11-22T08:00:00"_s, u"2026-11-23T00:00:00"_s);
        row("either day, the other", u"0 0 24 * MON"_s, u"2026-11-23T08:00:00"_s,
            u"2026-11-24T00:00:00"_s);
        row("both days where one is a step", u"0 0 */2 * MON"_s, u"2026-11-22T08:00:00"_s,
            u"2026-11-23T00:00:00"_s);
        row("no day at all is said", u"0 0 0 ? * MON"_s, u"2026-11-22T08:00:00"_s,
            u"2026-11-23T00:00:00"_s);
        row("29 February", u"0 0 29 2 *"_s, u"2026-11-22T08:00:00"_s, u"2028-02-29T00:00:00"_s);
        row("over the century", u"0 0 29 2 *"_s, u"2096-03-01T00:00:00"_s,
            u"2104-02-29T00:00:00"_s);
        row("the end of the year", u"59 23 31 12 *"_s, u"2026-12-31T23:59:00"_s,
            u"2027-12-31T23:59:00"_s);
        row("hour and minute wrap", u"30 10 * * *"_s, u"2026-11-22T10:31:00"_s,
            u"2026-11-23T10:30:00"_s);
    }

    void theNextTimeIsTheFirstThatFits()
    {
        QFETCH(QString, text);
        QFETCH(QString, after);
        QFETCH(QString, next);
        const auto schedule = Schedule::fromText(text);
        QVERIFY2(schedule.has_value(), qPrintable(schedule ? QString() : schedule.error().text));
        QCOMPARE(schedule->nextAfter(utc(after)), utc(next));
    }

    void whatCannotBeReadSaysWhere_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("why");
        const auto row = [](const QString &text, const QString &why) {
            QTest::newRow(qPrintable(text)) << text << why;
        };
        row(u""_s, u"has 0"_s);
        row(u"* * * *"_s, u"has 4"_s);
        row(u"* * * * * * *"_s, u"has 7"_s);
        row(u"60 * * * *"_s, u"minute: 60 is not between 0 and 59"_s);
        row(u"* 24 * * *"_s, u"hour: 24"_s);
        row(u"* * 0 * *"_s, u"day of month: 0"_s);
        row(u"* * * 13 *"_s, u"month: 13"_s);
        row(u"* * * * 8"_s, u"day of week: 8"_s);
        row(u"* * * FOO *"_s, u"month: \"FOO\" is no number and none of JAN"_s);
        row(u"*/0 * * * *"_s, u"is no step"_s);
        row(u"*/x * * * *"_s, u"is no step"_s);
        row(u"1/2/3 * * * *"_s, u"two steps"_s);
        row(u"10-5 * * * *"_s, u"ends before it begins"_s);
        row(u"1- * * * *"_s, u"is no range"_s);
        row(u"1,,2 * * * *"_s, u"is empty"_s);
        row(u"-5 * * * *"_s, u"is no range"_s);
        row(u"? * * * *"_s, u"stands for a day only"_s);
        row(u"* * L * *"_s, u"day of month: \"L\" is no number"_s);
        row(u"0 0 30 2 *"_s, u"never comes"_s);
        row(u"every 0s"_s, u"between a second and a year"_s);
        row(u"every 15"_s, u"is no interval"_s);
        row(u"every 9999d"_s, u"between a second and a year"_s);
        row(u"every 99999999999999999999s"_s, u"between a second and a year"_s);
    }

    void whatCannotBeReadSaysWhere()
    {
        QFETCH(QString, text);
        QFETCH(QString, why);
        const auto schedule = Schedule::fromText(text);
        QVERIFY(!schedule.has_value());
        QVERIFY2(schedule.error().text.contains(why), qPrintable(schedule.error().text));
        QVERIFY(!schedule.error().hint.isEmpty());
    }

    void timesThatPassedAreCounted()
    {
        const auto schedule = Schedule::fromText(u"every 15s"_s);
        const QDateTime at = utc(u"2026-11-22T08:00:00"_s);
        QCOMPARE(schedule->timesBetween(at, at.addSecs(14), 100), 0);
        QCOMPARE(schedule->timesBetween(at, at.addSecs(15), 100), 1);
        QCOMPARE(schedule->timesBetween(at, at.addSecs(47), 100), 3);
        QCOMPARE(schedule->timesBetween(at, at.addDays(30), 100), 100);
    }

    /// Each time of ten days, found by looking at every minute.
    void noTimeIsLeftOut()
    {
        const auto schedule = Schedule::fromText(u"7-20/3,45 3,14 22-28 11 *"_s);
        QList<QDateTime> wanted;
        const QDateTime start = utc(u"2026-11-20T00:00:00"_s);
        for (int minute = 0; minute < 10 * 1440; ++minute) {
            const QDateTime at = start.addSecs(60 * minute);
            const int m = at.time().minute();
            const int h = at.time().hour();
            if ((m == 7 || m == 10 || m == 13 || m == 16 || m == 19 || m == 45)
                && (h == 3 || h == 14) && at.date().day() >= 22 && at.date().day() <= 28)
                wanted += at;
        }
        QList<QDateTime> found;
        for (QDateTime at = schedule->nextAfter(start.addSecs(-1)); at < start.addDays(10);
             at = schedule->nextAfter(at))
            found += at;
        QCOMPARE(found, wanted);
    }
};

} // namespace tst_schedule

OUTBOX_TEST(tst_schedule::TestSchedule)
#include "tst_schedule.moc"
