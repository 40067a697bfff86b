// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every answer of the queue leads to the decision of asynq-protocol 10.3, and none gives up a row
// unless the very same message is known to be in the queue.
#include "models/message/rowverdict.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_relayverdict {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;
using Act = RowVerdict::Act;
using Kind = EnqueueAnswer::Kind;

class TestRelayVerdict : public QObject
{
    Q_OBJECT

private slots:
    void followsTheTable_data()
    {
        QTest::addColumn<EnqueueAnswer>("answer");
        QTest::addColumn<Act>("act");
        QTest::newRow("stored") << EnqueueAnswer{Kind::Stored} << Act::Deliver;
        const QList<std::pair<TaskState, Act>> same{{TaskState::Pending, Act::AlreadyQueued},
                                                    {TaskState::Active, Act::AlreadyQueued},
                                                    {TaskState::Scheduled, Act::AlreadyQueued},
                                                    {TaskState::Retry, Act::AlreadyQueued},
                                                    {TaskState::Aggregating, Act::AlreadyQueued},
                                                    {TaskState::Completed, Act::AlreadyDone},
                                                    {TaskState::Archived, Act::DeadInQueue},
                                                    {TaskState::None, Act::RollBack},
                                                    {TaskState::Stub, Act::RollBack}};
        for (const auto &[state, act] : same) {
            QTest::addRow("%s, same", qPrintable(word(state)))
                << EnqueueAnswer{Kind::Exists, state, true} << act;
            if (act != Act::RollBack)
                QTest::addRow("%s, other message", qPrintable(word(state)))
                    << EnqueueAnswer{Kind::Exists, state, false} << Act::Park;
        }
        for (const TaskState state : {TaskState::Stub, TaskState::Orphan, TaskState::WrongType})
            QTest::addRow("damaged: %s", qPrintable(word(state)))
                << EnqueueAnswer{Kind::Damaged, state} << Act::Park;
        QTest::newRow("not fit to be sent")
            << EnqueueAnswer{Kind::Invalid, TaskState::None, false, false, u"blank type"_s}
            << Act::Park;
        QTest::newRow("refused by the server")
            << EnqueueAnswer{Kind::Rejected, TaskState::None, false, false, u"ERR"_s}
            << Act::ParkAfterTries;
        QTest::newRow("a broken queue")
            << EnqueueAnswer{Kind::QueueBroken, TaskState::None, false, false, u"WRONGTYPE"_s}
            << Act::WaitForQueue;
        QTest::newRow("a queue that is away")
            << EnqueueAnswer{Kind::QueueAway, TaskState::None, false, false, u"TRYAGAIN"_s}
            << Act::WaitForQueue;
    }

    void followsTheTable()
    {
        QFETCH(EnqueueAnswer, answer);
        QFETCH(Act, act);
        const RowVerdict verdict = verdictOn({u"7"_s}, answer);
        QCOMPARE(verdict.act, act);
        const bool keeps = act == Act::Park || act == Act::ParkAfterTries
            || act == Act::WaitForQueue || act == Act::RollBack;
        QCOMPARE(!verdict.reason.isEmpty(), keeps);
        QCOMPARE(verdict.proof.has_value(), !keeps);
        if (verdict.proof)
            QCOMPARE(verdict.proof->row().text, u"7"_s);
    }
};

} // namespace tst_relayverdict

OUTBOX_TEST(tst_relayverdict::TestRelayVerdict)
#include "tst_relayverdict.moc"
