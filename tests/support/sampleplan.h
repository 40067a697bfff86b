// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Made-up plans and receipts that look real, for tests of views.
#pragma once

#include "models/operations/plan.h"
#include "models/operations/receipt.h"
#include "models/profile/profile.h"
#include "tests/support/samplesystem.h"

namespace outbox::sample {

inline Profile production()
{
    Profile one;
    one.name = u"orders"_s;
    one.environment = Environment::Production;
    one.databaseUrl = u"postgresql://ops@pg-1.internal/shop"_s;
    one.redisUrl = u"redis://redis-1.internal:6379/0"_s;
    one.actingUser = u"outbox_operator"_s;
    one.actingRedisUser = u"operator"_s;
    return one;
}

inline PlanItem item(int number, Outcome expected, const QString &reason = {})
{
    PlanItem one;
    one.row = message(number).id;
    one.task = {one.row.text};
    one.queue = {u"default"_s};
    one.type = message(number).type;
    one.rowSeen = RowSnapshot{MessageState::Processed, QString::number(7000 + number),
                              now().addSecs(-90'000 - number), 190, std::nullopt};
    one.taskSeen = TaskSeen{};
    one.expected = expected;
    one.reason = reason;
    return one;
}

inline Plan emptyPlan(Verb verb)
{
    Plan plan;
    plan.operation = u"0b9f2f4e-8f0e-4a1c-9d0e-5c1b7e6a2d11"_s;
    plan.verb = verb;
    plan.profile = production().name;
    plan.environment = Environment::Production;
    plan.target = u"public.outbox @ pg-1.internal/shop -> redis-1.internal/0"_s;
    plan.at = now();
    return plan;
}

/// `rows` processed rows, of which three are left alone.
inline Plan purgePlan(int rows = 300)
{
    Plan plan = emptyPlan(Verb::Purge);
    plan.selection = u"Rows that match state:processed age>30d"_s;
    plan.items.reserve(rows);
    for (int number = 0; number < rows; ++number)
        plan.items += item(number, Outcome::Done);
    if (rows > 12) {
        const auto leave = [&](int at, Outcome outcome, const QString &reason) {
            plan.items[at].expected = outcome;
            plan.items[at].reason = reason;
        };
        leave(3, Outcome::Claimed, u"Held by relay-7@db1 (process 4711) since 0.4 s"_s);
        leave(7, Outcome::Claimed, u"Held by relay-7@db1 (process 4711) since 0.4 s"_s);
        leave(12, Outcome::Unfinished,
              u"Its task waits for a retry: delete the task first, or wait"_s);
        plan.items[12].taskSeen->state = TaskState::Retry;
    }
    plan.statements = {u"DELETE FROM public.outbox AS o\n USING unnest($1::uuid[], $2::text[]) AS "
                       u"seen(id, version)\n WHERE o.id = seen.id AND o.xmin::text = seen.version\n"
                       u"RETURNING o.id"_s};
    plan.commands = {u"none: processed rows need no tombstone in the queue"_s};
    plan.warnings
        = {u"There is no table outbox_audit: the record is kept in the local file only."_s};
    plan.exportsFirst = true;
    plan.undo = u"Undo puts the rows back from that file, byte for byte, under the same ids."_s;
    return plan;
}

/// Twelve rows with every answer that a replay gives.
inline Plan replayPlan()
{
    Plan plan = emptyPlan(Verb::Replay);
    plan.selection = u"12 rows"_s;
    for (int number = 0; number < 4; ++number)
        plan.items += item(number, Outcome::SecondExecution,
                           u"Processed before, and its id is free again: it will run twice"_s);
    for (int number = 4; number < 9; ++number) {
        plan.items
            += item(number, Outcome::RefusedUntil,
                    u"Its id is kept until about 14:02 tomorrow: run the task again instead"_s);
        plan.items.last().taskSeen->state = TaskState::Completed;
        plan.items.last().taskSeen->keptUntil = now().addDays(1);
    }
    plan.items += item(9, Outcome::InFlight, u"Its task is pending"_s);
    plan.items.last().taskSeen->state = TaskState::Pending;
    plan.items += item(10, Outcome::Dead, u"Dead in the queue after 25 attempts: run it there"_s);
    plan.items.last().taskSeen->state = TaskState::Archived;
    plan.items += item(11, Outcome::Collision, u"Another message owns this id in the queue"_s);
    plan.statements
        = {u"UPDATE public.outbox SET completed_at = NULL WHERE id = $1 AND xmin::text = $2"_s};
    plan.undo = u"Undo marks the rows processed again where no relay has sent them yet."_s;
    return plan;
}

inline Receipt receiptFor(const Plan &plan)
{
    Receipt receipt;
    receipt.operation = plan.operation;
    receipt.verb = plan.verb;
    receipt.started = now().addSecs(-4);
    receipt.ended = now();
    for (const PlanItem &one : plan.items)
        receipt.items += ReceiptItem{one.row,    one.task,
                                     one.queue,  one.isActedOn() ? Outcome::Done : one.expected,
                                     one.reason, {}};
    if (plan.exportsFirst)
        receipt.exportFile
            = u"/home/ana/.local/state/outboxdeck/exports/"_s + plan.operation + u".jsonl"_s;
    receipt.undoable = true;
    return receipt;
}

} // namespace outbox::sample
