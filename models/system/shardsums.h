// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The shards of an outbox as one line of a list of queues.
#pragma once

#include "models/shape/queueshards.h"
#include "models/system/snapshots.h"

#include <optional>

namespace outbox {

/// `queues` with all that are shards as one, which comes first: sums, the longest wait, the fewest
/// servers; paused where one is. Its notes say of how many queues it is made, which of them has
/// most to do, and why the relays of one are not known; its relays are those of the first. As it
/// was given where none is a shard.
[[nodiscard]] QList<QueueSnapshot> withSummedShards(const QList<QueueSnapshot> &queues,
                                                    const QueueShards &shards);

/// The queue `own` of these, or where an outbox has `shards`, of which that is the first, all of
/// them as one; nullopt: it is not among them.
[[nodiscard]] std::optional<QueueSnapshot>
ownQueueIn(const QList<QueueSnapshot> &queues, const QueueName &own, const QueueShards &shards);

} // namespace outbox
