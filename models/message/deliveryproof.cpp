// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/message/deliveryproof.h"

namespace outbox {

std::optional<DeliveryProof::Found> DeliveryProof::foundBy(const EnqueueAnswer &answer)
{
    if (answer.kind == EnqueueAnswer::Kind::Stored)
        return Found::Stored;
    if (answer.kind != EnqueueAnswer::Kind::Exists || !answer.same)
        return {};
    switch (answer.state) {
    case TaskState::Pending:
    case TaskState::Active:
    case TaskState::Scheduled:
    case TaskState::Retry:
    case TaskState::Aggregating:
        return Found::InFlight;
    case TaskState::Completed:
        return Found::Done;
    case TaskState::Archived:
        return Found::Dead;
    case TaskState::None:
    case TaskState::Stub:
    case TaskState::Orphan:
    case TaskState::WrongType:
        break;
    }
    return {};
}

std::optional<DeliveryProof> DeliveryProof::from(const MessageId &row, const EnqueueAnswer &answer)
{
    const auto found = foundBy(answer);
    return found ? std::optional(DeliveryProof(row, *found)) : std::nullopt;
}

} // namespace outbox
