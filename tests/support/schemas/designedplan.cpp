// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Designs of outboxes as relays and job queues have them: which lock stands beside which mark.
#include "tests/support/schemas/outboxplan.h"

namespace outbox {

namespace {

using Processed = OutboxShape::ProcessedHow;
using Locked = OutboxShape::LockedHow;
using Failed = OutboxShape::FailedHow;

/// How much of something a design has.
enum class Has { No, Yes, Maybe };

struct Design
{
    Processed processed;
    Has sentTime;
    Locked locked;
    Has owner;
    Has lockTime;
    Failed failed;
    Has due;
    Has attempts;
};

constexpr Has no = Has::No;
constexpr Has yes = Has::Yes;
constexpr Has maybe = Has::Maybe;

const QList<Design> &designs()
{
    static const QList<Design> all{
        // processed at; locked until, by
        {Processed::Time, no, Locked::Until, yes, no, Failed::None, no, yes},
        {Processed::Time, no, Locked::Until, maybe, no, Failed::Time, maybe, maybe},
        {Processed::Time, no, Locked::Until, no, no, Failed::Flag, maybe, maybe},
        {Processed::Time, no, Locked::Owner, yes, yes, Failed::Time, yes, yes},
        {Processed::Time, no, Locked::Owner, yes, maybe, Failed::Flag, no, maybe},
        {Processed::Time, no, Locked::Owner, no, yes, Failed::None, maybe, maybe},
        {Processed::Time, no, Locked::None, no, no, Failed::Attempts, yes, yes},
        // a queue: what is done is deleted
        {Processed::Deleted, no, Locked::Owner, yes, yes, Failed::Time, yes, yes},
        {Processed::Deleted, no, Locked::Owner, yes, yes, Failed::Attempts, yes, yes},
        {Processed::Deleted, no, Locked::Until, no, no, Failed::None, maybe, yes},
        {Processed::Deleted, no, Locked::Until, yes, no, Failed::Flag, maybe, maybe},
        {Processed::Deleted, no, Locked::None, no, no, Failed::Flag, yes, yes},
        // a flag, and who holds a row
        {Processed::Flag, maybe, Locked::Until, maybe, no, Failed::None, maybe, maybe},
        {Processed::Flag, maybe, Locked::Until, no, no, Failed::Flag, no, maybe},
        {Processed::Flag, maybe, Locked::Owner, yes, maybe, Failed::Time, maybe, maybe},
        {Processed::Flag, yes, Locked::Owner, no, yes, Failed::Flag, no, yes},
        {Processed::Flag, maybe, Locked::None, no, no, Failed::Flag, maybe, yes},
        {Processed::Flag, no, Locked::Owner, yes, no, Failed::Attempts, maybe, yes},
        // a status, and holders beside it
        {Processed::Status, maybe, Locked::Until, maybe, no, Failed::Status, maybe, maybe},
        {Processed::Status, maybe, Locked::Until, no, no, Failed::Attempts, no, yes},
        {Processed::Status, maybe, Locked::Owner, yes, yes, Failed::Status, maybe, maybe},
        {Processed::Status, yes, Locked::Owner, yes, no, Failed::None, yes, yes},
        {Processed::Status, maybe, Locked::Status, maybe, maybe, Failed::Status, yes, yes},
        {Processed::Status, maybe, Locked::Status, no, no, Failed::Attempts, maybe, yes},
        {Processed::Status, yes, Locked::Status, yes, yes, Failed::None, maybe, yes},
        {Processed::Status, maybe, Locked::None, no, no, Failed::Status, yes, yes}};
    return all;
}

} // namespace

OutboxPlan designedPlan(Dice &dice)
{
    OutboxPlan plan = anyPlan(dice);
    const Design &design = dice.of(designs());
    const auto has = [&dice](Has what) {
        constexpr int often = 50;
        return what == yes || (what == maybe && dice.chance(often));
    };
    plan.processed = design.processed;
    plan.hasSentTime = has(design.sentTime);
    plan.mayStatusBeNull &= plan.hasStatus();
    plan.isListed &= plan.hasStatus();
    plan.isExplained &= plan.hasStatus();
    plan.locked = design.locked;
    plan.hasLockOwner = has(design.owner);
    plan.hasLockTime = has(design.lockTime);
    constexpr int leaving = 35;
    plan.leavesLease = plan.locked == Locked::Until && dice.chance(leaving);
    plan.failed = design.failed;
    plan.hasDue = has(design.due);
    constexpr int worded = 30;
    plan.hasWaitingValue = plan.hasDue && plan.hasStatus() && dice.chance(worded);
    plan.hasAttempts = plan.failed == Failed::Attempts || has(design.attempts);
    plan.hasMaxAttempts = plan.failed == Failed::Attempts;
    plan.hasDeadLetters &= plan.failed == Failed::None;
    if (plan.processed == Processed::Deleted)
        plan.extras.removeAll(QStringLiteral("sentBy"));
    return plan;
}

} // namespace outbox
