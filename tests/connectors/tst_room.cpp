// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A room runs jobs in its own thread, drops what is queued when it closes, and an answer dies with
// the one who asked.
#include "connectors/answer.h"
#include "connectors/room.h"
#include "tests/support/patience.h"

#include <QSignalSpy>
#include <QTest>

#include <atomic>
#include <chrono>
#include <memory>
#include <semaphore>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

std::atomic_int living{0};

/// Counts its lives; a job of it blocks until the test lets it go.
struct Bench
{
    Bench() { ++living; }
    ~Bench() { --living; }
    void interrupt() noexcept { interrupted = true; }
    Qt::HANDLE home = QThread::currentThreadId();
    static inline std::atomic_bool interrupted{false};
};

} // namespace

class TestRoom : public QObject
{
    Q_OBJECT

private slots:
    void jobsRunInTheThreadThatMadeTheResource()
    {
        Room<Bench> room(u"bench"_s);
        auto future
            = room.run([](Bench &bench) { return bench.home == QThread::currentThreadId(); });
        future.waitForFinished();
        QVERIFY(future.result());
        auto elsewhere = room.run([](Bench &) { return QThread::currentThreadId(); });
        elsewhere.waitForFinished();
        QVERIFY(elsewhere.result() != QThread::currentThreadId());
    }

    void closingDropsQueuedJobsAndTheResource()
    {
        std::binary_semaphore started{0};
        std::binary_semaphore never{0};
        std::atomic_int ran{0};
        QFuture<int> last;
        {
            Room<Bench> room(u"bench"_s);
            room.run([&](Bench &) {
                started.release();
                // Longer than the destructor needs to begin; it waits for the job in hand.
                return never.try_acquire_for(std::chrono::milliseconds(300)) ? 0 : ++ran;
            });
            for (int i = 0; i < 20; ++i)
                last = room.run([&](Bench &) { return ++ran; });
            started.acquire();
            QCOMPARE(living.load(), 1);
        }
        QCOMPARE(living.load(), 0);
        QCOMPARE(ran.load(), 1);
        QVERIFY(last.isCanceled());
    }

    void anAnswerDiesWithTheAsker()
    {
        Room<Bench> room(u"bench"_s);
        int answers = 0;
        {
            QObject asker;
            for (int i = 0; i < 50; ++i)
                answerTo(&asker, room.run([](Bench &) { return 1; }), [&](int) { ++answers; });
        }
        QObject witness;
        bool done = false;
        answerTo(&witness, room.run([](Bench &) { return 1; }), [&](int) { done = true; });
        QTRY_VERIFY(done);
        QCOMPARE(answers, 0);
    }

    void theOwnerCanInterruptAResource()
    {
        Room<Bench> room(u"bench"_s);
        room.run([](Bench &) { return 1; }).waitForFinished();
        Bench::interrupted = false;
        room.interrupt();
        QVERIFY(Bench::interrupted);
    }
};

QTEST_GUILESS_MAIN(TestRoom)
#include "tst_room.moc"
