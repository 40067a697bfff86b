// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/message/rowverdict.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// What is done where the row's own message is in the queue, in this state; nullopt where no list
/// of the queue holds it.
std::optional<RowVerdict::Act> actWhereHeld(TaskState state)
{
    using Act = RowVerdict::Act;
    switch (state) {
    case TaskState::Pending:
    case TaskState::Active:
    case TaskState::Scheduled:
    case TaskState::Retry:
    case TaskState::Aggregating:
        return Act::AlreadyQueued;
    case TaskState::Completed:
        return Act::AlreadyDone;
    case TaskState::Archived:
        return Act::DeadInQueue;
    case TaskState::None:
    case TaskState::Stub:
    case TaskState::Orphan:
    case TaskState::WrongType:
        break;
    }
    return {};
}

} // namespace

RowVerdict verdictOn(const MessageId &row, const EnqueueAnswer &answer)
{
    using Act = RowVerdict::Act;
    switch (answer.kind) {
    case EnqueueAnswer::Kind::Stored:
        return {Act::Deliver, {}, DeliveryProof(row)};
    case EnqueueAnswer::Kind::Exists:
        if (answer.same) {
            if (const auto act = actWhereHeld(answer.state))
                return {*act, {}, DeliveryProof(row)};
            return {Act::RollBack, u"the queue says that the task exists, in no state we know"_s};
        }
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
    case EnqueueAnswer::Kind::QueueAway:
        return {Act::WaitForQueue, answer.detail};
    }
    return {Act::RollBack, u"the queue's answer is not understood"_s};
}

} // namespace outbox
