// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Hostile text on its way to the screen: what is invisible is shown, what is long is cut, nothing
// is markup.
#include "models/payload/celltext.h"
#include "models/plaintext.h"
#include "models/result.h"
#include "tests/support/testprogram.h"

#include <QElapsedTimer>
#include <QTest>

namespace tst_plaintext {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestPlainText : public QObject
{
    Q_OBJECT

private slots:
    void showsWhatWouldNotBeSeen_data()
    {
        QTest::addColumn<QString>("given");
        QTest::addColumn<QString>("expected");
        QTest::newRow("plain") << u"orders-7 äöü 漢字 🚀"_s << u"orders-7 äöü 漢字 🚀"_s;
        QTest::newRow("line breaks") << u"a\r\nb\tc"_s << u"a\\r\\nb\\tc"_s;
        QTest::newRow("NUL") << u"a"_s + QChar(0) + u"b"_s << u"a\\u0000b"_s;
        QTest::newRow("escape") << u"\x1b[31m"_s << u"\\u001b[31m"_s;
        QTest::newRow("C1 control") << u"\u0085"_s << u"\\u0085"_s;
        QTest::newRow("bidi override") << u"txt.\u202egpj.exe"_s << u"txt.\\u202egpj.exe"_s;
        QTest::newRow("zero width") << u"ad\u200bmin\ufeff"_s << u"ad\\u200bmin\\ufeff"_s;
        QTest::newRow("line separator") << u"a\u2028b"_s << u"a\\u2028b"_s;
        QTest::newRow("lone high") << u"a"_s + QChar(0xd83d) + u"b"_s << u"a\\ud83db"_s;
        QTest::newRow("lone low at the end") << u"a"_s + QChar(0xde80) << u"a\\ude80"_s;
        QTest::newRow("high at the end") << u"a"_s + QChar(0xd83d) << u"a\\ud83d"_s;
        QTest::newRow("tag character") << u"\U000e0041"_s << u"\\u{e0041}"_s;
        QTest::newRow("filler") << u"\u3164"_s << u"\\u3164"_s;
    }

    void showsWhatWouldNotBeSeen()
    {
        QFETCH(QString, given);
        QFETCH(QString, expected);
        QCOMPARE(plainText(given), expected);
    }

    void keepsLinesInABlock()
    {
        QCOMPARE(plainText(u"a\n\tb\u202e\r"_s, Lines::Many), u"a\n\tb\\u202e\\r"_s);
    }

    void cutsBetweenCharacters()
    {
        const QString rocket = u"🚀"_s;
        QCOMPARE(cellText(rocket.repeated(201)), rocket.repeated(200) + u"…"_s);
        QCOMPARE(cellText(u"a"_s + rocket.repeated(200)), u"a"_s + rocket.repeated(199) + u"…"_s);
        QCOMPARE(cellText(u"abc"_s), u"abc"_s);
    }

    void boundsTheMarksOnALetter()
    {
        const QString accents(8, QChar(0x301));
        QCOMPARE(plainText(u"e"_s + accents + u"f"_s), u"e"_s + accents + u"f"_s);
        QCOMPARE(plainText(u"e"_s + accents + QChar(0x301) + u"f"_s),
                 u"e"_s + accents + u"\\u0301f"_s);
    }

    void boundsWhatALabelShows()
    {
        QCOMPARE(shownText(u"abc"_s), u"abc"_s);
        QCOMPARE(shownText(QString(3000, u'a')), QString(1000, u'a') + u'…');
        QCOMPARE(shownText(QString(1000, u'a')), QString(1000, u'a'));
        QCOMPARE(shownText(QString(400, u'\x1')), u"\\u0001"_s.repeated(167).left(1000) + u'…');
        QCOMPARE(shownText(u"abcdef"_s, Lines::One, 3), u"abc…"_s);
        QCOMPARE(shownText(u"a\n"_s.repeated(40), Lines::Many),
                 u"a\n"_s.repeated(40).chopped(1) + u'…');
        QCOMPARE(shownText(u"a\n"_s.repeated(3), Lines::Many), u"a\na\na\n"_s);
        const QString rocket = u"🚀"_s;
        QCOMPARE(shownText(u"a"_s + rocket.repeated(1000)), u"a"_s + rocket.repeated(499) + u'…');
        QCOMPARE(shownText(u"\u200b"_s + rocket.repeated(1000), Lines::One, 9),
                 u"\\u200b"_s + rocket + u'…');
        QCOMPARE(buttonText(u"Save&Quit \u202e"_s), u"Save&&Quit \\u202e"_s);
    }

