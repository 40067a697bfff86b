// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The filter over what was done from here.
#include "models/filter/activityfilter.h"
#include "models/filter/values.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_activityfilter {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

const QDateTime noon(QDate(2026, 11, 21), QTime(12, 0));

} // namespace

class TestActivityFilter : public QObject
{
    Q_OBJECT

private slots:
    void filters_data()
    {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<bool>("fits");
        const QList<std::pair<QString, bool>> cases{
            {u""_s, true},
            {u"verb:purge"_s, true},
            {u"verb:run,Purge"_s, true},
            {u"verb:run"_s, false},
            {u"who:ANA*"_s, true},
            {u"who=ana"_s, false},
            {u"who~desk"_s, true},
            {u"profile:orders"_s, true},
            {u"profile:mail"_s, false},
            {u"outcome:done"_s, true},
            {u"outcome:partly,in-doubt"_s, false},
            {u"note~inc"_s, true},
            {u"note:any"_s, true},
            {u"note:none"_s, false},
            {u"id:7e57"_s, true},
            {u"id:op-1*"_s, true},
            {u"id:9999"_s, false},
            {u"7e57"_s, true},
            {u"age"_s, true},
            {u"purge INC-4711"_s, true},
            {u"nothing"_s, false},
            {u"when:today"_s, true},
            {u"when:yesterday"_s, false},
            {u"when>-2h"_s, true},
            {u"when>-10m"_s, false},
            {u"when>11:59"_s, true},
            {u"when<12:00"_s, false},
            {u"when<=12:00"_s, true},
            {u"when:2026-11-20..2026-11-21"_s, true},
            {u"when:2026-11-01..2026-11-20"_s, false},
            {u"when:today verb:purge outcome:done who:ana*"_s, true},
            {u"verb:run or verb:purge"_s, true},
            {u"-verb:purge"_s, false},
            {u"who:a who:b"_s, false},
            {u"(who:a or who~ana) not note:none"_s, true},
        };
        for (const auto &[filter, fits] : cases)
            QTest::newRow(qPrintable(filter.isEmpty() ? u"empty"_s : filter)) << filter << fits;
    }

    void filters()
    {
        QFETCH(QString, filter);
        QFETCH(bool, fits);
        Activity told;
        told.operation = u"op-1"_s;
        told.at = noon.toUTC();
        told.who = u"ana@desk"_s;
        told.profile = u"orders"_s;
        told.verb = Verb::Purge;
        told.what = u"rows that match age>30d"_s;
        told.note = u"INC-4711"_s;
        told.state = Activity::State::Done;
        told.items = {{u"7e57-aa"_s, {}, {}, u"processed 7"_s, u"done"_s}};
        const auto wanted = activityChecksOf(filter, noon.addSecs(3600));
        QVERIFY_RESULT(wanted);
        QCOMPARE(matches(*wanted, told), fits);
    }

    void saysWhatIsWrongWithAFilter_data()
    {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<int>("position");
        QTest::addColumn<QString>("says");
        QTest::newRow("field") << u"verbb:run"_s << 0 << u"verb"_s;
        QTest::newRow("verb") << u"verb:run,pruge"_s << 9 << u"purge"_s;
        QTest::newRow("outcome") << u"outcome:dones"_s << 8 << u"done"_s;
        QTest::newRow("time") << u"who:a when:noon"_s << 11 << u"today"_s;
        QTest::newRow("span") << u"when>-5"_s << 6 << u"unit"_s;
        QTest::newRow("rows only") << u"state:pending"_s << 0 << u"a field of rows"_s;
        QTest::newRow("sign") << u"verb>run"_s << 0 << u"verb:"_s;
        QTest::newRow("range sign") << u"when>today..today"_s << 0 << u"when:today"_s;
    }

    void saysWhatIsWrongWithAFilter()
    {
        QFETCH(QString, filter);
        QFETCH(int, position);
        QFETCH(QString, says);
        const auto wanted = activityChecksOf(filter, noon);
        QVERIFY(!wanted.has_value());
        QCOMPARE(wanted.error().position, position);
        const QString said = oneLine(wanted.error());
        QVERIFY2(said.contains(says), qPrintable(said));
    }

    void timesAreReadAsPeopleWriteThem()
    {
        const auto exact = momentsOf(u"2026-11-21T14:02:11Z"_s, noon);
        QVERIFY_RESULT(exact);
        QCOMPARE(exact->begin, QDateTime(QDate(2026, 11, 21), QTime(14, 2, 11), Qt::UTC));
        const auto day = momentsOf(u"2026-11-21"_s, noon);
        QVERIFY_RESULT(day);
        QCOMPARE(day->begin, QDate(2026, 11, 21).startOfDay());
        QCOMPARE(day->end, QDate(2026, 11, 22).startOfDay());
        const auto minute = momentsOf(u"14:02"_s, noon);
        QVERIFY_RESULT(minute);
        QCOMPARE(minute->begin.secsTo(minute->end), 60);
        QVERIFY(!momentsOf(u"25:00"_s, noon).has_value());
    }
};

} // namespace tst_activityfilter

OUTBOX_TEST(tst_activityfilter::TestActivityFilter)
#include "tst_activityfilter.moc"
