// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where the relay's next claim begins, behind what the claims before it met.
#include "app/relay/claimcursor.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_claimcursor {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;
using namespace std::chrono_literals;
using Emptiness = ClaimCursor::Emptiness;

namespace {

constexpr int asked = 100;

QString textOf(const ClaimStart &start)
{
    QString text = start.after.isEmpty() ? u"beginning"_s : start.after.join(u',');
    if (start.isSweep)
        text += u" sweep"_s;
    if (start.isByFile())
        text += u" up to "_s + start.upTo.join(u',');
    return start.isCareful ? u"careful "_s + text : text;
}

ClaimCursor::Found full(const QString &last)
{
    return {asked, asked, {last}};
}

/// A relay with one lane, in words: "f:k" is a claim that finds as many rows as it asked for, up to
/// the place k; "p:k" finds fewer; "n" finds none; "t" is too late, after half a second; "b" gives
/// the last claim back; "w:5" waits 5 ms.
struct Story
{
    explicit Story(bool hasFile = false)
        : cursor([hasFile] { return hasFile ? QStringList{u"(0,0)"_s} : QStringList(); },
                 [hasFile](const QStringList &place) {
                     return hasFile && place.size() == 1 && place.first().startsWith(u'(');
                 },
                 1000)
    { }

    void tell(const QString &words)
    {
        for (const QString &word : words.split(u' ', Qt::SkipEmptyParts)) {
            const QString what = word.mid(2);
            if (word.startsWith(u'w')) {
                now += std::chrono::milliseconds(what.toInt());
            } else if (word.startsWith(u'b')) {
                cursor.goBack(start, now);
            } else {
                start = cursor.next(false, now);
                const bool isLate = word.startsWith(u't');
                const std::chrono::nanoseconds took = isLate ? 500ms : 1ms;
                now += took;
                if (isLate)
                    cursor.failed(start, {Error::Kind::Timeout, {}, {}, {}, {}}, took, now);
                else if (word.startsWith(u'n'))
                    cursor.answered(start, {0, asked, {}}, took, false, false, now);
                else if (word.startsWith(u'p'))
                    cursor.answered(start, {asked / 2, asked, {what}}, took, false, false, now);
                else
                    cursor.answered(start, full(what), took, false, false, now);
            }
        }
    }
    [[nodiscard]] QString next() { return textOf(cursor.next(false, now)); }

    ClaimCursor cursor;
    ClaimCursor::Time now{1h};
    ClaimStart start;
};

} // namespace

class TestClaimCursor : public QObject
{
    Q_OBJECT

private slots:
    void theNextClaimBeginsBehindWhatWasMet_data()
    {
        QTest::addColumn<QString>("words");
        QTest::addColumn<bool>("hasFile");
        QTest::addColumn<QString>("next");
        const auto row
            = [](const char *name, const QString &words, const QString &next,
                 bool hasFile = false) { QTest::newRow(name) << words << hasFile << next; };
        row("the first claim", {}, u"beginning sweep"_s);
        row("behind the last one", u"f:k"_s, u"k"_s);
        row("and on", u"f:k f:m"_s, u"m"_s);
        row("nothing was there", u"f:k n"_s, u"k"_s);
        row("a sweep is due each second", u"f:k w:998"_s, u"k"_s);
        row("now", u"f:k w:999"_s, u"k sweep"_s);
        row("at the end it comes sooner", u"f:k p:m"_s, u"m"_s);
        row("for a twentieth of the time", u"f:k p:m w:18"_s, u"m sweep"_s);
        row("a sweep that came to the end moves nothing", u"f:k w:999 p:a"_s, u"k"_s);
        row("one that did not moves the place", u"f:k w:999 f:a"_s, u"a"_s);
        row("rows are given back", u"f:k f:m b"_s, u"k"_s);
        row("only the last ones", u"f:k f:m f:o b"_s, u"m"_s);
        row("rows of a sweep are given back", u"f:k b"_s, u"beginning sweep"_s);
        row("too late, with nothing passed", u"t"_s, u"beginning sweep"_s);
        row("too late, behind what was passed", u"f:k b t"_s, u"k"_s);
        row("the straight way is tried again", u"f:k b t w:10000"_s, u"beginning sweep"_s);
        row("it is free", u"f:k b t w:10000 p:z"_s, u"z"_s);
        row("a sweep is too late", u"f:k w:999 t"_s, u"k"_s);
        row("too late, by the file", u"t"_s, u"(0,0)"_s, true);
        row("too late for the order, on in the file", u"t f:(0,7)"_s, u"(0,7)"_s, true);
        row("a sweep is too late, and reads the file", u"f:k w:999 t w:1000"_s,
            u"(0,0) sweep up to k"_s, true);
        row("the next one does not", u"f:k w:999 t w:1000 f:(0,5)"_s, u"k"_s, true);
        row("then the file again, at once", u"f:k w:999 t w:1000 f:(0,5) f:m"_s,
            u"(0,5) sweep up to m"_s, true);
        row("its rows are given back", u"f:k w:999 t w:1000 f:(0,5) b f:m"_s,
            u"(0,0) sweep up to m"_s, true);
        row("the order is tried again", u"f:k w:999 t w:10000"_s, u"k sweep"_s, true);
    }

    void theNextClaimBeginsBehindWhatWasMet()
    {
        QFETCH(QString, words);
        QFETCH(bool, hasFile);
        QFETCH(QString, next);
        Story story(hasFile);
        story.tell(words);
        QCOMPARE(story.next(), next);
    }

