// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which row the relay takes for guilty, when it tries that row again, and when it parks it.
#include "app/relay/rowtrials.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_rowtrials {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;
using namespace std::chrono_literals;
using Kind = Error::Kind;
using Next = RowTrials::Next;
using Time = RowTrials::Time;

namespace {

constexpr Time start{1h};

MessageId idOf(int number)
{
    return MessageId{QString::number(number)};
}

QList<MessageId> idsOf(int rows)
{
    QList<MessageId> ids;
    for (int i = 0; i < rows; ++i)
        ids += idOf(i);
    return ids;
}

Error errorOf(Kind kind, const QString &code = {})
{
    return Error{kind, u"delivering"_s, u"it failed"_s, code, {}};
}

} // namespace

class TestRowTrials : public QObject
{
    Q_OBJECT

private slots:
    void blamesARowABatchOrTheServer_data()
    {
        QTest::addColumn<Error>("error");
        QTest::addColumn<int>("times"); ///< so often in a row; the last one counts
        QTest::addColumn<int>("rows");
        QTest::addColumn<bool>("isOfQueue");
        QTest::addColumn<bool>("isOnTrial"); ///< the first row was tried before
        QTest::addColumn<int>("searchedBefore");
        QTest::addColumn<bool>("counts");
        QTest::addColumn<bool>("isTold");
        QTest::addColumn<bool>("isSearching");
        const Error refused = errorOf(Kind::Constraint, u"23505"_s);
        const Error unnamed = errorOf(Kind::Constraint);
        const Error lost = errorOf(Kind::Unreachable);
        const Error late = errorOf(Kind::Timeout);
        QTest::newRow("refused, alone")
            << refused << 1 << 1 << false << false << 0 << true << false << false;
        QTest::newRow("refused, many")
            << refused << 1 << 5 << false << false << 0 << false << true << true;
        QTest::newRow("refused again, in the search")
            << refused << 1 << 3 << false << false << 5 << false << false << true;
        QTest::newRow("found by the search")
            << refused << 1 << 1 << false << false << 5 << true << false << false;
        QTest::newRow("an error without a code is the server's")
            << unnamed << 1 << 5 << false << false << 0 << false << true << false;
        QTest::newRow("no such table is the server's")
            << errorOf(Kind::Invalid, u"42P01"_s) << 1 << 1 << false << false << 0 << false << true
            << false;
        QTest::newRow("refused by the queue, which names rows")
            << refused << 1 << 1 << true << false << 0 << false << true << false;
        QTest::newRow("lost once")
            << lost << 1 << 5 << true << false << 0 << false << true << false;
        QTest::newRow("lost three times")
            << lost << 3 << 5 << true << false << 0 << false << true << false;
        QTest::newRow("lost four times")
            << lost << 4 << 5 << true << false << 0 << false << true << true;
        QTest::newRow("lost four times, alone")
            << lost << 4 << 1 << true << false << 0 << true << true << false;
        QTest::newRow("lost once, alone")
            << lost << 1 << 1 << true << false << 0 << false << true << false;
        QTest::newRow("lost once, alone, on trial")
            << lost << 1 << 1 << true << true << 0 << true << true << false;
        QTest::newRow("late twice")
            << late << 2 << 5 << false << false << 0 << false << true << false;
        QTest::newRow("late three times")
            << late << 3 << 5 << false << false << 0 << false << true << true;
        QTest::newRow("late, alone, on trial")
            << late << 1 << 1 << false << true << 0 << true << true << false;
    }

    void blamesARowABatchOrTheServer()
    {
        QFETCH(Error, error);
        QFETCH(int, times);
        QFETCH(int, rows);
        QFETCH(bool, isOfQueue);
        QFETCH(bool, isOnTrial);
        QFETCH(int, searchedBefore);
        QFETCH(bool, counts);
        QFETCH(bool, isTold);
        QFETCH(bool, isSearching);
        RowTrials trials(3, 100);
        if (isOnTrial)
            static_cast<void>(trials.countTry(idOf(0), {}, start));
        RowTrials::Blame blame;
        for (int i = 0; i < times; ++i) {
            trials.search(searchedBefore);
            blame = trials.blame(idsOf(rows), error, isOfQueue);
        }
        QCOMPARE(blame.cause.has_value(), counts);
        QCOMPARE(blame.isTold, isTold);
        QCOMPARE(trials.isSearching(), isSearching);
        if (!blame.cause)
            return;
        QCOMPARE(blame.cause->isQueue, isOfQueue);
        QCOMPARE(blame.cause->isLate, error.kind == Kind::Timeout);
        QCOMPARE(blame.cause->isDoubtful, isTold);
    }

