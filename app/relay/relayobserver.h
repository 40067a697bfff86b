// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who is told what the relay is about to do and has done: tests that stop it there, and event logs.
#pragma once

#include "models/ids.h"

#include <QList>

#include <functional>

namespace outbox {

/// The borders at which a relay may die (correctness.md 2.2), in their order within one batch.
enum class RelayStage {
    Claiming, ///< nothing was asked yet
    Claimed, ///< the rows are held by our open transaction
    Enqueueing, ///< nothing was sent to the queue yet
    Enqueued, ///< the queue has answered for every row
    Narrowed, ///< rows that it refused were given back; the ids are those that go on
    Committing, ///< COMMIT was not sent yet
    CommitSent, ///< COMMIT is on its way, its answer is not known
    Committed,
    RolledBack, ///< or the session was lost, which does the same
};

/// Called in the relay's room, between two steps of the work; it may block or end the process.
/// `ids` are the rows of the batch; empty before they are known.
using RelayObserver = std::function<void(RelayStage moment, const QList<MessageId> &ids)>;

} // namespace outbox
