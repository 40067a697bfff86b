// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rates from counts: what comes in, what goes out, for how long it has been growing, and gaps.
#include "models/system/historybuffer.h"
#include "models/system/systemhistory.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_systemhistory {

using namespace outbox;

namespace {

const QDateTime start = QDateTime::fromSecsSinceEpoch(1'795'000'000, Qt::UTC);

OutboxSnapshot rows(qint64 pending, double oldest = 0)
{
    OutboxSnapshot snapshot;
    snapshot.pending = pending;
    snapshot.locked = 0;
    snapshot.oldestPendingSeconds = oldest;
    return snapshot;
}

QList<QueueSnapshot> tasks(qint64 pending, qint64 processed)
{
    QueueSnapshot snapshot;
    snapshot.pending = pending;
    snapshot.processedTotal = processed;
    snapshot.failedTotal = 0;
    return {snapshot};
}

} // namespace

class TestSystemHistory : public QObject
{
    Q_OBJECT

private slots:
    void knowsNoRateAfterOneLook()
    {
        SystemHistory history;
        history.addOutbox(start, rows(10));
        history.addQueues(start, tasks(10, 0));
        QVERIFY(!history.series(Measure::In).latest());
        QVERIFY(!history.series(Measure::Out).latest());
        QVERIFY(!history.growingSeconds(start));
    }

    void measuresASteadyFlow()
    {
        SystemHistory history; // 80/s leave, and the outbox gains 20/s
        for (int second = 0; second < 30; ++second) {
            history.addOutbox(start.addSecs(second), rows(20 * second));
            history.addQueues(start.addSecs(second), tasks(10, 80 * second));
        }
        QVERIFY(qAbs(*history.series(Measure::Out).latest() - 80) < 1);
        QVERIFY(qAbs(*history.growthPerSecond() - 20) < 1);
        QVERIFY(*history.growingSeconds(start.addSecs(29)) > 20);
        QCOMPARE(*history.secondsSinceLeft(start.addSecs(29)), 0.0);
    }

