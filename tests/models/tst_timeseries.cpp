// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Samples keep their gaps and peaks when thinned; rates, ticks and the remembered system.
#include "models/system/axisticks.h"
#include "models/system/systemhistory.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_timeseries {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

const QDateTime start = QDateTime::fromSecsSinceEpoch(1'763'700'000);

qsizetype pointsOf(const QList<LineSegment> &segments)
{
    qsizetype points = 0;
    for (const LineSegment &segment : segments)
        points += segment.size();
    return points;
}

} // namespace

class TestTimeSeries : public QObject
{
    Q_OBJECT

private slots:
    void gapsSplitTheLine();
    void thinningKeepsPeaks();
    void columnsStayWhenTimeMovesOn();
    void ringForgetsTheOldest();
    void foldingKeepsPeaks();
    void whatWasBeforeEndsInAGap();
    void ratesNeverFallBelowZero();
    void ticksAreRound();
    void ticksOfManyDaysAreMidnights();
    void historyTellsInAndOut();
};

void TestTimeSeries::gapsSplitTheLine()
{
    TimeSeries series;
    for (int second = 0; second < 100; ++second) {
        if (second >= 40 && second < 60)
            continue; // nobody asked
        series.add(start.addSecs(second),
                   second == 80 ? std::nullopt : std::optional(1.0 * second));
    }
    const QList<LineSegment> lines = series.segments(start, start.addSecs(100));
    QCOMPARE(lines.size(), 3);
    QCOMPARE(lines.at(0).last().y(), 39.0);
    QCOMPARE(lines.at(1).first().y(), 60.0);
    QCOMPARE(lines.at(1).last().y(), 79.0);
    QCOMPARE(lines.at(2).first().y(), 81.0);
    QCOMPARE(series.largest(start, start.addSecs(50)), std::optional(39.0));
    series.add(start.addSecs(101), std::nullopt);
    QCOMPARE(series.latest(), std::nullopt);
}

