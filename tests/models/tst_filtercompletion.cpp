// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a filter goes on: fields, values, paths met in payloads; and filters that are kept as text.
#include "models/filter/completion.h"
#include "models/filter/savedfilters.h"
#include "tests/support/randomfilters.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_filtercompletion {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

FilterWords known()
{
    FilterWords words;
    words.types = {{u"email:deliver"_s, 301}, {u"email bounce"_s, 4}};
    words.queues = {u"critical"_s};
    words.payloadPaths = {u"user"_s, u"user.id"_s, u"tags[0].x"_s};
    return words;
}

QStringList texts(const QString &text, int cursor = -1, FilterSubject subject = FilterSubject::Rows)
{
    QStringList found;
    for (const FilterSuggestion &one :
         suggestionsFor(text, cursor < 0 ? int(text.size()) : cursor, subject, known()))
        found += one.text;
    return found;
}

} // namespace

class TestFilterCompletion : public QObject
{
    Q_OBJECT

private slots:
    void suggestsFieldsThenValues()
    {
        QCOMPARE(texts(u""_s).value(0), u"state:"_s);
        QCOMPARE(texts(u"a"_s), (QStringList{u"age>"_s, u"attempts>"_s}));
        QCOMPARE(texts(u"state:p"_s), (QStringList{u"pending"_s, u"processed"_s, u"parked"_s}));
        QCOMPARE(texts(u"state:pending,f"_s), QStringList{u"failed"_s});
        QCOMPARE(texts(u"state:pending"_s), QStringList());
        QCOMPARE(texts(u"(-state:unk"_s), QStringList{u"unknown"_s});
        QCOMPARE(texts(u"type:e"_s), (QStringList{u"email:deliver"_s, u"\"email bounce\""_s}));
        QCOMPARE(texts(u"queue:"_s), (QStringList{u"critical"_s, u"any"_s, u"none"_s}));
        QCOMPARE(texts(u"payload.us"_s), (QStringList{u"payload.user:"_s, u"payload.user.id:"_s}));
        QCOMPARE(texts(u"created>to"_s), QStringList{u"today"_s});
        QCOMPARE(texts(u"age:5m..1"_s), (QStringList{u"1h"_s, u"1d"_s}));
        QCOMPARE(texts(u"locked:"_s), (QStringList{u"any"_s, u"none"_s}));
        QCOMPARE(texts(u"nofield:"_s), QStringList());
        QCOMPARE(texts(u"type:\"ema"_s), QStringList());
        QCOMPARE(texts(u"verb:pu"_s, -1, FilterSubject::Activities), QStringList{u"purge"_s});
        QVERIFY(texts(u"retr"_s, -1, FilterSubject::Tasks).contains(u"retried>"_s));
    }

    void takesThePlaceOfWhatIsTyped()
    {
        const auto found = suggestionsFor(u"age>5m typ age"_s, 10, FilterSubject::Rows, known());
        QCOMPARE(found.size(), 1);
        QCOMPARE(found.first(), (FilterSuggestion{u"type:"_s, u"what kind of message"_s, 7, 3}));
        const auto value = suggestionsFor(u"type:email:d x"_s, 12, FilterSubject::Rows, known());
        QCOMPARE(value.first(), (FilterSuggestion{u"email:deliver"_s, u"301"_s, 5, 7}));
    }

    void neverFails()
    {
        RandomFilters random(QTest::currentTestFunction());
        for (int i = 0; i < 20'000; ++i) {
            const QString text = random.garbage();
            const int cursor = random.below(int(text.size()) + 1);
            for (const FilterSuggestion &one :
                 suggestionsFor(text, cursor, FilterSubject::Rows, known()))
                QVERIFY(one.from >= 0 && one.from + one.length == cursor);
        }
    }

    void pathsAreReadOffTheBeginningOfADocument()
    {
        const QByteArray document = "{\"user\": {\"id\": 42, \"na me\": 1},"
                                    " \"tags\": [{\"x\": 1}, {\"y";
        QCOMPARE(payloadPaths(document),
                 (QStringList{u"user"_s, u"user.id"_s, u"tags"_s, u"tags[0].x"_s}));
        QCOMPARE(payloadPaths("not json {\"a\":1}"), QStringList());
        QCOMPARE(payloadPaths("[{\"a\":1}]"), QStringList());
        QCOMPARE(payloadPaths("{\"a\\\"b\": 1, \"c\": \"d:\", \"e\":}}}]]{\"f\":").size(), 3);
        QVERIFY(payloadPaths(QByteArray("{\"a\":").repeated(100'000)).size() <= 40);
    }

    void whatNeedsQuotesGetsThem()
    {
        RandomFilters random(QTest::currentTestFunction());
        for (const QString &text :
             {u"email:deliver"_s, u"a b"_s, u"a,b"_s, u"any"_s, u"none"_s, u"a\"b\\"_s, u"a..b"_s,
              u"(x)"_s, u"a*b"_s, u"-x"_s, u""_s, u"a.b"_s, u"größe"_s, u"\\"_s}) {
            const auto filter = Filter::fromText(QString(u"type="_s + asFilterValue(text)));
            QVERIFY2(filter.has_value(), qPrintable(text));
            QCOMPARE(filter->root.parts.first().term.values.size(), 1);
            QCOMPARE(filter->root.parts.first().term.values.first().text, text);
            QVERIFY(!filter->root.parts.first().term.values.first().isRange());
        }
    }

    void filtersAreKeptAsText()
    {
        const QList<SavedFilter> filters{
            {u"Busy"_s, u"state:locked or owner~\"a = b\""_s, Environment::Production},
            {u"Stuck mail"_s, u"state:pending type:email:* age>5m"_s, {}},
            {u"Stuck mail"_s, u"state:retry retried>3"_s, Environment::Staging,
             FilterSubject::Tasks}};
        const QString text = toText(filters);
        QCOMPARE(text,
                 u"Busy [production] = state:locked or owner~\"a = b\"\n"
                 "Stuck mail = state:pending type:email:* age>5m\n"
                 "Stuck mail [tasks, staging] = state:retry retried>3\n"_s);
        const auto again = savedFiltersFrom(u"# mine\n\n"_s + text);
        QVERIFY_RESULT(again);
        QCOMPARE(*again, filters);
        QCOMPARE(withFilter(filters, {u"Busy"_s, u"state:failed"_s, {}}).first().text,
                 u"state:failed"_s);
        QCOMPARE(asFilterName(u" a = [b]\n c "_s), u"a b c"_s);
        for (const auto &[wrong, says] : QList<std::pair<QString, QString>>{
                 {u"no filter here"_s, u"line 1"_s},
                 {u"ok = state:failed\nx = agee>5m"_s, u"line 2: `agee>"_s.chopped(1)},
                 {u"x [moon] = state:failed"_s, u"`moon`"_s},
                 {u"x [tasks] = created:today"_s, u"rows"_s},
                 {u"x = "_s, u"nothing"_s}}) {
            const auto refused = savedFiltersFrom(wrong);
            QVERIFY(!refused.has_value());
            QVERIFY2(refused.error().text.contains(says), qPrintable(refused.error().text));
        }
    }
};

} // namespace tst_filtercompletion

OUTBOX_TEST(tst_filtercompletion::TestFilterCompletion)
#include "tst_filtercompletion.moc"