    /// The queue is looked at now 100 ms, now 900 ms after the outbox, and 4,000 rows a second
    /// leave: from both together some hundred rows a second that nobody wrote were made up.
    void anOutboxThatEmptiesInventsNoArrivals()
    {
        SystemHistory history;
        for (int second = 0; second < 20; ++second) {
            history.addOutbox(start.addSecs(second), rows(std::max(0, 50'000 - 4'000 * second)));
            const int at = 1000 * second + 100 + 800 * (second % 2);
            history.addQueues(start.addMSecs(at), tasks(10, std::min(50'000, 4 * at)));
            QVERIFY(!history.series(Measure::In).latest());
            QVERIFY(!history.growingSeconds(start.addSecs(second)));
        }
        OutboxSnapshot told = rows(0);
        told.inPerSecond = 20; // by the table
        history.addOutbox(start.addSecs(20), told);
        QCOMPARE(*history.series(Measure::In).latest(), 20.0);
    }

    void aBacklogThatWasNotCountedDoesNotSayThatItStands()
    {
        SystemHistory history;
        for (int second = 0; second < 20; ++second) {
            OutboxSnapshot capped = rows(20'001);
            capped.exact = false;
            capped.notes[QStringLiteral("pending")] = QStringLiteral("counting stopped");
            history.addOutbox(start.addSecs(second), capped);
        }
        QVERIFY(!history.growthPerSecond());
    }

    void tellsSinceWhenNothingLeft()
    {
        SystemHistory history;
        for (int second = 0; second < 60; ++second) {
            history.addOutbox(start.addSecs(second), rows(5 + second));
            history.addQueues(start.addSecs(second), tasks(3, 100));
        }
        QCOMPARE(*history.secondsSinceLeft(start.addSecs(59)), 59.0);
    }

    void tellsForHowLongTheSameRowIsTheOldest()
    {
        SystemHistory history;
        const auto look = [&](int second, std::optional<double> oldest) {
            OutboxSnapshot snapshot;
            snapshot.at = start.addSecs(second + 7); // the database's clock is not ours
            snapshot.pending = oldest ? 3 : 0;
            snapshot.oldestPendingSeconds = oldest;
            history.addOutbox(start.addSecs(second), snapshot);
            return history.headSeconds(start.addSecs(second));
        };
        QCOMPARE(look(0, 5.0), std::optional(0.0));
        QCOMPARE(look(20, 25.0), std::optional(20.0)); // the same row, 20 s older
        QCOMPARE(look(40, 45.001), std::optional(40.0));
        QCOMPARE(look(50, 30.0), std::optional(0.0)); // another one
        QCOMPARE(look(60, std::nullopt), std::nullopt);
        QCOMPARE(look(70, 1.0), std::optional(0.0));
    }

    void aSourceThatDidNotAnswerIsAGap()
    {
        SystemHistory history;
        history.addOutbox(start, rows(5));
        history.missOutbox(start.addSecs(1));
        QVERIFY(!history.series(Measure::Pending).latest());
        history.addOutbox(start.addSecs(2), rows(5));
        QCOMPARE(*history.series(Measure::Pending).latest(), 5.0);
    }

    /// In a chart of 24 hours the minutes, in one of an hour the seconds, and nothing of either is
    /// taken for a look of now.
    void keptPointsComeBeforeTheFirstLook()
    {
        HistoryBuffer buffer;
        for (int second = 0; second < 1'800; ++second)
            buffer.add(start.addSecs(second), Measure::Pending, second == 100 ? 900.0 : 4.0);
        buffer.add(start.addSecs(1'700), Measure::Out, 2.0);
        HistoryPoints kept = buffer.take();
        QCOMPARE(kept.of(HistoryTier::Second).size(), 1'800);
        const qint64 newest = start.toSecsSinceEpoch() + 1'200;
        kept.of(HistoryTier::Minute).removeIf([newest](const HistoryPoint &one) {
            return one.at + 60 > newest;
        });
        kept.of(HistoryTier::Second).removeIf([newest](const HistoryPoint &one) {
            return one.at < newest;
        });

        SystemHistory history;
        history.fillBefore(kept);
        const QDateTime later = start.addSecs(7'200);
        QVERIFY(!history.series(Measure::Pending).latest());
        QVERIFY(!history.secondsSinceLeft(later)); // no look of now has told
        QCOMPARE(history.series(Measure::Pending).largest(start, later), std::optional(900.0));
        QCOMPARE(history.longSeries(Measure::Pending).largest(start.addDays(-1), later),
                 std::optional(900.0));
        history.addOutbox(later, rows(5));
        QCOMPARE(*history.series(Measure::Pending).latest(), 5.0);
        QCOMPARE(history.series(Measure::Pending).segments(start.addDays(-1), later).size(), 2);
        QCOMPARE(*history.secondsSinceLeft(later), 0.0); // as without what was kept
    }

    /// Each once, in the order of time, whenever the file answers.
    void keptEventsComeBeforeThoseOfNow()
    {
        using Kind = HistoryEvent::Kind;
        const HistoryEvent before{start, Kind::Relay, QStringLiteral("Relay started here.")};
        const HistoryEvent now{start.addSecs(60), Kind::Relay,
                               QStringLiteral("Relay failed here.")};
        SystemHistory history;
        history.addEvent(now);
        HistoryPoints kept;
        kept.events = {before, now};
        history.fillBefore(kept);
        QCOMPARE(history.events(), (QList<HistoryEvent>{before, now}));
    }

    void eventsThatCannotBeToldApartAreOneMark()
    {
        using Kind = HistoryEvent::Kind;
        QList<HistoryEvent> events;
        for (const int second : {0, 2, 9, 10, 30})
            addInOrder(events, {start.addSecs(second), Kind::Operation, QStringLiteral("Done.")});
        const QDateTime end = start.addSecs(20);
        const QList<EventMark> marks = marksOf(events, start, end, 10'000);
        QCOMPARE(marks.size(), 2); // what is behind the end is in no mark
        QCOMPARE(marks.first().at(), start);
        const QString first = start.toLocalTime().toString(QStringLiteral("HH:mm:ss"));
        const QString last = start.addSecs(10).toLocalTime().toString(QStringLiteral("HH:mm:ss"));
        QCOMPARE(marks.first().title(end), first + QStringLiteral(" 3 events"));
        QCOMPARE(marks.first().lines(end).count(u'\n'), 3);
        QCOMPARE(marks.last().lines(end), last + QStringLiteral(" Done."));
        QCOMPARE(marksSentence(marks, end),
                 QStringLiteral("Events: %1 3 events, %2 Done").arg(first, last));
    }

    /// They may be of a clock that was wrong, or of another system at the same address.
    void keptPointsChangeNoSentence()
    {
        HistoryBuffer buffer;
        buffer.add(start.addSecs(-120), Measure::Out, 3.0);
        buffer.add(start.addSecs(-120), Measure::Lag, 7'200.0);
        SystemHistory history;
        OutboxSnapshot waiting = rows(5);
        waiting.lastLeftSeconds = 600;
        history.addOutbox(start, waiting);
        QCOMPARE(*history.secondsSinceLeft(start), 600.0);
        const auto worst = history.worstLag();
        history.fillBefore(buffer.take());
        QCOMPARE(*history.secondsSinceLeft(start), 600.0);
        QCOMPARE(history.worstLag(), worst);
        QVERIFY(!history.series(Measure::Out).latest());
    }

    void remembersTheWorstDelay()
    {
        SystemHistory history;
        history.addOutbox(start, rows(1, 41 * 60));
        history.addOutbox(start.addSecs(1), rows(1, 2));
        QCOMPARE(*history.worstLag(), 41 * 60.0);
        QCOMPARE(history.delaysSeenSince(), std::optional(start));
        OutboxSnapshot marked = rows(1, 2);
        marked.worstDelaySeconds = 103 * 60;
        history.addOutbox(start.addSecs(2), marked);
        history.addOutbox(start.addSecs(3), rows(1, 2)); // the table is not asked each time
        QCOMPARE(*history.worstDelay(), 103 * 60.0);
        QCOMPARE(*history.worstLag(), 41 * 60.0);
        QVERIFY(!history.delaysSeenSince());
    }
};

} // namespace tst_systemhistory

OUTBOX_TEST(tst_systemhistory::TestSystemHistory)
#include "tst_systemhistory.moc"