void TestTimeSeries::thinningKeepsPeaks()
{
    TimeSeries series;
    for (int second = 0; second < 86'400; ++second)
        series.add(start.addSecs(second),
                   second == 50'001       ? 900.0
                       : second == 70'007 ? -5.0
                                          : 10.0);
    const QList<LineSegment> lines = series.segments(start, start.addSecs(86'400));
    QCOMPARE(lines.size(), 1);
    QVERIFY2(pointsOf(lines) <= 600, qPrintable(QString::number(pointsOf(lines))));
    double low = 10;
    double high = 10;
    for (const QPointF &point : lines.first()) {
        low = std::min(low, point.y());
        high = std::max(high, point.y());
    }
    QCOMPARE(high, 900.0);
    QCOMPARE(low, -5.0);
    for (qsizetype i = 1; i < lines.first().size(); ++i)
        QVERIFY(lines.first().at(i - 1).x() < lines.first().at(i).x());
}

void TestTimeSeries::columnsStayWhenTimeMovesOn()
{
    TimeSeries series;
    for (int second = 0; second < 7'200; ++second)
        series.add(start.addSecs(second), (second * 37) % 101);
    const LineSegment now = series.segments(start, start.addSecs(3'600)).first();
    const LineSegment later = series.segments(start.addSecs(1), start.addSecs(3'601)).first();
    qsizetype same = 0;
    for (const QPointF &point : now)
        same += later.contains(point) ? 1 : 0;
    // Only the columns cut at both ends may differ.
    QVERIFY2(same >= now.size() - 6, qPrintable(u"%1 of %2"_s.arg(same).arg(now.size())));
}

void TestTimeSeries::ringForgetsTheOldest()
{
    TimeSeries series(10);
    for (int second = 0; second < 25; ++second)
        series.add(start.addSecs(second), second);
    QCOMPARE(series.size(), 10);
    const QList<LineSegment> lines = series.segments(start, start.addSecs(60));
    QCOMPARE(lines.first().first().y(), 15.0);
    QCOMPARE(lines.first().last().y(), 24.0);
    series.add(start.addSecs(3), 1.0); // a clock was set back: what was seen last is the newest
    QCOMPARE(series.latest(), std::optional(1.0));
    QCOMPARE(series.size(), 10);
}

void TestTimeSeries::foldingKeepsPeaks()
{
    TimeSeries series(10'000, 900'000);
    for (int second = 0; second < 9'000; ++second)
        series.add(start.addSecs(second), second == 4'321 ? 900.0 : second == 4'400 ? -5.0 : 1.0);
    QVERIFY(series.size() <= 22); // ten quarters of an hour, or a part of an eleventh
    QCOMPARE(series.largest(start, start.addSecs(9'000)), std::optional(900.0));
    double lowest = 0;
    const QList<LineSegment> lines
        = series.segments(start.addSecs(-86'400), start.addSecs(7 * 86'400));
    QCOMPARE(lines.size(), 1);
    for (const QPointF &point : lines.first())
        lowest = std::min(lowest, point.y());
    QCOMPARE(lowest, -5.0);
}

void TestTimeSeries::whatWasBeforeEndsInAGap()
{
    const auto at
        = [](int second) { return static_cast<double>(start.addSecs(second).toMSecsSinceEpoch()); };
    TimeSeries series;
    series.fillBefore({{at(0), 1}, {at(1), 2}});
    QCOMPARE(series.latest(), std::nullopt); // nobody looked yet
    series.add(start.addSecs(600), 7.0);
    QCOMPARE(series.segments(start, start.addSecs(900)).size(), 2);
    QCOMPARE(series.latest(), std::optional(7.0));

    TimeSeries looked(3);
    looked.add(start.addSecs(10), 7.0);
    looked.fillBefore({{at(7), 1}, {at(8), 2}, {at(9), 3}, {at(10), 4}, {at(11), 5}});
    QCOMPARE(looked.size(), 3);
    QCOMPARE(looked.latest(), std::optional(7.0)); // what was looked at stays as it was
    QCOMPARE(looked.largest(start, start.addSecs(9)), std::optional(3.0));
    looked.add(start.addSecs(11), 8.0);
    QCOMPARE(looked.size(), 3);
    QCOMPARE(looked.latest(), std::optional(8.0));
}

void TestTimeSeries::ratesNeverFallBelowZero()
{
    CounterRate rate(10'000);
    QCOMPARE(rate.add(start, 100), std::nullopt);
    QCOMPARE(rate.add(start.addSecs(1), 150), std::optional(50.0));
    QCOMPARE(rate.add(start.addSecs(2), 0), std::optional(0.0));
    QCOMPARE(rate.add(start.addSecs(3), std::nullopt), std::nullopt);
    QCOMPARE(rate.add(start.addSecs(4), 7), std::nullopt);
    QCOMPARE(rate.add(start.addSecs(5), 8), std::optional(1.0));
}

void TestTimeSeries::ticksAreRound()
{
    const QList<Tick> counts = valueTicks(511.9, AxisUnit::Count, 4);
    QCOMPARE(counts.first().value, 0.0);
    QCOMPARE(counts.last().value, 600.0);
    QCOMPARE(counts.at(1).label, u"200"_s);
    QCOMPARE(valueTicks(0, AxisUnit::Seconds, 4).last().value, 1.0);
    QCOMPARE(valueTicks(5'000, AxisUnit::Seconds, 4).last().label, u"1.5 h"_s);
    const QList<Tick> times = timeTicks(start, start.addSecs(900), 6);
    QVERIFY(times.size() >= 2 && times.size() <= 8);
    for (const Tick &tick : times)
        QCOMPARE(static_cast<qint64>(tick.value) % 60'000, 0);
    QCOMPARE(trendText(u"pending"_s, u"412"_s, 412, 900), u"pending 412, falling"_s);
}

void TestTimeSeries::ticksOfManyDaysAreMidnights()
{
    for (const int days : {7, 30}) {
        const QList<Tick> times = timeTicks(start, start.addDays(days), 8);
        QVERIFY(times.size() >= 4 && times.size() <= 10);
        for (const Tick &tick : times) {
            const auto at = QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(tick.value));
            QCOMPARE(at, at.date().startOfDay());
            QCOMPARE(tick.label, at.toString(u"MM-dd"_s));
        }
    }
}

void TestTimeSeries::historyTellsInAndOut()
{
    SystemHistory history;
    for (int second = 0; second <= 30; ++second) {
        const QDateTime at = start.addSecs(second);
        OutboxSnapshot rows;
        rows.pending = 100 + 20 * second; // 20/s more come than go
        rows.oldestPendingSeconds = second;
        rows.inPerSecond = 100;
        history.addOutbox(at, rows);
        QueueSnapshot queue;
        queue.pending = 10 * second; // the workers manage 70 of 80 a second
        queue.processedTotal = 70 * second;
        queue.failedTotal = 0;
        history.addQueues(at, {queue});
    }
    QCOMPARE(history.series(Measure::Out).latest(), std::optional(80.0));
    QCOMPARE(history.series(Measure::In).latest(), std::optional(100.0));
    QCOMPARE(history.worstLag(), std::optional(30.0));
    history.missQueues(start.addSecs(31));
    QCOMPARE(history.series(Measure::Out).latest(), std::nullopt);
    QCOMPARE(history.series(Measure::QueueDepth).latest(), std::nullopt);
}

} // namespace tst_timeseries

OUTBOX_TEST(tst_timeseries::TestTimeSeries)
#include "tst_timeseries.moc"
