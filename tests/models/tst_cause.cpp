// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Errors that differ by their details alone have one cause; every error fits its own as a pattern.
#include "models/filter/cause.h"
#include "models/filter/pattern.h"
#include "models/filter/taskfilter.h"
#include "tests/support/randomfilters.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_cause {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestCause : public QObject
{
    Q_OBJECT

private slots:
    void detailsAreTakenOut_data()
    {
        QTest::addColumn<QString>("error");
        QTest::addColumn<QString>("cause");
        const QList<std::pair<QString, QString>> cases{
            {u""_s, u""_s},
            {u"connection refused"_s, u"connection refused"_s},
            {u"timeout after 30 ms"_s, u"timeout after * ms"_s},
            {u"timeout after 30ms"_s, u"timeout after *ms"_s},
            // Short numbers stay: they may be codes.
            {u"took 1,234.5 s of -3"_s, u"took * s of -3"_s},
            {u"HTTP 503 from the gateway"_s, u"HTTP 503 from the gateway"_s},
            {u"HTTP 404 from the gateway"_s, u"HTTP 404 from the gateway"_s},
            {u"550 5.1.1 no such recipient"_s, u"550 5.1.1 no such recipient"_s},
            {u"552 5.2.2 mailbox full"_s, u"552 5.2.2 mailbox full"_s},
            {u"550-5.1.1 no such recipient"_s, u"550-5.1.1 no such recipient"_s},
            {u"code (503), status=42, exit -9"_s, u"code (503), status=42, exit -9"_s},
            {u"error 1205 at 12345"_s, u"error * at *"_s},
            {u"host 10.0.3.7 and ratio 1.5"_s, u"host * and ratio *"_s},
            {u"disk is 98 % full, 7% free"_s, u"disk is * % full, *% free"_s},
            {u"after 3 seconds and 5 min"_s, u"after * seconds and * min"_s},
            {u"read 12 bytes of 40 s5"_s, u"read * bytes of 40 s*"_s},
            {u"GET /orders/42: 503, issue #42"_s, u"GET /orders/*: 503, issue #*"_s},
            {u"dial tcp 10.0.3.7:5432: connect: refused"_s, u"dial tcp *: connect: refused"_s},
            {u"dial tcp [fe80::1f:23]:6379: no route"_s, u"dial tcp [*]:*: no route"_s},
            {u"no such host ::1"_s, u"no such host *"_s},
            {u"std::bad_alloc in a::b"_s, u"std::bad_alloc in a::b"_s},
            {u"order 7e57d004-2b97-4e7a-8000-00000000002a is closed"_s, u"order * is closed"_s},
            {u"at 2026-11-21T14:02:11.123Z it ended"_s, u"at * it ended"_s},
            {u"at 2026-11-21 14:02:11 it ended."_s, u"at * * it ended."_s},
            {u"at 14:02:11.123456Z, after 1.250000 s"_s, u"at *, after * s"_s},
            {u"at 14:02:11.1234567 and v1/7e57d004ab"_s, u"at * and v*/*"_s},
            {u"GET /v1/7e57d004-2b97-4e7a-8000-00000000002a/x: 503"_s, u"GET /v*/*/x: 503"_s},
            {u"GET /v1/ae57d004-2b97-4e7a-8000-00000000002a/x: 503"_s, u"GET /v*/*/x: 503"_s},
            {u"lines 1/123456789012345678901 and 7.5e10 of 3.4.5"_s, u"lines * and * of 3.4.5"_s},
            {u"mailbox ana.b+c@mail.example.org. Full"_s, u"mailbox *. Full"_s},
            {u"bad pointer 0x7ffd12 in relay7"_s, u"bad pointer * in relay*"_s},
            {u"commit deadbeef42 and deadbeef"_s, u"commit * and *"_s},
            {u"a facade, faced, added"_s, u"a facade, faced, added"_s},
            {u"key cus_9s6XKzkNRiz8i3abcd is gone"_s, u"key * is gone"_s},
            {u"column \"e mail\" of 'x' is `y`"_s, u"column \"*\" of '*' is `*`"_s},
            {u"he said \"a \\\" b\" twice"_s, u"he said \"*\" twice"_s},
            {u"can't connect, don't retry"_s, u"can't connect, don't retry"_s},
            {u"an open \"quote stays"_s, u"an open \"quote stays"_s},
            {u"two\nlines\tof it"_s, u"two*lines*of it"_s},
            {u"a\u202eb\u200bc"_s, u"a*b*c"_s},
            {u"was ** here? 1*2"_s, u"was * here? 1*2"_s},
            {u"\n"_s, u"*"_s},
            {u"größe 5 😀"_s, u"größe 5 😀"_s},
            {QString(u"over"_s + QChar(0) + u"there"_s), u"over*"_s},
            {QString(u"half "_s + QChar(0xdc00)), u"half *"_s},
        };
        for (const auto &[error, cause] : cases)
            QTest::newRow(qPrintable(error.simplified())) << error << cause;
    }

    void detailsAreTakenOut()
    {
        QFETCH(QString, error);
        QFETCH(QString, cause);
        QCOMPARE(causeOf(error), cause);
        QVERIFY(fitsWildcards(cause, error));
        QCOMPARE(causeOf(cause), cause); // a cause is its own
    }

    void longErrorsHaveShortCauses()
    {
        const QString line = u"no route to the host of the shop; "_s.repeated(40'000);
        const QString cause = causeOf(line);
        QVERIFY(cause.size() <= mostCauseCharacters + 3);
        QVERIFY(cause.endsWith(u'*'));
        QVERIFY(fitsWildcards(cause, line));
        const QString digits = u"1 "_s.repeated(500'000);
        QVERIFY(fitsWildcards(causeOf(digits), digits));
        QCOMPARE(causeOf(QString(1'000'000, u'7')), u"*"_s);
    }

    void everyErrorFitsItsCauseAndWhatIsAskedOfIt()
    {
        RandomFilters random(QTest::currentTestFunction());
        const QStringList pieces{u"a"_s,    u"Timeout "_s, u"30"_s,   u" "_s,  u"\""_s, u"'"_s,
                                 u"*"_s,    u"?"_s,        u"0xff"_s, u":"_s,  u"."_s,  u"@"_s,
                                 u"b7"_s,   u"\\"_s,       u"\n"_s,   u"é"_s,  u"😀"_s,  u"%_!["_s,
                                 u"dead"_s, u"-"_s,        u"beef"_s, u"::"_s, u"(x)"_s};
        const auto textOf = [&](int most) {
            QString text;
            for (int left = random.below(most); left >= 0; --left)
                text += random.oneOf(pieces);
            return text;
        };
        int fitting = 0;
        for (int i = 0; i < 20'000; ++i) {
            const QString error = textOf(30);
            const QString cause = causeOf(error);
            QVERIFY2(fitsWildcards(cause, error), qPrintable(error));
            QVERIFY(!cause.isEmpty());
            const QString asked = i % 3 ? cause : textOf(5);
            for (const FilterPattern &pattern :
                 {FilterPattern{FilterPattern::How::Exact, asked},
                  FilterPattern{FilterPattern::How::Whole, asked},
                  FilterPattern{FilterPattern::How::Whole, u'*' + asked.mid(2)},
                  FilterPattern{FilterPattern::How::Part, foldedText(asked.mid(1, 4))}}) {
                if (!pattern.fits(cause) || pattern.text.isEmpty())
                    continue;
                ++fitting;
                const FilterPattern wider = errorsOfCause(pattern);
                QVERIFY2(wider.fits(error),
                         qPrintable(pattern.text + u" | "_s + wider.text + u" | "_s + error));
                QVERIFY(wider.text.count(u'*') <= 8);
            }
        }
        QVERIFY(fitting > 20'000);
    }

    void tasksAreFoundByIt()
    {
        const QDateTime now = QDateTime::currentDateTimeUtc();
        Task task;
        task.state = TaskState::Retry;
        task.lastError = u"dial tcp 10.0.3.7:5432: refused"_s;
        task.lastFailed = now.addSecs(-600);
        const auto matches = [&](const QString &text) {
            const auto filter = TaskFilter::fromText(text, now);
            return filter && filter->of(task) == Truth::Yes;
        };
        QVERIFY(matches(u"cause=\"dial tcp *: refused\""_s));
        QVERIFY(matches(u"cause:\"dial*\" state:retry"_s));
        QVERIFY(matches(u"cause~REFUSED"_s));
        QVERIFY(!matches(u"cause=\"dial tcp *\""_s));
        QVERIFY(!matches(u"cause:none"_s));
        QVERIFY(matches(u"failed>-15m"_s));
        QVERIFY(!matches(u"failed>-5m"_s));
        task.lastError.clear();
        QVERIFY(matches(u"cause:none"_s));
    }
};

} // namespace tst_cause

OUTBOX_TEST(tst_cause::TestCause)
#include "tst_cause.moc"