    void theLastTryNeedsAProofThatTheServersAreWell_data()
    {
        // "d": the database refuses row 0, "D": it may be no row's fault, "q" and "Q": so does the
        // queue; "x": row 1 fails as well; "c": a batch is committed; "e": nothing is left to
        // claim; "w": the queue answers a question; "s": a search goes on.
        QTest::addColumn<QString>("story");
        QTest::addColumn<Next>("next");
        QTest::newRow("first") << u"d"_s << Next::Rest;
        QTest::newRow("second") << u"dd"_s << Next::Rest;
        QTest::newRow("last, no other got through") << u"ddd"_s << Next::Distrust;
        QTest::newRow("others got through before") << u"cddd"_s << Next::Distrust;
        QTest::newRow("others got through since") << u"dcdd"_s << Next::Park;
        QTest::newRow("others, whatever failed") << u"QcQQ"_s << Next::Park;
        QTest::newRow("no others are there") << u"dedd"_s << Next::Park;
        QTest::newRow("no others are there, but the server may be at fault")
            << u"DeDD"_s << Next::Distrust;
        QTest::newRow("no others are there, and the queue is not asked")
            << u"qeqq"_s << Next::Distrust;
        QTest::newRow("no others are there, and the queue answers") << u"qeqwq"_s << Next::Park;
        QTest::newRow("it alone makes the queue hang up") << u"QeQwQ"_s << Next::Park;
        QTest::newRow("two rows make the queue hang up") << u"QxeQwQ"_s << Next::Distrust;
        QTest::newRow("the queue hangs up in a search") << u"QeQwsQ"_s << Next::Distrust;
        QTest::newRow("tried on without a proof") << u"ddddd"_s << Next::Distrust;
        QTest::newRow("and the proof came late") << u"ddddcd"_s << Next::Park;
    }

    void theLastTryNeedsAProofThatTheServersAreWell()
    {
        QFETCH(QString, story);
        QFETCH(Next, next);
        RowTrials trials(3, 100);
        Next last = Next::Rest;
        int tries = 0;
        for (const QChar sign : std::as_const(story)) {
            if (sign == u'c')
                trials.committed({idOf(7)});
            else if (sign == u'e')
                trials.foundNothing(true);
            else if (sign == u'w')
                trials.setQueueWell(idOf(0), true);
            else if (sign == u's')
                trials.search(5);
            else if (sign == u'x')
                static_cast<void>(trials.countTry(idOf(1), {}, start));
            else {
                const bool isLast = trials.isLastTry(idOf(0));
                const bool isQueue = sign.toLower() == u'q';
                last = trials.countTry(idOf(0), {isQueue, sign.isUpper(), false}, start);
                QCOMPARE(isLast, last != Next::Rest);
                QCOMPARE(trials.triesOf(idOf(0)), ++tries);
            }
        }
        QCOMPARE(last, next);
        QCOMPARE(trials.remove(idOf(0)), tries);
        QCOMPARE(trials.remove(idOf(0)), 0);
    }

    void aRowRestsLongerAfterEachTry_data()
    {
        QTest::addColumn<int>("tries");
        QTest::addColumn<int>("mostTries");
        QTest::addColumn<bool>("isProven");
        QTest::addColumn<bool>("isLate");
        QTest::addColumn<int>("restMs");
        QTest::newRow("after the first try") << 1 << 5 << false << false << 100;
        QTest::newRow("after the second") << 2 << 5 << false << false << 200;
        QTest::newRow("after the third") << 3 << 5 << false << false << 400;
        QTest::newRow("before the last, without a proof") << 2 << 3 << false << false << 3200;
        QTest::newRow("before the last, with one") << 2 << 3 << true << false << 200;
        QTest::newRow("it was slow") << 1 << 5 << false << true << 1600;
        QTest::newRow("never longer than a minute") << 12 << 50 << false << false << 60'000;
        QTest::newRow("even after very many") << 40 << 50 << false << false << 60'000;
    }

