// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The filter language: what is written is read back, a fault is found where it stands, and nothing
// that is typed costs more than it may.
#include "models/filter/filter.h"
#include "models/filter/completion.h"
#include "models/nearest.h"
#include "tests/support/randomfilters.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QTest>
#include <QTimeZone>

namespace tst_filter {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

const QDateTime noon(QDate(2026, 11, 21), QTime(12, 0), QTimeZone("Europe/Berlin"));

} // namespace

class TestFilter : public QObject
{
    Q_OBJECT

private slots:
    void readsWhatItWrites_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("parts");
        for (const auto &[text, parts] : QList<std::pair<QString, int>>{
                 {u""_s, 0},
                 {u"state:pending,failed"_s, 1},
                 {u"type:email:*"_s, 1},
                 {u"state:pending type:email:* age>5m"_s, 3},
                 {u"age:5m..2h"_s, 1},
                 {u"type!=x type!~y"_s, 2},
                 {u"7e57d004-2b97"_s, 1},
                 {u"\"a \\\"b\\\" \\\\ c\""_s, 1},
                 {u"type:\"invoice *\",x"_s, 1},
                 {u"payload.user[0].Id:42"_s, 1},
                 {u"payload.user-id:42"_s, 1},
                 {u"a or b"_s, 1},
                 {u"a (b or c d) -e"_s, 3},
                 {u"-(a b) -(-c)"_s, 2},
                 {u"created>-15m"_s, 1},
                 {u"task:archived -state:processed"_s, 2},
                 {u"(state:failed or state:parked) type:\"invoice *\""_s, 2}}) {
            QTest::newRow(text.isEmpty() ? "empty" : qPrintable(text)) << text << parts;
        }
    }

    void readsWhatItWrites()
    {
        QFETCH(QString, text);
        QFETCH(int, parts);
        const auto filter = Filter::fromText(text);
        QVERIFY_RESULT(filter);
        QCOMPARE(filter->root.parts.size(), parts);
        QCOMPARE(filter->text(), text);
        const auto again = Filter::fromText(QString(u"  "_s + filter->text() + u'\t'));
        QVERIFY_RESULT(again);
        QCOMPARE(*again, *filter);
    }

    void writesOneWayWhatCanBeWrittenInMany()
    {
        for (const auto &[text, canonical] : QList<std::pair<QString, QString>>{
                 {u"state:pending and age>5m"_s, u"state:pending age>5m"_s},
                 {u"a AND b Or not c"_s, u"a b or -c"_s},
                 {u"((a)) (b c)"_s, u"a b c"_s},
                 {u"(a or (b or c))d"_s, u"(a or b or c) d"_s},
                 {u"STATE:pending"_s, u"state:pending"_s},
                 {u"not(a b)"_s, u"-(a b)"_s}}) {
            const auto filter = Filter::fromText(text);
            QVERIFY_RESULT(filter);
            QCOMPARE(filter->text(), canonical);
        }
    }

    void everyFilterIsReadBackAsItIsWritten()
    {
        RandomFilters random(QTest::currentTestFunction());
        for (int i = 0; i < 20'000; ++i) {
            const Filter filter = random.tree();
            const QString text = filter.text();
            const auto again = Filter::fromText(text);
            QVERIFY2(again.has_value(), qPrintable(text));
            QVERIFY2(*again == filter, qPrintable(text + u" -> "_s + again->text()));
            QCOMPARE(again->text(), text);
        }
    }

    void anyTextIsReadOrRefusedAndNeverCostsMuch()
    {
        RandomFilters random(QTest::currentTestFunction());
        for (int i = 0; i < 100'000; ++i) {
            const QString text = random.garbage();
            const auto filter = Filter::fromText(text);
            if (filter) {
                const auto again = Filter::fromText(filter->text());
                QVERIFY2(again && *again == *filter, qPrintable(text));
                continue;
            }
            QVERIFY(filter.error().position >= 0 && filter.error().position <= text.size());
        }
        for (const QString &text :
             QStringList{QString(100'000, u'('), QString(4096, u'('), QString(100'000, u'"'),
                         QString(2048, u'-'), QString(4000, u'*'), QString(u"a "_s).repeated(2000),
                         QString(u"a or "_s).repeated(800), QString(u"not "_s).repeated(1000)}) {
            const auto filter = Filter::fromText(text);
            QVERIFY(filter || filter.error().position <= text.size());
        }
        const auto nested = [](int depth) -> QString {
            return QString(depth, u'(') + u'a' + QString(depth, u')');
        };
        QVERIFY(!Filter::fromText(nested(33)));
        QVERIFY(Filter::fromText(nested(32)));
        QVERIFY(!Filter::fromText(QString(u"a "_s).repeated(257)));
        QVERIFY(!Filter::fromText(QString(QChar::Null)));
        QVERIFY(!Filter::fromText(QString(QChar(0xd800))));
    }

    void findsTheFault_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<FilterStatus>("status");
        QTest::addColumn<int>("position");
        QTest::addColumn<QString>("hint");
        const auto row = [](const char *name, const QString &text, FilterStatus status,
                            int position, const QString &hint) {
            QTest::newRow(name) << text << status << position << hint;
        };
        const auto wrong = FilterStatus::Wrong;
        const auto open = FilterStatus::Incomplete;
        row("typing error", u"state:pending agee>5m"_s, wrong, 14, u"Did you mean `age`?"_s);
        row("typing error, no value", u"agee:"_s, wrong, 0, u"Did you mean `age`?"_s);
        row("state", u"state:pending,lokced age>1h"_s, wrong, 14, u"Did you mean `locked`?"_s);
        row("half a state", u"state:pend"_s, open, 6, u"pending"_s);
        row("half a second state", u"state:failed,pa"_s, open, 13, u"parked"_s);
        row("no unit, going on", u"age>300"_s, open, 4, u"`90s`"_s);
        row("no unit", u"age>300 x"_s, wrong, 4, u"`90s`"_s);
        row("no duration", u"age>soon"_s, wrong, 4, u"`90s`"_s);
        row("end of range", u"age:5m..x"_s, wrong, 8, u"`90s`"_s);
        row("half a range", u"age:5m.."_s, open, 4, u"age:5m..2h"_s);
        row("range backwards", u"age:2h..5m"_s, wrong, 4, u"smaller"_s);
        row("no value", u"type:"_s, open, 5, u"quotes"_s);
        row("no second value", u"state:failed, "_s, wrong, 13, u"quotes"_s);
        row("no second value, going on", u"state:failed,"_s, open, 13, u"quotes"_s);
        row("no field", u"  >5m"_s, wrong, 2, u"state:pending"_s);
        row("open quote", u"type:\"abc"_s, open, 5, u"quote"_s);
        row("open bracket", u"a (b or c"_s, open, 2, u"`)`"_s);
        row("bracket too many", u"a b)"_s, wrong, 3, u"quotes"_s);
        row("empty brackets", u"()"_s, wrong, 1, u"quotes"_s);
        row("or at the end", u"state:failed or"_s, open, 15, u"state:pending"_s);
        row("or at the start", u"or state:failed"_s, wrong, 0, u"quotes"_s);
        row("minus alone", u"a -"_s, open, 3, u"state:pending"_s);
        row("sign", u"age=5m"_s, wrong, 0, u"age>5m"_s);
        row("sign of a text", u"type>5"_s, wrong, 0, u"type:email"_s);
        row("colon in a text", u"order:42"_s, wrong, 0, u"quotes"_s);
        row("no name", u"payload.:42"_s, wrong, 0, u"quotes"_s);
        row("payload without member", u"payload:42"_s, wrong, 0, u"payload~text"_s);
        row("member of a word", u"state.x:pending"_s, wrong, 0, u"state:pending"_s);
        row("time", u"created:noon"_s, wrong, 8, u"today"_s);
        row("half a time", u"created:2026-1"_s, open, 8, u"2026-11-21"_s);
        row("field of tasks", u"retried>3"_s, wrong, 0, u"fields: state"_s);
        row("nothing in quotes", u"error~\"\""_s, wrong, 6, QString());
        row("too many stars", u"type:"_s + QString(u"a*"_s).repeated(13), wrong, 5, QString());
        row("right", u"state:pending age>5m"_s, FilterStatus::Complete, -1, QString());
        row("empty", u" "_s, FilterStatus::Complete, -1, QString());
    }

    void findsTheFault()
    {
        QFETCH(QString, text);
        QFETCH(FilterStatus, status);
        QFETCH(int, position);
        QFETCH(QString, hint);
        const FilterReading reading = readFilter(text, FilterSubject::Rows, noon);
        QCOMPARE(reading.status, status);
        QCOMPARE(reading.fault.has_value(), position >= 0);
        if (position < 0)
            return;
        QCOMPARE(reading.fault->kind, Error::Kind::Invalid);
        QCOMPARE(reading.fault->position, position);
        QVERIFY2(reading.fault->hint.contains(hint), qPrintable(reading.fault->hint));
        QVERIFY(!reading.fault->text.isEmpty());
    }

    void nearestMeansNear()
    {
        QCOMPARE(nearestWord(u"stat", {u"state"_s, u"type"_s}), u"state"_s);
        QCOMPARE(nearestWord(u"weather", {u"state"_s, u"type"_s}), QString());
    }
};

} // namespace tst_filter

OUTBOX_TEST(tst_filter::TestFilter)
#include "tst_filter.moc"
