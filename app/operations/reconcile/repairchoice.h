// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a damaged task is repaired, seen together with its row: pure.
#pragma once

#include "connectors/asynq/observe/taskfacts.h"
#include "models/message/message.h"
#include "models/operations/finding.h"

namespace outbox {

/// What a repair depends on beside the task itself.
struct RepairTerms
{
    bool rowsRead = false; ///< false: whether there is a row is not known
    std::optional<Message> row; ///< nullopt: there is none
    /// The row's message is the task's: then the task is not its only copy. Matters for orphans.
    bool isSameMessage = false;
    bool goesElsewhere = false; ///< the row names another queue than the task's
    bool runsNow = false; ///< a live worker says that it runs the task
    bool isServed = false; ///< a live server serves the queue
    bool archiveHasRoom = true; ///< for one task more
};

/// A finding that says nothing but its repair, what is expected of it, and why.
[[nodiscard]] Finding repairFor(FindingKind kind, const asynq::TaskFacts &facts,
                                const RepairTerms &terms);

} // namespace outbox