    void aRowRestsLongerAfterEachTry()
    {
        QFETCH(int, tries);
        QFETCH(int, mostTries);
        QFETCH(bool, isProven);
        QFETCH(bool, isLate);
        QFETCH(int, restMs);
        RowTrials trials(mostTries, 100);
        for (int i = 0; i < tries; ++i)
            static_cast<void>(trials.countTry(idOf(0), {false, false, isLate}, start));
        if (isProven)
            trials.committed({idOf(7)});
        const Time end = start + std::chrono::milliseconds(restMs);
        QCOMPARE(trials.due(end, true), MessageId());
        QCOMPARE(trials.due(end + 1ms, true), idOf(0));
    }

    void noMoreThanATwentiethOfTheTimeGoesIntoTries()
    {
        RowTrials trials(3, 1);
        static_cast<void>(trials.countTry(idOf(0), {}, start));
        QCOMPARE(trials.due(start + 100ms, false), idOf(0));
        trials.tried(10ms, start + 100ms);
        QCOMPARE(trials.due(start + 299ms, false), MessageId());
        QCOMPARE(trials.due(start + 299ms, true), idOf(0));
        QCOMPARE(trials.due(start + 300ms, false), idOf(0));
    }

    void aSearchTakesSmallParts_data()
    {
        QTest::addColumn<int>("searched");
        QTest::addColumn<int>("claimed"); ///< where 50 rows are asked for
        QTest::addColumn<bool>("isNarrow");
        QTest::newRow("none") << 0 << 50 << false;
        QTest::newRow("a thousand") << 1000 << 50 << false;
        QTest::newRow("a hundred") << 100 << 12 << false;
        QTest::newRow("few") << 5 << 2 << false;
        QTest::newRow("narrow") << 3 << 2 << true;
    }

    void aSearchTakesSmallParts()
    {
        QFETCH(int, searched);
        QFETCH(int, claimed);
        QFETCH(bool, isNarrow);
        RowTrials trials(3, 100);
        trials.search(searched);
        QCOMPARE(trials.claimSize(50), claimed);
        QCOMPARE(trials.isSearchNarrow(), isNarrow);
        trials.gotThrough(1000);
        QVERIFY(!trials.isSearching());
    }

    void aRelayIsStuckWhenAHundredRowsFailAndNoneGetsThrough()
    {
        RowTrials trials(3, 100);
        for (int i = 0; i < 100; ++i) {
            QVERIFY(!trials.isStuck());
            static_cast<void>(trials.countTry(idOf(i), {}, start));
        }
        QVERIFY(trials.isStuck());
        const auto error = trials.searchAmong(10);
        QVERIFY(error);
        QCOMPARE(error->kind, Kind::Constraint);
        QVERIFY(!trials.isSearching());
        trials.committed({idOf(700)});
        QVERIFY(!trials.isStuck());
        QVERIFY(!trials.searchAmong(10));
        QVERIFY(trials.isSearching());
        QCOMPARE(trials.count(), 100);
    }

    void aBatchThatTheQueueRefusesIsSearchedTheSecondTime()
    {
        RowTrials trials(3, 100);
        QVERIFY(!trials.isRefusedAgain());
        QVERIFY(trials.wasRefused());
        QVERIFY(trials.isRefusedAgain());
        trials.committed({idOf(7)});
        QVERIFY(!trials.wasRefused());
        QVERIFY(!trials.isRefusedAgain());
    }

    void aCommitEndsTheTrialsOfItsRowsAndEachSeries()
    {
        RowTrials trials(3, 100);
        static_cast<void>(trials.countTry(idOf(0), {}, start));
        static_cast<void>(trials.countTry(idOf(1), {}, start));
        const Error late = errorOf(Kind::Timeout);
        trials.searchIfLateAgain(late, 10);
        trials.searchIfLateAgain(late, 10);
        trials.committed({idOf(0)});
        QCOMPARE(trials.ids(), QList{idOf(1)});
        trials.searchIfLateAgain(late, 10);
        trials.searchIfLateAgain(late, 10);
        QVERIFY(!trials.isSearching());
        trials.searchIfLateAgain(late, 10);
        QVERIFY(trials.isSearching());
        trials.foundNothing(false);
        QVERIFY(!trials.isSearching());
        QVERIFY(trials.isTrying());
    }
};

} // namespace tst_rowtrials

OUTBOX_TEST(tst_rowtrials::TestRowTrials)
#include "tst_rowtrials.moc"
