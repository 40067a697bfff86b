// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The demo's queue drops one answer when it is asked to, and has a relay killed in mid-batch.
#include "app/demo/answerdroppingqueue.h"

#include "tests/support/scriptedqueue.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_answerdroppingqueue {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;
using Kind = Error::Kind;

class TestAnswerDroppingQueue : public QObject
{
    Q_OBJECT

private slots:
    void oneAnswerIsLostBehindTheEnqueue()
    {
        ScriptedQueue queue;
        AnswerDroppingQueue front;
        front.setQueue(queue);
        QVERIFY(front.enqueue(requestsTo({u"a"_s})));
        front.dropNextAnswer();
        const auto lost = front.enqueue(requestsTo({u"a"_s, u"b"_s}));
        QVERIFY(!lost);
        QCOMPARE(lost.error().kind, Kind::Timeout);
        QVERIFY(front.enqueue(requestsTo({u"a"_s})));
        QCOMPARE(queue.calls, (QStringList{u"enqueue 1"_s, u"enqueue 2"_s, u"enqueue 1"_s}));
    }

    void aRelayIsKilledOnceWhenItsBatchIsInTheQueue()
    {
        ScriptedQueue queue;
        AnswerDroppingQueue front;
        front.setQueue(queue);
        front.killInNextBatch([&queue](const Error &error) {
            queue.calls += u"cut off"_s;
            QCOMPARE(error.kind, Kind::Cancelled);
        });
        const auto lost = front.enqueue(requestsTo({u"a"_s}));
        QVERIFY(!lost);
        QCOMPARE(lost.error().kind, Kind::Unreachable);
        QVERIFY(front.enqueue(requestsTo({u"a"_s})));
        QCOMPARE(queue.calls, (QStringList{u"enqueue 1"_s, u"cut off"_s, u"enqueue 1"_s}));
    }

    void anErrorOfTheQueueIsNotHidden()
    {
        ScriptedQueue queue;
        queue.failure = Error{Kind::Refused, u"enqueueing"_s, u"read-only"_s, {}, {}};
        AnswerDroppingQueue front;
        front.setQueue(queue);
        front.dropNextAnswer();
        const auto refused = front.enqueue(requestsTo({u"a"_s}));
        QVERIFY(!refused);
        QCOMPARE(refused.error().kind, Kind::Refused);
        queue.failure.reset();
        QVERIFY(!front.enqueue(requestsTo({u"a"_s}))); // that answer is dropped
    }

    void anotherQueueBeginsWithNothingAsked()
    {
        ScriptedQueue first;
        ScriptedQueue second;
        AnswerDroppingQueue front;
        front.setQueue(first);
        bool isCut = false;
        front.dropNextAnswer();
        front.killInNextBatch([&isCut](const Error &) { isCut = true; });
        front.setQueue(second);
        QVERIFY(front.enqueue(requestsTo({u"a"_s})));
        QVERIFY(!isCut);
        QVERIFY(first.calls.isEmpty());
    }

    void handsOnEverythingElse()
    {
        ScriptedQueue queue;
        AnswerDroppingQueue front;
        front.setQueue(queue);
        QCOMPARE(notHandedOn(front, queue), QString());
    }
};

} // namespace tst_answerdroppingqueue

OUTBOX_TEST(tst_answerdroppingqueue::TestAnswerDroppingQueue)
#include "tst_answerdroppingqueue.moc"
