// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A job goes on slice by slice, rests in between, and tells nothing of a run that was stopped.
#include "app/system/jobs/slicedjob.h"
#include "tests/support/patience.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <atomic>
#include <functional>

namespace tst_slicedjob {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

/// Counts the slices since it was closed last.
struct SliceCounter
{
    int slices = 0;
    void close() { slices = 0; }
};

/// Of a server that may stand still: a slice waits until it is interrupted.
struct StandingServer
{
    std::atomic<int> *interrupts = nullptr;
    std::atomic<bool> isInterrupted = false;
    void close() { }
    void interrupt() noexcept
    {
        isInterrupted = true;
        isInterrupted.notify_all();
        if (interrupts)
            ++*interrupts;
    }
};

int nextSlice(SliceCounter &counter)
{
    return ++counter.slices;
}

} // namespace

class TestSlicedJob : public QObject
{
    Q_OBJECT

private slots:
    void slicesComeOneAfterTheOther()
    {
        SlicedJob<SliceCounter> job(u"test"_s);
        QList<int> taken;
        const std::function<void()> next = [&] {
            job.ask(nextSlice, [&](int slice) {
                taken += slice;
                if (slice < 3)
                    return job.rest(1, next);
                job.stop();
            });
        };
        job.start();
        QVERIFY(job.isRunning());
        next();
        QTRY_COMPARE(taken, (QList<int>{1, 2, 3}));
        QVERIFY(!job.isRunning());
    }

    void aRunThatWasStoppedTellsNothing()
    {
        SlicedJob<SliceCounter> job(u"test"_s);
        QList<int> older;
        QList<int> newer;
        bool hasRested = false;
        job.start();
        const quint64 run = job.run();
        job.ask(nextSlice, [&](int slice) { older += slice; });
        job.rest(1, [&] { hasRested = true; });
        job.start();
        QVERIFY(job.run() != run);
        job.ask(nextSlice, [&](int slice) { newer += slice; });
        QTRY_COMPARE(newer, QList<int>{1}); // its session was closed in between
        bool hasRestedSince = false;
        job.rest(5, [&] { hasRestedSince = true; });
        QTRY_VERIFY(hasRestedSince);
        QVERIFY(older.isEmpty());
        QVERIFY(!hasRested);
    }

    void onlyASliceThatIsUnderWayIsInterrupted()
    {
        std::atomic<int> interrupts = 0;
        SlicedJob<StandingServer> job(u"test"_s);
        bool hasAnswered = false;
        job.start();
        job.ask(
            [&](StandingServer &server) {
                server.interrupts = &interrupts;
                return true;
            },
            [&](bool) { hasAnswered = true; });
        QTRY_VERIFY(hasAnswered);
        job.stop(); // at rest: its session ends by itself
        QCOMPARE(interrupts.load(), 0);
        std::atomic<bool> hasBegun = false;
        job.start();
        job.ask(
            [&](StandingServer &server) {
                hasBegun = true;
                server.isInterrupted.wait(false);
                return true;
            },
            [](bool) {});
        QTRY_VERIFY(hasBegun.load());
        job.stop();
        QCOMPARE(interrupts.load(), 1);
    }

    void nothingIsAskedWhereNoneRuns()
    {
        SlicedJob<SliceCounter> job(u"test"_s);
        QList<int> taken;
        const auto take = [&](int slice) { taken += slice; };
        job.ask(nextSlice, take);
        job.start();
        job.ask(nextSlice, take);
        QTRY_COMPARE(taken.size(), 1);
        QCOMPARE(taken.constFirst(), 1); // the room had run none before
        job.stop();
        job.ask(nextSlice, take);
        QCOMPARE(taken.size(), 1);
    }
};

} // namespace tst_slicedjob

OUTBOX_TEST(tst_slicedjob::TestSlicedJob)
#include "tst_slicedjob.moc"
