// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which queues the relay leaves out, and for how long.
#include "app/relay/brokenqueues.h"
#include "tests/support/testprogram.h"

#include <QHash>
#include <QTest>

namespace tst_brokenqueues {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;
using namespace std::chrono_literals;
using Kind = EnqueueAnswer::Kind;

namespace {

/// One row for each word: its queue, with "!" behind it where the queue is broken, "?" where it is
/// away.
struct Batch
{
    explicit Batch(const QString &words)
    {
        for (const QString &word : words.split(u' ', Qt::SkipEmptyParts)) {
            const bool isBroken = word.endsWith(u'!');
            const bool isAway = word.endsWith(u'?');
            EnqueueRequest request;
            request.queue = QueueName{isBroken || isAway ? word.chopped(1) : word};
            requests += request;
            answers += EnqueueAnswer{isBroken     ? Kind::QueueBroken
                                         : isAway ? Kind::QueueAway
                                                  : Kind::Stored,
                                     TaskState::None,
                                     false,
                                     false,
                                     isAway ? u"is being moved"_s : u"holds a string"_s,
                                     isAway ? u"TRYAGAIN"_s : u"WRONGTYPE"_s};
        }
    }
    QList<EnqueueRequest> requests;
    QList<EnqueueAnswer> answers;
};

} // namespace

class TestBrokenQueues : public QObject
{
    Q_OBJECT

private slots:
    void leavesOutTheRowsOfBrokenQueues_data()
    {
        QTest::addColumn<QStringList>("batches"); ///< 100 ms lie between two of them
        QTest::addColumn<int>("afterMs"); ///< the last batch
        QTest::addColumn<QStringList>("leftOut");
        const QStringList none;
        QTest::newRow("no queue is broken") << QStringList{u"a b"_s} << 0 << none;
        QTest::newRow("one of two") << QStringList{u"a! b"_s} << 0 << QStringList{u"a"_s};
        QTest::newRow("one of two, well before")
            << QStringList{u"b a! a!"_s} << 99 << QStringList{u"a"_s};
        QTest::newRow("the usual queue is that of rows that name none")
            << QStringList{u"usual!"_s} << 0 << QStringList{QString(), u"usual"_s};
        QTest::newRow("the rest is over") << QStringList{u"a!"_s} << 100 << none;
        QTest::newRow("the second rest is twice as long")
            << QStringList{u"a!"_s, u"a!"_s} << 199 << QStringList{u"a"_s};
        QTest::newRow("and over after that") << QStringList{u"a!"_s, u"a!"_s} << 200 << none;
        QTest::newRow("a good answer ends it at once")
            << QStringList{u"a!"_s, u"a!"_s, u"a"_s} << 0 << none;
        QTest::newRow("and the next rest is short again")
            << QStringList{u"a!"_s, u"a!"_s, u"a"_s, u"a!"_s} << 100 << none;
    }

    void leavesOutTheRowsOfBrokenQueues()
    {
        QFETCH(QStringList, batches);
        QFETCH(int, afterMs);
        QFETCH(QStringList, leftOut);
        BrokenQueues queues(QueueName{u"usual"_s}, 100);
        BrokenQueues::Time now{1h};
        for (const QString &words : std::as_const(batches)) {
            const Batch batch(words);
            now += 100ms;
            QCOMPARE(queues.judge(batch.requests, batch.answers, now).broken.has_value(),
                     words.contains(u'!'));
        }
        QStringList texts = queues.leftOut(now + std::chrono::milliseconds(afterMs));
        texts.sort();
        QCOMPARE(texts, leftOut);
    }

    void aBatchThatWasClaimedBeforeLengthensNoRest()
    {
        BrokenQueues queues(QueueName{u"usual"_s}, 100);
        const BrokenQueues::Time now{1h};
        const Batch batch(u"a!"_s);
        QVERIFY(queues.judge(batch.requests, batch.answers, now).broken);
        QVERIFY(queues.judge(batch.requests, batch.answers, now + 99ms).broken);
        QVERIFY(queues.leftOut(now + 100ms).isEmpty());
    }

