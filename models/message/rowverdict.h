// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the relay does with a row once the queue has answered: one pure table (asynq-protocol 10.3).
#pragma once

#include "models/ids.h"
#include "models/message/task.h"

#include <QString>

#include <optional>
#include <utility>

namespace outbox {

struct RowVerdict;

/// What a row needs to leave the outbox: the queue's own word that it holds this row's message.
/// Made by `verdictOn` from that answer, and in no other way. A COMMIT of the relay takes a list of
/// these, so a row that the queue did not answer for cannot be given up (correctness.md 3).
class DeliveryProof
{
public:
    [[nodiscard]] const MessageId &row() const { return m_row; }

    bool operator==(const DeliveryProof &) const = default;

private:
    friend RowVerdict verdictOn(const MessageId &row, const EnqueueAnswer &answer);

    explicit DeliveryProof(MessageId row) : m_row(std::move(row)) { }

    MessageId m_row;
};

struct RowVerdict
{
    enum class Act {
        Deliver, ///< newly stored: the row may go
        AlreadyQueued, ///< delivered before and in flight: the row may go, counted apart
        AlreadyDone, ///< delivered before, completed and kept
        DeadInQueue, ///< delivered before, archived by the queue: the row may go, a human is needed
        Park, ///< the row stays, set aside with `reason`
        ParkAfterTries, ///< the row is named by an error that may pass: park after at most three
                        ///< tries
        WaitForQueue, ///< its queue is at fault, or away: the row stays, waits, is never parked
        RollBack, ///< an answer we do not understand: nothing of the batch may be committed
    };
    Act act = Act::RollBack;
    QString reason; ///< Park, ParkAfterTries, WaitForQueue, RollBack
    std::optional<DeliveryProof> proof{}; ///< of every row that may go, and of no other

    bool operator==(const RowVerdict &) const = default;
};

/// The decision for `row`, from the answer of the enqueue script to its request and nothing else.
/// A row is never given up unless the very same message is known to be in a list of the queue.
[[nodiscard]] RowVerdict verdictOn(const MessageId &row, const EnqueueAnswer &answer);

} // namespace outbox