    void claimsOfTwoLanesAreGivenBack_data()
    {
        QTest::addColumn<bool>("isSweep"); ///< the second one
        QTest::addColumn<QString>("next");
        QTest::newRow("the first one counts") << false << u"k"_s;
        QTest::newRow("a sweep stands before all") << true << u"beginning sweep"_s;
    }

    void claimsOfTwoLanesAreGivenBack()
    {
        QFETCH(bool, isSweep);
        QFETCH(QString, next);
        Story story;
        story.tell(u"f:k"_s);
        const ClaimStart first = story.cursor.next(false, story.now);
        if (isSweep)
            story.now += 1s;
        const ClaimStart second = story.cursor.next(false, story.now);
        QCOMPARE(second.isSweep, isSweep);
        story.cursor.goBack(first, story.now);
        QVERIFY(!story.cursor.isInOrder(second));
        story.cursor.goBack(second, story.now);
        QCOMPARE(story.next(), next);
    }

    void aClaimSentBeforeRowsWereGivenBackMovesNothing()
    {
        Story story;
        story.tell(u"f:k"_s);
        const ClaimStart first = story.cursor.next(false, story.now);
        const ClaimStart second = story.cursor.next(false, story.now);
        story.cursor.goBack(first, story.now);
        story.cursor.answered(second, full(u"z"_s), 1ms, false, false, story.now);
        QCOMPARE(story.next(), u"k"_s);
    }

    void aCarefulClaimIsMadeOnceWhereRowsFailed()
    {
        Story story;
        story.tell(u"f:k f:m"_s);
        const ClaimStart other = story.cursor.next(false, story.now);
        story.cursor.claimCarefully(story.start, true);
        story.cursor.claimCarefully(other, false); // the first one stays
        QVERIFY(story.cursor.isCarefulNext());
        const ClaimStart careful = story.cursor.next(false, story.now);
        QCOMPARE(textOf(careful), u"careful k"_s);
        QVERIFY(careful.areSuspect);
        QVERIFY(!story.cursor.isCarefulNext());
        QCOMPARE(story.next(), u"m"_s);
    }

    void aSearchClaimsFromTheBeginningAndNotCarefully()
    {
        Story story;
        story.tell(u"f:k f:m"_s);
        story.cursor.claimCarefully(story.start, false);
        const ClaimStart start = story.cursor.next(true, story.now);
        QCOMPARE(textOf(start), u"m"_s);
        QVERIFY(!story.cursor.isCarefulNext());
        story.cursor.answered(start, full(u"o"_s), 1ms, true, false, story.now);
        QCOMPARE(story.next(), u"beginning sweep"_s);
    }

    void aRelayThatIsStuckLooksThroughTheTable()
    {
        Story story;
        QStringList starts;
        for (const QString &last : {u"a"_s, u"b"_s, QString(), u"a"_s}) {
            story.cursor.lookFurther();
            const ClaimStart start = story.cursor.next(false, story.now);
            starts += textOf(start);
            const qsizetype rows = last.isEmpty() ? 1 : asked;
            story.cursor.answered(start, {rows, asked, {last}}, 1ms, false, true, story.now);
        }
        QCOMPARE(starts,
                 (QStringList{u"careful beginning sweep"_s, u"careful a"_s, u"careful b"_s,
                              u"careful beginning sweep"_s}));
    }

    void tellsWhatAnEmptyClaimMeans_data()
    {
        QTest::addColumn<QString>("words"); ///< before the empty claim
        QTest::addColumn<QList<Emptiness>>("meanings"); ///< of empty claims, one after the other
        QTest::newRow("from the beginning") << QString() << QList{Emptiness::Table};
        QTest::newRow("behind a place") << u"f:k"_s << QList{Emptiness::Rest};
        QTest::newRow("a sweep") << u"f:k w:999"_s << QList{Emptiness::Table};
        QTest::newRow("of the whole file, then behind its mark")
            << u"f:k w:999 t w:1000"_s << QList{Emptiness::File, Emptiness::Table};
        QTest::newRow("of the rest of the file, then behind its mark")
            << u"f:k w:999 t w:1000 f:(0,5) f:m"_s << QList{Emptiness::File, Emptiness::Rest};
    }

    void tellsWhatAnEmptyClaimMeans()
    {
        QFETCH(QString, words);
        QFETCH(QList<Emptiness>, meanings);
        Story story(true);
        story.tell(words);
        for (const Emptiness meaning : std::as_const(meanings)) {
            story.tell(u"n"_s);
            QCOMPARE(story.cursor.foundNone(story.start), meaning);
        }
    }

    void aSingleRowIsClaimedWhereClaimsGoOn()
    {
        Story story;
        story.tell(u"f:k"_s);
        const ClaimStart single = story.cursor.single(false);
        QCOMPARE(textOf(single), u"k"_s);
        QVERIFY(story.cursor.isInOrder(single));
        QVERIFY(single.number > story.start.number);
        story.cursor.goBack(story.cursor.single(true), story.now);
        QCOMPARE(story.next(), u"beginning sweep"_s);
    }

    void aSweepIsDueInSoManyMilliseconds()
    {
        Story story;
        QCOMPARE(story.cursor.sweepDueMs(story.now), 0);
        story.tell(u"f:k w:99"_s);
        QCOMPARE(story.cursor.sweepDueMs(story.now), 900);
        QCOMPARE(story.cursor.sweepDueMs(story.now + 2s), 0);
    }
};

} // namespace tst_claimcursor

OUTBOX_TEST(tst_claimcursor::TestClaimCursor)
#include "tst_claimcursor.moc"
