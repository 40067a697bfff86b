// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The server of a queue is checked before and behind each batch.
#include "app/relay/checkedtaskqueue.h"

#include "tests/support/scriptedqueue.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_checkedtaskqueue {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;
using Kind = Error::Kind;

class TestCheckedTaskQueue : public QObject
{
    Q_OBJECT

    static Result<void> result(bool isWell, Kind kind)
    {
        return isWell ? Result<void>() : fail(kind, u"checking"_s, u"another server"_s);
    }

private slots:
    void whatIsNotCheckedIsNotSent_data()
    {
        QTest::addColumn<bool>("isWellBefore");
        QTest::addColumn<bool>("isSentWell");
        QTest::addColumn<bool>("isWellBehind");
        QTest::addColumn<QStringList>("calls");
        QTest::addColumn<int>("error"); ///< -1: none
        const QStringList sent{u"before"_s, u"enqueue 2"_s};
        QTest::newRow("all is well")
            << true << true << true << sent + QStringList{u"behind"_s} << -1;
        QTest::newRow("not before")
            << false << true << true << QStringList{u"before"_s} << int(Kind::Refused);
        QTest::newRow("not sent") << true << false << true << sent << int(Kind::Timeout);
        QTest::newRow("not behind")
            << true << true << false << sent + QStringList{u"behind"_s} << int(Kind::Unreachable);
    }

    void whatIsNotCheckedIsNotSent()
    {
        QFETCH(bool, isWellBefore);
        QFETCH(bool, isSentWell);
        QFETCH(bool, isWellBehind);
        QFETCH(QStringList, calls);
        QFETCH(int, error);
        ScriptedQueue queue;
        if (!isSentWell)
            queue.failure = Error{Kind::Timeout, u"enqueueing"_s, u"too late"_s, {}, {}};
        CheckedTaskQueue checked(
            queue,
            [&] {
                queue.calls += u"before"_s;
                return result(isWellBefore, Kind::Refused);
            },
            [&] {
                queue.calls += u"behind"_s;
                return result(isWellBehind, Kind::Unreachable);
            });
        const auto answers = checked.enqueue(requestsTo({u"a"_s, u"b"_s}));
        QCOMPARE(answers ? -1 : int(answers.error().kind), error);
        QCOMPARE(queue.calls, calls);
        QCOMPARE(checked.lastQueues().size(), isWellBefore ? 2 : 0);
    }

    void knowsTheQueuesOfTheLastBatch()
    {
        ScriptedQueue queue;
        const auto isWell = [] { return Result<void>(); };
        CheckedTaskQueue checked(queue, isWell, isWell);
        QVERIFY(checked.enqueue(requestsTo({u"a"_s, u"b"_s, u"a"_s})));
        QCOMPARE(checked.lastQueues(), (QSet{QueueName{u"a"_s}, QueueName{u"b"_s}}));
        QVERIFY(checked.enqueue(requestsTo({u"c"_s})));
        QCOMPARE(checked.lastQueues(), QSet{QueueName{u"c"_s}});
    }

    void handsOnEverythingElse()
    {
        ScriptedQueue queue;
        const auto isWell = [] { return Result<void>(); };
        CheckedTaskQueue checked(queue, isWell, isWell);
        QCOMPARE(notHandedOn(checked, queue), QString());
    }
};

} // namespace tst_checkedtaskqueue

OUTBOX_TEST(tst_checkedtaskqueue::TestCheckedTaskQueue)
#include "tst_checkedtaskqueue.moc"