    void boundsWhatAPageShows()
    {
        QCOMPARE(shownPage(u"a\n\tb\u202e"_s), u"a\n\tb\\u202e"_s);
        QCOMPARE(shownPage(QString(20'000, u'a')), QString(20'000, u'a'));
        QCOMPARE(shownPage(QString(20'001, u'a')), QString(20'000, u'a') + u'…');
        QCOMPARE(shownPage(QString(10'000, u'\x1')).size(), 20'001);
    }

    void isQuickWithAMegabyteLine()
    {
        const QString line(1024 * 1024, u'\x1');
        QElapsedTimer clock;
        clock.start();
        QVERIFY(cellText(line).size() < 3000);
        QVERIFY(tipText(line).size() < 20000);
        QVERIFY2(clock.elapsed() < 100, qPrintable(QString::number(clock.elapsed())));
    }

    void leavesNoMarkupInATip()
    {
        const QString tip = tipText(u"<img src=\"/run/fifo\"><b>x"_s);
        QVERIFY(!tip.contains(u"<img"_s));
        QVERIFY(!tip.contains(u"<b>"_s));
        QVERIFY(tip.contains(u"&lt;img"_s));
        QCOMPARE(tipText({}), QString());
    }

    void aTipTellsItsTextAgain()
    {
        for (const QString &text :
             {u"plain"_s, u"two\nlines"_s, u"<b>x</b> & &lt; \"q\" 'a'"_s, QString()})
            QCOMPARE(textOfTooltip(plainTooltip(text)).value_or(u"none"_s), text);
        QVERIFY(!textOfTooltip(u"<b>other</b>"_s));
        QVERIFY(!textOfTooltip(u"bare"_s));
    }

    /// A server may quote a whole payload in its error, and a status bar makes this line each
    /// second.
    void aLineOfAnErrorIsBounded()
    {
        const QString megabyte(1'000'000, u'x');
        const Error error{Error::Kind::Refused, megabyte, megabyte, megabyte, megabyte, 3};
        const QString line = oneLine(error);
        QVERIFY2(line.size() < 20'000, qPrintable(QString::number(line.size())));
        QVERIFY(line.contains(u'…'));
        QCOMPARE(
            oneLine({Error::Kind::Refused, u"opening"_s, u"no\nway"_s, u"42"_s, u"Wait"_s, -1}),
            u"opening: no way. Wait [42]"_s);
    }

    void previewsPayloads_data()
    {
        QTest::addColumn<QByteArray>("prefix");
        QTest::addColumn<qint64>("stored");
        QTest::addColumn<QString>("expected");
        QTest::newRow("whole") << QByteArray("{\"a\": 1}") << qint64(8) << u"{\"a\": 1}"_s;
        QTest::newRow("empty") << QByteArray() << qint64(0) << u"(empty)"_s;
        QTest::newRow("gone") << QByteArray() << qint64(-1) << u"(the referenced row is gone)"_s;
        QTest::newRow("binary") << QByteArray("\x00\x01\xff", 3) << qint64(3) << u"00 01 ff"_s;
        QTest::newRow("cut inside a character")
            << QByteArray("{\"n\":\"\xc3\xa4\xc3") << qint64(91) << u"{\"n\":\"ä…  91 bytes"_s;
    }

    void previewsPayloads()
    {
        QFETCH(QByteArray, prefix);
        QFETCH(qint64, stored);
        QFETCH(QString, expected);
        QCOMPARE(payloadPreview(PayloadMasks::none().shown(prefix, stored)), expected);
    }
};

} // namespace tst_plaintext

OUTBOX_TEST(tst_plaintext::TestPlainText)
#include "tst_plaintext.moc"
