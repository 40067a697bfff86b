// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rates from counts: what comes in, what goes out, and for how long it has been growing.
#include "app/system/flowmeter.h"

#include <QTest>

using namespace outbox;

namespace {

OutboxSnapshot rows(qint64 pending, double oldest = 0)
{
    OutboxSnapshot snapshot;
    snapshot.pending = pending;
    snapshot.locked = 0;
    snapshot.oldestPendingSeconds = oldest;
    return snapshot;
}

QueueSnapshot tasks(qint64 pending, qint64 processed)
{
    QueueSnapshot snapshot;
    snapshot.pending = pending;
    snapshot.processedTotal = processed;
    snapshot.failedTotal = 0;
    return snapshot;
}

} // namespace

class TestFlowMeter : public QObject
{
    Q_OBJECT

private slots:
    void knowsNothingAfterOneLook()
    {
        FlowMeter flow;
        flow.outboxSeen(rows(10), 0);
        flow.queueSeen(tasks(10, 0), 0);
        QVERIFY(!flow.inPerSecond());
        QVERIFY(!flow.outPerSecond());
    }

    void measuresASteadyFlow()
    {
        FlowMeter flow; // 100/s arrive, 80/s leave: the outbox gains 20/s
        for (int second = 0; second < 30; ++second) {
            flow.outboxSeen(rows(20 * second), second);
            flow.queueSeen(tasks(10, 80 * second), second);
        }
        QVERIFY(qAbs(*flow.outPerSecond() - 80) < 1);
        QVERIFY(qAbs(*flow.inPerSecond() - 100) < 1);
        QVERIFY(*flow.growingSeconds(29) > 25);
        QCOMPARE(*flow.secondsSinceLeft(29), 0.0);
    }

    void tellsSinceWhenNothingLeft()
    {
        FlowMeter flow;
        for (int second = 0; second < 60; ++second) {
            flow.outboxSeen(rows(5 + second), second);
            flow.queueSeen(tasks(3, 100), second);
        }
        QVERIFY(*flow.secondsSinceLeft(59) >= 58);
    }

    void aGapInTheLooksIsNoRate()
    {
        FlowMeter flow;
        flow.queueSeen(tasks(0, 0), 0);
        flow.queueSeen(tasks(0, 1'000'000), 3600);
        QVERIFY(!flow.outPerSecond());
    }

    void aPurgeIsNoNegativeDelivery()
    {
        FlowMeter flow;
        flow.queueSeen(tasks(1000, 0), 0);
        flow.queueSeen(tasks(0, 0), 1);
        QCOMPARE(*flow.outPerSecond(), 0.0);
    }

    void remembersTheWorstDelay()
    {
        FlowMeter flow;
        flow.outboxSeen(rows(1, 41 * 60), 0);
        flow.outboxSeen(rows(1, 2), 1);
        QCOMPARE(*flow.worstRelayDelaySeconds(), 41 * 60.0);
    }
};

QTEST_GUILESS_MAIN(TestFlowMeter)
#include "tst_flowmeter.moc"
