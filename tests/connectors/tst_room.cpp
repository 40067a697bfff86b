// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A room runs jobs in its own thread, drops what is queued when it closes, and an answer dies with
// the one who asked.
#include "connectors/answer.h"
#include "connectors/room.h"
#include "tests/support/patience.h"
#include "tests/support/testprogram.h"

#include <QSignalSpy>
#include <QTest>

#include <atomic>
#include <chrono>
#include <memory>
#include <semaphore>

namespace tst_room {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

std::atomic_int living{0};

/// Counts its lives; a job of it blocks until the test lets it go.
struct Owned
{
    Owned() { ++living; }
    ~Owned() { --living; }
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
        Room<Owned> room(u"fixture"_s);
        auto future
            = room.run([](Owned &fixture) { return fixture.home == QThread::currentThreadId(); });
        future.waitForFinished();
        QVERIFY(future.result());
        auto elsewhere = room.run([](Owned &) { return QThread::currentThreadId(); });
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
            Room<Owned> room(u"fixture"_s);
            room.run([&](Owned &) {
                started.release();
                // Longer than the destructor needs to begin; it waits for the job in hand.
                return never.try_acquire_for(std::chrono::milliseconds(300)) ? 0 : ++ran;
            });
            for (int i = 0; i < 20; ++i)
                last = room.run([&](Owned &) { return ++ran; });
            started.acquire();
            QCOMPARE(living.load(), 1);
        }
        QCOMPARE(living.load(), 0);
        QCOMPARE(ran.load(), 1);
        QVERIFY(last.isCanceled());
    }

    void anAnswerDiesWithTheAsker()
    {
        Room<Owned> room(u"fixture"_s);
        int answers = 0;
        {
            QObject asker;
            for (int i = 0; i < 50; ++i)
                answerTo(&asker, room.run([](Owned &) { return 1; }), [&](int) { ++answers; });
        }
        QObject witness;
        bool done = false;
        answerTo(&witness, room.run([](Owned &) { return 1; }), [&](int) { done = true; });
        QTRY_VERIFY(done);
        QCOMPARE(answers, 0);
    }

    void theOwnerCanInterruptAResource()
    {
        Room<Owned> room(u"fixture"_s);
        room.run([](Owned &) { return 1; }).waitForFinished();
        Owned::interrupted = false;
        room.interrupt();
        QVERIFY(Owned::interrupted);
    }
};

} // namespace tst_room

OUTBOX_TEST(tst_room::TestRoom)
#include "tst_room.moc"