    void noRestIsLongerThanAMinute()
    {
        BrokenQueues queues(QueueName{u"usual"_s}, 50'000);
        const Batch batch(u"a!"_s);
        BrokenQueues::Time now{1h};
        for (int i = 0; i < 5; ++i, now += 60s)
            QVERIFY(queues.judge(batch.requests, batch.answers, now).broken);
        QVERIFY(queues.leftOut(now).isEmpty());
        QVERIFY(!queues.leftOut(now - 1ms).isEmpty());
    }

    /// 50 ms at first, twice as long each time, a second at most.
    void aQueueThatIsAwayRestsShorter()
    {
        BrokenQueues queues(QueueName{u"usual"_s}, 5000);
        const Batch batch(u"a? b"_s);
        BrokenQueues::Time now{1h};
        for (const auto rest : {50ms, 100ms, 200ms, 400ms, 800ms, 1000ms, 1000ms}) {
            const QueueTrouble trouble = queues.judge(batch.requests, batch.answers, now);
            QVERIFY(!trouble.broken);
            QCOMPARE(trouble.away.size(), 1);
            QCOMPARE(trouble.away.first().error.kind, Error::Kind::Unreachable);
            QCOMPARE(trouble.away.first().error.code, u"TRYAGAIN"_s);
            QCOMPARE(queues.leftOut(now + rest - 1ms), QStringList{u"a"_s});
            QVERIFY(queues.leftOut(now + rest).isEmpty());
            now += rest;
        }
        const Batch well(u"a b"_s);
        QVERIFY(queues.isAnyAway());
        QVERIFY(queues.judge(well.requests, well.answers, now).away.isEmpty());
        QVERIFY(!queues.isAnyAway());
        QCOMPARE(queues.judge(batch.requests, batch.answers, now).away.size(), 1);
        QVERIFY(queues.leftOut(now + 50ms).isEmpty());
    }

    /// Some of its calls went through: that ends no rest, wherever they stand in the batch.
    void aQueueThatIsAwayInPartRests()
    {
        BrokenQueues queues(QueueName{u"usual"_s}, 5000);
        const Batch batch(u"a a? b a"_s);
        BrokenQueues::Time now{1h};
        for (const auto rest : {50ms, 100ms, 200ms}) {
            const QueueTrouble trouble = queues.judge(batch.requests, batch.answers, now);
            QCOMPARE(trouble.away.size(), 1);
            QCOMPARE(trouble.away.first().rows, 1);
            QCOMPARE(queues.leftOut(now + rest - 1ms), QStringList{u"a"_s});
            QVERIFY(queues.leftOut(now + rest).isEmpty());
            now += rest;
        }
    }

    /// A claim is careful while that is so: it fails where none is due, or where one is for good.
    void aQueueIsDueWhenItHasRested()
    {
        BrokenQueues queues(QueueName{u"usual"_s}, 5000);
        const BrokenQueues::Time now{1h};
        const Batch broken(u"c!"_s);
        QVERIFY(queues.judge(broken.requests, broken.answers, now - 5s).broken);
        QVERIFY(!queues.isAnyDue(now)); // of a broken one the whole batch is given back
        QVERIFY(!queues.leftMs(now - 1s, now));
        const Batch away(u"a?"_s);
        QCOMPARE(queues.judge(away.requests, away.answers, now).away.size(), 1);
        QVERIFY(!queues.isAnyDue(now + 49ms));
        QVERIFY(queues.isAnyDue(now + 50ms));
        QVERIFY(!queues.isAnyDue(now + 1min));
        QCOMPARE(queues.leftMs(now, now + 20ms).value_or(-1), 30);
        QCOMPARE(queues.leftMs(now, now + 60ms).value_or(-1), 0);
        QVERIFY(!queues.leftMs(now + 50ms, now + 60ms)); // that claim left out none
    }

    /// Two queues at the head of the table, whose tries take a second each. Were each tried again
    /// after a second no row behind them would ever go.
    void triesThatTakeLongLeaveTimeForOthers()
    {
        BrokenQueues queues(QueueName{u"usual"_s}, 5000);
        BrokenQueues::Time now{1h};
        const BrokenQueues::Time end = now + 10min;
        std::chrono::milliseconds forOthers{0};
        QHash<QString, int> tries;
        while (now < end) {
            const QStringList resting = queues.leftOut(now);
            const QString next = resting.contains(u"a"_s) ? u"b"_s : u"a"_s;
            if (resting.contains(next)) {
                now += 10ms;
                forOthers += 10ms;
                continue;
            }
            now += 1s;
            ++tries[next];
            const Batch batch(next + u'?');
            QCOMPARE(queues.judge(batch.requests, batch.answers, now, 1s).away.size(), 1);
        }
        QVERIFY2(forOthers >= 5min, qPrintable(QString::number(forOthers.count())));
        QVERIFY(tries.value(u"a"_s) > 60);
        QVERIFY(tries.value(u"b"_s) > 60);
    }

    /// One line for each node, with the rows that wait for it.
    void eachNodeIsToldOf()
    {
        BrokenQueues queues(QueueName{u"usual"_s}, 5000);
        Batch batch(u"a? b? c? a? d"_s);
        for (const qsizetype row : {0, 2, 3})
            batch.answers[row].node = u"h:1"_s;
        batch.answers[1].node = u"h:2"_s;
        batch.answers[1].code = u"OOM"_s;
        const QueueTrouble trouble = queues.judge(batch.requests, batch.answers, {});
        QCOMPARE(trouble.away.size(), 2);
        QCOMPARE(trouble.away.first().node, u"h:1"_s);
        QCOMPARE(trouble.away.first().rows, 3);
        QCOMPARE(trouble.away.first().error.doing, u"enqueueing into queue a, c"_s);
        QCOMPARE(trouble.away.first().error.text, u"h:1: is being moved"_s);
        QCOMPARE(trouble.away.last().node, u"h:2"_s);
        QCOMPARE(trouble.away.last().rows, 1);
        QCOMPARE(trouble.away.last().error.code, u"OOM"_s);
    }

    /// Its rows may have gone by another way: then nobody waits for a good answer.
    void aQueueWithoutRowsRestsNoMore()
    {
        BrokenQueues queues(QueueName{u"usual"_s}, 100);
        const BrokenQueues::Time now{1h};
        const Batch batch(u"a! b?"_s);
        QVERIFY(!queues.isAny());
        QVERIFY(queues.judge(batch.requests, batch.answers, now).broken);
        queues.foundNothing(now + 99ms); // the rows of the broken one were left out then
        QVERIFY(queues.isAny());
        QCOMPARE(queues.leftOut(now), QStringList{u"a"_s});
        queues.foundNothing(now + 100ms);
        QVERIFY(!queues.isAny());
    }

    /// Where no column names the queue of a row.
    void rowsWaitOneByOneAsLongAsTheirQueue()
    {
        BrokenQueues queues(QueueName{u"usual"_s}, 100);
        const BrokenQueues::Time now{1h};
        const QueueName broken{u"a"_s};
        QVERIFY(!queues.letWait(broken, {u"1"_s}, now));
        const Batch batch(u"a! b"_s);
        QVERIFY(queues.judge(batch.requests, batch.answers, now).broken);
        QVERIFY(queues.rowsLeftOut(now).isEmpty());
        QVERIFY(!queues.letWait(QueueName{u"b"_s}, {u"2"_s}, now));
        QVERIFY(queues.letWait(broken, {u"1"_s}, now + 99ms));
        QVERIFY(queues.letWait(broken, {u"1"_s}, now + 99ms));
        QCOMPARE(queues.rowsLeftOut(now + 99ms), QList<MessageId>{MessageId{u"1"_s}});
        QVERIFY(!queues.letWait(broken, {u"3"_s}, now + 100ms)); // it is tried again
        QVERIFY(queues.rowsLeftOut(now + 100ms).isEmpty());
        QVERIFY(queues.judge(batch.requests, batch.answers, now + 100ms).broken);
        QCOMPARE(queues.rowsLeftOut(now + 299ms), QList<MessageId>{MessageId{u"1"_s}});
        const Batch well(u"a b"_s);
        QVERIFY(!queues.judge(well.requests, well.answers, now + 200ms).broken);
        QVERIFY(queues.rowsLeftOut(now + 200ms).isEmpty());
    }

    /// The rows of a queue that is away as long as that rests, which depends on what its tries
    /// cost.
    void rowsWaitForAQueueThatIsAway()
    {
        BrokenQueues queues(QueueName{u"usual"_s}, 5000);
        const BrokenQueues::Time now{1h};
        const QueueName away{u"a"_s};
        const MessageId row{u"1"_s};
        const Batch batch(u"a? b"_s);
        QVERIFY(!queues.judge(batch.requests, batch.answers, now).broken);
        QVERIFY(queues.letWait(away, row, now));
        QVERIFY(!queues.letWait(QueueName{u"b"_s}, {u"2"_s}, now));
        QCOMPARE(queues.rowsLeftOut(now + 49ms), QList<MessageId>{row});
        QVERIFY(!queues.letWait(away, row, now + 50ms));
        QVERIFY(queues.rowsLeftOut(now + 50ms).isEmpty());
        QVERIFY(!queues.judge(batch.requests, batch.answers, now + 50ms, 3s).broken);
        QCOMPARE(queues.rowsLeftOut(now + 6s), QList<MessageId>{row});
        QVERIFY(queues.rowsLeftOut(now + 50ms + 6s).isEmpty());
        queues.foundNothing(now + 50ms + 6s); // it has gone by another way
        QVERIFY(!queues.isAny());
    }

    /// Their keys are sent with each claim, so there is an end to it.
    void onlySoManyRowsWaitOneByOne()
    {
        BrokenQueues queues(QueueName{u"usual"_s}, 100);
        const BrokenQueues::Time now{1h};
        const Batch batch(u"a! b"_s);
        QVERIFY(queues.judge(batch.requests, batch.answers, now).broken);
        for (qsizetype row = 0; row < BrokenQueues::mostRows; ++row) {
            QVERIFY(!queues.tooManyRows(now));
            QVERIFY(queues.letWait(QueueName{u"a"_s}, {QString::number(row)}, now));
        }
        const auto error = queues.tooManyRows(now);
        QVERIFY(error);
        QCOMPARE(error->kind, Error::Kind::Unreachable);
        QVERIFY2(error->text.endsWith(u"wait for queue a"_s), qPrintable(error->text));
        QVERIFY(queues.letWait(QueueName{u"a"_s}, {u"one more"_s}, now));
        QCOMPARE(queues.rowsLeftOut(now).size(), BrokenQueues::mostRows);
        QVERIFY(!queues.tooManyRows(now + 100ms));
    }

    void tellsWhichQueuesAreBrokenAndWhy()
    {
        BrokenQueues queues(QueueName{u"usual"_s}, 100);
        const Batch batch(u"a! b a! c!"_s);
        const auto error = queues.judge(batch.requests, batch.answers, {}).broken;
        QVERIFY(error);
        QCOMPARE(error->kind, Error::Kind::Constraint);
        QCOMPARE(error->doing, u"enqueueing into queue a, c"_s);
        QCOMPARE(error->text, u"holds a string"_s);
        QCOMPARE(error->code, u"WRONGTYPE"_s);
    }

    /// Where the list of all queues is away no others go on.
    void tellsWhoseRowsWait()
    {
        BrokenQueues queues(QueueName{u"usual"_s}, 100);
        Batch batch(u"a? b?"_s);
        const QueueTrouble one = queues.judge(batch.requests, batch.answers, {});
        QCOMPARE(one.away.size(), 1);
        QVERIFY(one.away.first().error.hint.contains(u"those of other queues go on"_s));
        batch.answers.last().isOfAll = true;
        batch.answers.last().detail = u"asynq:queues is away"_s;
        const QueueTrouble all = queues.judge(batch.requests, batch.answers, {});
        QCOMPARE(all.away.size(), 1);
        QCOMPARE(all.away.first().error.kind, Error::Kind::Unreachable);
        QCOMPARE(all.away.first().error.text, u"asynq:queues is away"_s);
        QVERIFY(all.away.first().error.hint.endsWith(u"All rows wait"_s));
    }

    void answersThatDoNotFitTheBatchTellNothing()
    {
        BrokenQueues queues(QueueName{u"usual"_s}, 100);
        const BrokenQueues::Time now{1h};
        const Batch batch(u"a! b"_s);
        QVERIFY(!queues.judge(batch.requests, batch.answers.first(1), now).broken);
        QVERIFY(queues.leftOut(now).isEmpty());
    }
};

} // namespace tst_brokenqueues

OUTBOX_TEST(tst_brokenqueues::TestBrokenQueues)
#include "tst_brokenqueues.moc"
