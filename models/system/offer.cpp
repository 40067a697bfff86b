// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/system/offer.h"

#include "models/translation.h"

namespace outbox {

namespace {

constexpr Translation offerText("outbox::Offer");

QString notFor(Verb verb, TaskState state)
{
    return offerText("%1 has no meaning for tasks that are %2.")
        .arg(label(verb), label(state).toLower());
}

} // namespace

QString whyNotInState(Verb verb, MessageState state)
{
    if (verb == Verb::Replay && (state == MessageState::Pending || state == MessageState::Waiting))
        return offerText("This waits already: the relay sends it.");
    if ((verb == Verb::Replay || verb == Verb::Purge || verb == Verb::Park)
        && state == MessageState::Locked)
        return offerText("A relay holds this row.");
    if (verb == Verb::Replay && state == MessageState::Parked)
        return offerText("This row is parked: unpark it, and a relay sends it.");
    if (verb == Verb::Park && state == MessageState::Parked)
        return offerText("This row is parked already.");
    if (verb == Verb::Park && state == MessageState::Processed)
        return offerText("No relay claims a processed row.");
    if (verb == Verb::Unpark && state == MessageState::Processed)
        return offerText("This row is not parked.");
    return {};
}

QString whyNotInState(Verb verb, TaskState state)
{
    switch (state) {
    case TaskState::Pending:
        if (verb == Verb::Run)
            return offerText("Pending tasks run as soon as a worker is free.");
        break;
    case TaskState::Active:
        if (verb != Verb::Cancel)
            return offerText("A worker runs these tasks: wait, or ask it to give up.");
        return {};
    case TaskState::Archived:
    case TaskState::Completed:
        if (verb == Verb::Archive)
            return notFor(verb, state);
        break;
    case TaskState::Stub:
    case TaskState::Orphan:
    case TaskState::WrongType:
        return offerText("A damaged task: see Reconcile on the Dedup page.");
    case TaskState::Scheduled:
    case TaskState::Retry:
    case TaskState::Aggregating:
    case TaskState::None:
        break;
    }
    if (verb == Verb::Cancel)
        return offerText("Only a task that a worker runs now can be cancelled.");
    if (verb == Verb::Replace && state == TaskState::Aggregating)
        return notFor(verb, state);
    return {};
}

QString whyNotForShape(Verb verb, const OutboxShape &shape)
{
    if (verb == Verb::Replay && shape.processedHow == OutboxShape::ProcessedHow::Deleted)
        return offerText("Delivered rows are deleted here: there is none to replay.");
    if (verb == Verb::Replay && !shape.canMark())
        return offerText("What is delivered is not marked in the row itself: it cannot be reset.");
    if (verb == Verb::Release && shape.lockedHow != OutboxShape::LockedHow::Until) {
        return shape.lockedHow == OutboxShape::LockedHow::None
                || shape.lockedHow == OutboxShape::LockedHow::Row
            ? offerText("This table has no lease columns: a row lock ends with its session.")
            : offerText("Rows are held here in a way that has no end we could see: ask their "
                        "owner.");
    }
    const bool foreign = shape.processedHow == OutboxShape::ProcessedHow::Member
        || shape.processedHow == OutboxShape::ProcessedHow::Offset
        || shape.processedHow == OutboxShape::ProcessedHow::Log;
    if (verb == Verb::Purge && foreign)
        return offerText("What was delivered is not known from the row: none is deleted.");
    if (!shape.keyParts.isEmpty() && actsOnRows(verb))
        return offerText("No single column is the key of this table: its rows are only watched.");
    return {};
}

QList<Verb> offeredVerbs(const IdVerdict &facts)
{
    QList<Verb> verbs;
    const TaskState task = facts.task ? facts.task->state : TaskState::None;
    const bool queueRead = !facts.taskError;
    if (facts.row && queueRead && task == TaskState::None
        && whyNotInState(Verb::Replay, facts.row->state).isEmpty())
        verbs += Verb::Replay;
    if (facts.row && facts.row->state == MessageState::Parked)
        verbs += Verb::Unpark;
    if (task != TaskState::None) {
        for (const Verb verb : {Verb::Run, Verb::Replace, Verb::Cancel}) {
            const bool fits = verb != Verb::Replace || task == TaskState::Archived;
            if (fits && whyNotInState(verb, task).isEmpty())
                verbs += verb;
        }
    }
    if (facts.row && queueRead && whyNotInState(Verb::Purge, facts.row->state).isEmpty()
        && (task == TaskState::None || task == TaskState::Completed))
        verbs += Verb::Purge;
    return verbs;
}

} // namespace outbox
