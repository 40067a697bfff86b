// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the reconciler decides, without servers: the 72 combinations of status, queue and provider,
// the conditions, and how each damage is repaired beside each row.
#include "app/operations/core/rowselection.h"
#include "app/operations/core/traces.h"
#include "app/operations/reconcile/reconciler.h"
#include "app/operations/reconcile/reconcile.h"
#include "app/operations/reconcile/repairchoice.h"
#include "models/operations/effectdecision.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <array>

namespace tst_reconcilerules {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestReconcileRules : public QObject
{
    Q_OBJECT

    static constexpr std::array statuses{EffectStatus::Queued, EffectStatus::Processing,
                                         EffectStatus::Failed, EffectStatus::Sent};
    static constexpr std::array tasks{EffectTask::Absent,   EffectTask::Waiting,
                                      EffectTask::Active,   EffectTask::Retry,
                                      EffectTask::Archived, EffectTask::Completed};
    static constexpr std::array providers{ProviderAnswer::Delivered, ProviderAnswer::Unknown,
                                          ProviderAnswer::NotFound};

    static asynq::TaskFacts facts(TaskState state, const QByteArray &word)
    {
        asynq::TaskFacts facts;
        facts.id = "7";
        facts.keyType = "hash";
        facts.messageBytes = 9;
        facts.digest = "d";
        facts.state = word;
        if (state != TaskState::None)
            facts.places = {asynq::Place{state, "1", {}}};
        return facts;
    }

    static RepairTerms withRow(MessageState state, bool same = true)
    {
        RepairTerms terms;
        terms.rowsRead = true;
        terms.row.emplace();
        terms.row->state = state;
        terms.isSameMessage = same;
        return terms;
    }

    static RepairTerms withoutRow()
    {
        RepairTerms terms;
        terms.rowsRead = true;
        return terms;
    }

    static QSet<FindingKind> kindsOf(const QList<Finding> &findings)
    {
        QSet<FindingKind> kinds;
        for (const Finding &finding : findings)
            kinds += finding.kind;
        return kinds;
    }

private slots:
    void everyCombinationHasItsDecision()
    {
        using enum EffectDecision;
        // One line for each task, one column for each provider, of a message that is not sent …
        constexpr std::array<std::array<EffectDecision, 3>, 6> unsent{{
            {SetSent, AskOperator, EnqueueAgain}, // absent
            {Wait, Wait, Wait}, // waiting
            {HandsOff, HandsOff, HandsOff}, // active
            {Wait, Wait, Wait}, // retry
            {SetSent, AskOperator, RunArchived}, // archived
            {SetSent, SetSent, AlarmNoEffect}, // completed
        }};
        // … and of one that is.
        constexpr std::array<std::array<EffectDecision, 3>, 6> sent{{
            {Fine, Fine, AlarmNeverSent},
            {Wait, Wait, Wait},
            {HandsOff, HandsOff, HandsOff},
            {Wait, Wait, Wait},
            {Fine, Fine, AlarmNeverSent},
            {Fine, Fine, AlarmNeverSent},
        }};
        int combinations = 0;
        for (const EffectStatus status : statuses) {
            const auto &table = status == EffectStatus::Sent ? sent : unsent;
            for (std::size_t task = 0; task < tasks.size(); ++task) {
                for (std::size_t provider = 0; provider < providers.size(); ++provider) {
                    const EffectDecision decision
                        = decideEffect(status, tasks.at(task), providers.at(provider));
                    const QString which
                        = u"status %1, task %2, provider %3"_s.arg(static_cast<int>(status))
                              .arg(task)
                              .arg(provider);
                    QVERIFY2(decision == table.at(task).at(provider), qPrintable(which));
                    QVERIFY(!textOf(decision).isEmpty());
                    ++combinations;
                }
            }
        }
        QCOMPARE(combinations, 72);
    }

    void damagedTasksProveNothing()
    {
        for (const TaskState state : {TaskState::None, TaskState::Stub, TaskState::Orphan})
            QVERIFY(effectTaskOf(state) == EffectTask::Absent);
        QVERIFY(effectTaskOf(TaskState::Aggregating) == EffectTask::Waiting);
    }

