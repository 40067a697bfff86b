// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The filter language: what is written is read back, and a fault is found where it stands.
#include "models/filter/filter.h"
#include "models/filter/nearest.h"
#include "models/filter/rowfilter.h"
#include "models/filter/taskfilter.h"
#include "tests/support/resultmacros.h"

#include <QTest>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestFilter : public QObject
{
    Q_OBJECT

private slots:
    void readsWhatItWrites_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("terms");
        for (const auto &[text, terms] :
             QList<std::pair<QString, int>>{{u""_s, 0},
                                            {u"state:pending,failed"_s, 1},
                                            {u"type:email:*"_s, 1},
                                            {u"state:pending type:email:* age>5m"_s, 3},
                                            {u"age:5m..2h"_s, 1},
                                            {u"age<=2h"_s, 1},
                                            {u"type!=x type!~y"_s, 2},
                                            {u"invoice"_s, 1},
                                            {u"7e57d004-2b97"_s, 1},
                                            {u"\"a \\\"b\\\" \\\\ c\""_s, 1},
                                            {u"type:\"invoice *\",x"_s, 1},
                                            {u"payload.user[0].id:42"_s, 1}}) {
            QTest::newRow(text.isEmpty() ? "empty" : qPrintable(text)) << text << terms;
        }
    }

    void readsWhatItWrites()
    {
        QFETCH(QString, text);
        QFETCH(int, terms);
        const auto filter = Filter::fromText(text);
        QVERIFY_RESULT(filter);
        QCOMPARE(filter->terms.size(), terms);
        QCOMPARE(filter->text(), text);
        const auto again = Filter::fromText(u"  "_s + filter->text() + u'\t');
        QVERIFY_RESULT(again);
        QCOMPARE(*again, *filter);
    }

    void andIsWhatStandsBetweenTermsAnyway()
    {
        const auto with = Filter::fromText(u"state:pending and age>5m"_s);
        const auto without = Filter::fromText(u"state:pending age>5m"_s);
        QVERIFY_RESULT(with);
        QVERIFY_RESULT(without);
        QCOMPARE(*with, *without);
    }

    void findsTheFault_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<Error::Kind>("kind");
        QTest::addColumn<int>("position");
        QTest::addColumn<QString>("hint");
        const auto invalid = Error::Kind::Invalid;
        const auto unsupported = Error::Kind::Unsupported;
        QTest::newRow("typing error")
            << u"state:pending agee>5m"_s << invalid << 14 << u"Did you mean `age`?"_s;
        QTest::newRow("state") << u"state:pending,lokced"_s << invalid << 14
                               << u"Did you mean `locked`?"_s;
        QTest::newRow("no unit") << u"age>300"_s << invalid << 4 << u"`90s`"_s;
        QTest::newRow("no duration") << u"age>soon"_s << invalid << 4 << u"`90s`"_s;
        QTest::newRow("end of range") << u"age:5m..x"_s << invalid << 8 << u"`90s`"_s;
        QTest::newRow("half a range") << u"age:5m.."_s << invalid << 4 << u"age:5m..2h"_s;
        QTest::newRow("no value") << u"type:"_s << invalid << 5 << u"quotes"_s;
        QTest::newRow("no second value") << u"state:failed, "_s << invalid << 13 << u"quotes"_s;
        QTest::newRow("no field") << u"  >5m"_s << invalid << 2 << u"state:pending"_s;
        QTest::newRow("open quote") << u"type:\"abc"_s << invalid << 5 << QString();
        QTest::newRow("or") << u"state:failed or state:parked"_s << unsupported << 13
                            << u"all terms"_s;
        QTest::newRow("not") << u"not state:failed"_s << unsupported << 0 << u"all terms"_s;
        QTest::newRow("minus") << u"age>5m -state:failed"_s << unsupported << 7 << u"all terms"_s;
        QTest::newRow("group") << u"(state:failed)"_s << unsupported << 0 << u"all terms"_s;
        QTest::newRow("later field") << u"attempts>=3"_s << unsupported << 0 << u"state, type"_s;
        QTest::newRow("payload") << u"payload.id:42"_s << unsupported << 0 << u"state, type"_s;
        QTest::newRow("twice") << u"state:failed state:parked"_s << invalid << 13 << u"commas"_s;
        QTest::newRow("two types") << u"type:a,b"_s << unsupported << 7 << QString();
        QTest::newRow("type and word") << u"type:a mail"_s << unsupported << 7 << QString();
        QTest::newRow("sign") << u"age=5m"_s << unsupported << 0 << u"age>5m"_s;
        QTest::newRow("id in the middle") << u"id:*57"_s << unsupported << 3 << QString();
        QTest::newRow("colon in a text") << u"order:42"_s << invalid << 0 << u"quotes"_s;
    }

    void findsTheFault()
    {
        QFETCH(QString, text);
        QFETCH(Error::Kind, kind);
        QFETCH(int, position);
        QFETCH(QString, hint);
        const auto request = pageRequestFromFilter(text, {});
        QVERIFY(!request.has_value());
        QCOMPARE(request.error().kind, kind);
        QCOMPARE(request.error().position, position);
        QVERIFY2(request.error().hint.contains(hint), qPrintable(request.error().hint));
        QVERIFY(!request.error().text.isEmpty());
    }

    void asksForRows_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<PageRequest>("expected");
        const auto row = [](const QString &text, const std::function<void(PageRequest &)> &change) {
            PageRequest expected;
            expected.limit = 20;
            change(expected);
            QTest::newRow(text.isEmpty() ? "empty" : qPrintable(text)) << text << expected;
        };
        row(u""_s, [](PageRequest &) {});
        row(u"state:pending,FAILED,pending"_s, [](PageRequest &r) {
            r.states = {MessageState::Pending, MessageState::Failed};
        });
        row(u"type:email:*"_s, [](PageRequest &r) { r.typePattern = u"email:*"_s; });
        row(u"type=email:deliver"_s, [](PageRequest &r) { r.typePattern = u"email:deliver"_s; });
        row(u"type~mail"_s, [](PageRequest &r) { r.typePattern = u"*mail*"_s; });
        row(u"mail"_s, [](PageRequest &r) { r.typePattern = u"*mail*"_s; });
        row(u"dead"_s, [](PageRequest &r) { r.typePattern = u"*dead*"_s; });
        row(u"7e57-"_s, [](PageRequest &r) { r.idPrefix = u"7e57-"_s; });
        row(u"4711"_s, [](PageRequest &r) { r.idPrefix = u"4711"_s; });
        row(u"id:7e57*"_s, [](PageRequest &r) { r.idPrefix = u"7e57"_s; });
        row(u"age>5m age<2h age>90s"_s, [](PageRequest &r) {
            r.olderThanSeconds = 300;
            r.youngerThanSeconds = 7200;
        });
        row(u"age:1.5h..30d"_s, [](PageRequest &r) {
            r.olderThanSeconds = 5400;
            r.youngerThanSeconds = 30 * 86400;
        });
    }

    void asksForRows()
    {
        QFETCH(QString, text);
        QFETCH(PageRequest, expected);
        PageRequest base;
        base.limit = 20;
        base.typePattern = u"what the last filter said"_s;
        base.after = u"cursor"_s;
        const auto request = pageRequestFromFilter(text, base);
        QVERIFY_RESULT(request);
        QCOMPARE(*request, expected);
    }

    void asksForTasks()
    {
        const auto filter = TaskFilter::fromText(u"state:dead,retry type:email:* id:7e"_s);
        QVERIFY_RESULT(filter);
        QCOMPARE(filter->states, (QList{TaskState::Archived, TaskState::Retry}));
        Task task;
        task.id.text = u"7e57"_s;
        task.type = u"email:deliver"_s;
        task.state = TaskState::Archived;
        QVERIFY(filter->matches(task));
        task.type = u"my email:deliver"_s;
        QVERIFY(!filter->matches(task));
        task.type = u"email:deliver"_s;
        task.state = TaskState::Pending;
        QVERIFY(!filter->matches(task));

        const auto wrong = TaskFilter::fromText(u"state:processed"_s);
        QVERIFY(!wrong.has_value());
        QCOMPARE(wrong.error().position, 6);
        QVERIFY(!TaskFilter::fromText(u"age>5m"_s).has_value());
    }

    void aPatternIsNoRegularExpression()
    {
        const auto filter = TaskFilter::fromText(u"type:a.c?[x]*"_s);
        QVERIFY_RESULT(filter);
        Task task;
        task.type = u"a.cd[x]yz"_s;
        QVERIFY(filter->matches(task));
        task.type = u"abcd[x]yz"_s;
        QVERIFY(!filter->matches(task));
    }

    void nearestMeansNear()
    {
        QCOMPARE(nearestWord(u"stat", {u"state"_s, u"type"_s}), u"state"_s);
        QCOMPARE(nearestWord(u"weather", {u"state"_s, u"type"_s}), QString());
    }
};

QTEST_GUILESS_MAIN(TestFilter)
#include "tst_filter.moc"
