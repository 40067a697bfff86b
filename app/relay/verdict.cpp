// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/relay/verdict.h"

#include "models/message/deliveryproof.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

RowVerdict::Act actOn(DeliveryProof::Found found)
{
    using Act = RowVerdict::Act;
    switch (found) {
    case DeliveryProof::Found::Stored:
        return Act::Deliver;
    case DeliveryProof::Found::InFlight:
        return Act::AlreadyQueued;
    case DeliveryProof::Found::Done:
        return Act::AlreadyDone;
    case DeliveryProof::Found::Dead:
        return Act::DeadInQueue;
    }
    return Act::RollBack;
}

} // namespace

RowVerdict verdictOn(const EnqueueAnswer &answer)
{
    using Act = RowVerdict::Act;
    if (const auto found = DeliveryProof::foundBy(answer))
        return {actOn(*found), {}};
    switch (answer.kind) {
    case EnqueueAnswer::Kind::Stored:
        break;
    case EnqueueAnswer::Kind::Exists:
        if (answer.same)
            return {Act::RollBack, u"the queue says that the task exists, in no state we know"_s};
        if (answer.isOlder)
            return {Act::Park,
                    u"a task under this id is older than the row (it is %1): an earlier message "
                    "had the same id"_s.arg(word(answer.state))};
        return {Act::Park,
                u"another message owns this task id (it is %1 there): two sources share ids, or "
                u"the row was rewritten"_s.arg(word(answer.state))};
    case EnqueueAnswer::Kind::Damaged:
        if (answer.state == TaskState::Orphan) {
            return {Act::Park, u"a task under this id is in none of the queue's lists (orphan)"_s};
        }
        return {Act::Park,
                u"a task without a message blocks this id (%1)"_s.arg(word(answer.state))};
    case EnqueueAnswer::Kind::Invalid:
        return {Act::Park, answer.detail};
    case EnqueueAnswer::Kind::Untold:
    case EnqueueAnswer::Kind::Rejected:
        return {Act::ParkAfterTries, answer.detail};
    case EnqueueAnswer::Kind::QueueBroken:
        return {Act::WaitForQueue, answer.detail};
    }
    return {Act::RollBack, u"the queue's answer is not understood"_s};
}

} // namespace outbox
