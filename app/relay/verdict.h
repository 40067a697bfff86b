// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the relay does with a row once the queue has answered: one pure table (asynq-protocol 10.3).
#pragma once

#include "models/message/task.h"

#include <QString>

namespace outbox {

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
        WaitForQueue, ///< its queue is at fault: the row stays and waits, and is never parked
        RollBack, ///< an answer we do not understand: nothing of the batch may be committed
    };
    Act act = Act::RollBack;
    QString reason; ///< Park, ParkAfterTries, WaitForQueue, RollBack

    bool operator==(const RowVerdict &) const = default;
};

/// The decision for one row from the answer of the enqueue script and nothing else. A row is never
/// given up unless the very same message is known to be in a list of the queue.
[[nodiscard]] RowVerdict verdictOn(const EnqueueAnswer &answer);

} // namespace outbox