    void aSoundSystemHasNoCondition()
    {
        ConditionFacts facts;
        facts.queues = {{u"default"_s}};
        facts.servedQueues = {u"default"_s};
        facts.databaseOffset = 1.9;
        facts.redisOffset = 0.1;
        facts.redis = RedisMark{u"a"_s, 60};
        facts.redisBefore = RedisMark{u"a"_s, 100'000}; // a purge
        facts.shortestRetention = 86'400;
        QCOMPARE(conditionsOf(facts), QList<Finding>());
        facts.redisBefore = RedisMark{u"b"_s, 100}; // restarted, with its data
        QCOMPARE(conditionsOf(facts), QList<Finding>());
    }

    void everyConditionIsToldApart()
    {
        ConditionFacts facts;
        facts.queues = {{u"default"_s}};
        QCOMPARE(kindsOf(conditionsOf(facts)), QSet{FindingKind::ServedByNobody});
        facts.servedQueues = {u"default"_s};
        facts.shortestRetention = 60;
        QCOMPARE(kindsOf(conditionsOf(facts)), QSet{FindingKind::ShortRetention});
        facts.shortestRetention = -1;
        facts.retentionSeconds = 0;
        QCOMPARE(kindsOf(conditionsOf(facts)), QSet{FindingKind::ShortRetention});
        facts.retentionSeconds = 86'400;
        facts.redis = RedisMark{u"b"_s, 40};
        facts.redisBefore = RedisMark{u"a"_s, 100};
        QCOMPARE(kindsOf(conditionsOf(facts)), QSet{FindingKind::RedisLostData});
        facts.redis = RedisMark{u"a"_s, 0}; // FLUSHALL, without a restart
        QCOMPARE(kindsOf(conditionsOf(facts)), QSet{FindingKind::RedisLostData});
        facts.redis.reset();
        facts.databaseOffset = -1.5;
        facts.redisOffset = 1.5; // each within bounds, but not against each other
        QCOMPARE(kindsOf(conditionsOf(facts)), QSet{FindingKind::ClockSkew});
    }

    void theOnlyCopyIsNeverDropped()
    {
        using enum TaskState;
        const auto orphan = facts(None, "pending");
        QVERIFY(repairFor(FindingKind::OrphanHash, orphan, withoutRow()).repair
                == Repair::Reattach);
        QVERIFY(repairFor(FindingKind::OrphanHash, orphan, withRow(MessageState::Processed)).repair
                == Repair::Reattach);
        QVERIFY(
            repairFor(FindingKind::OrphanHash, orphan, withRow(MessageState::Pending, false)).repair
            == Repair::Reattach);
        const auto replaced
            = repairFor(FindingKind::OrphanHash, orphan, withRow(MessageState::Pending));
        QVERIFY(replaced.repair == Repair::Drop);
        QVERIFY(replaced.expected == Outcome::Done);
    }

    void aRowThatTheRelaySkipsReplacesNothing()
    {
        for (const MessageState state :
             {MessageState::Waiting, MessageState::Failed, MessageState::Parked}) {
            const auto orphan = facts(TaskState::None, "pending");
            for (const FindingKind kind : {FindingKind::OrphanHash, FindingKind::TrimmedOrphan})
                QVERIFY(repairFor(kind, orphan, withRow(state)).repair == Repair::Reattach);
            const auto over = facts(TaskState::Completed, "completed");
            QVERIFY(repairFor(FindingKind::ExpiredNotPurged, over, withRow(state)).repair
                    == Repair::None);
            for (const FindingKind kind : {FindingKind::StubHash, FindingKind::Undecodable}) {
                const auto left = repairFor(kind, orphan, withRow(state));
                QVERIFY(left.repair == Repair::None && left.expected == Outcome::NotOffered);
                QVERIFY2(left.reason.contains(label(state).toLower()), qPrintable(left.reason));
            }
        }
        RepairTerms elsewhere = withRow(MessageState::Pending);
        elsewhere.goesElsewhere = true;
        QVERIFY(
            repairFor(FindingKind::OrphanHash, facts(TaskState::None, "pending"), elsewhere).repair
            == Repair::Reattach);
        for (const FindingKind kind : {FindingKind::StubHash, FindingKind::Undecodable}) {
            const auto left = repairFor(kind, facts(TaskState::Pending, "pending"), elsewhere);
            QVERIFY(left.repair == Repair::None);
            QVERIFY(left.reason.contains(u"another queue"_s));
        }
    }

    void whatMayHaveRunNeedsConsent()
    {
        const auto half = facts(TaskState::None, "active");
        QVERIFY(repairFor(FindingKind::OrphanHash, half, withRow(MessageState::Pending)).expected
                == Outcome::SecondExecution);
        const auto active = facts(TaskState::Active, "active");
        QVERIFY(repairFor(FindingKind::ActiveWithoutLease, active, withoutRow()).expected
                == Outcome::SecondExecution);
    }

    void whatOthersHoldIsLeftAlone()
    {
        const auto stub = facts(TaskState::Pending, "pending");
        for (const FindingKind kind : {FindingKind::StubHash, FindingKind::OrphanHash,
                                       FindingKind::TwoContainers, FindingKind::Undecodable}) {
            QVERIFY(repairFor(kind, stub, withRow(MessageState::Locked)).expected
                    == Outcome::Claimed);
        }
        RepairTerms runs = withoutRow();
        runs.runsNow = true;
        QVERIFY(repairFor(FindingKind::ActiveWithoutLease, stub, runs).expected
                == Outcome::InFlight);
        RepairTerms served = withoutRow();
        served.isServed = true;
        QVERIFY(repairFor(FindingKind::LeaseNobodyRecovers, stub, served).expected
                == Outcome::NotOffered);
        QVERIFY(repairFor(FindingKind::WrongType, stub, withoutRow()).expected
                == Outcome::NotOffered);
    }

    void rowsThatWereNotReadDecideNothing()
    {
        const auto stub = facts(TaskState::Pending, "pending");
        QVERIFY(repairFor(FindingKind::StubHash, stub, {}).expected == Outcome::Unknown);
        QVERIFY(repairFor(FindingKind::StateDiffers, stub, {}).expected == Outcome::Done);
    }

    void aPendingRowKeepsItsExpiredTask()
    {
        const auto done = facts(TaskState::Completed, "completed");
        QVERIFY(
            repairFor(FindingKind::ExpiredNotPurged, done, withRow(MessageState::Pending)).expected
            == Outcome::NotOffered);
        QVERIFY(
            repairFor(FindingKind::ExpiredNotPurged, done, withRow(MessageState::Processed)).repair
            == Repair::Drop);
    }

    void twoListsNeedAStateThatNamesOne()
    {
        auto both = facts(TaskState::Retry, "retry");
        both.places += asynq::Place{TaskState::Completed, "2", {}};
        QVERIFY(repairFor(FindingKind::TwoContainers, both, withoutRow()).repair
                == Repair::RestoreStatus);
        both.state = "active";
        QVERIFY(repairFor(FindingKind::TwoContainers, both, withoutRow()).expected
                == Outcome::NotOffered);
    }

    void aQueueInDoubtIsRepairedWhereItIsListed()
    {
        QueueSnapshot queue;
        queue.paused = true; // which says nothing of it
        queue.known = true;
        QCOMPARE(Reconcile().foundQueue(queue).outcome, Outcome::Done);
        queue.known = false;
        QCOMPARE(Reconcile().foundQueue(queue).outcome, Outcome::Cancelled);
    }

    void taskIdsLeadBackToRows()
    {
        OutboxShape shape;
        shape.taskId = u"orders:{id}"_s;
        QCOMPARE(shape.keyIn({u"orders:7"_s}), std::optional(MessageId{u"7"_s}));
        QCOMPARE(shape.keyIn({u"7"_s}), std::nullopt);
        QCOMPARE(shape.keyIn({u"orders:"_s}), std::nullopt);
        shape.taskId = u"{id}"_s;
        QCOMPARE(shape.keyIn({u"7"_s}), std::optional(MessageId{u"7"_s}));
        shape.taskId = u"fixed"_s;
        QCOMPARE(shape.keyIn({u"fixed"_s}), std::nullopt);
    }
};

} // namespace tst_reconcilerules

OUTBOX_TEST(tst_reconcilerules::TestReconcileRules)
#include "tst_reconcilerules.moc"
