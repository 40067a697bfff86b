// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Among how many queues the rows of a table were shared out last.
#pragma once

#include "connectors/redis/cluster/clusterlink.h"
#include "models/shape/queueshards.h"

namespace outbox::asynq {

/// Compares `shards`, which are not empty, with what is on record, and writes them down: a field of
/// the fence of the first queue (see `QueueFence`). `outbox` tells the table from all others that
/// share the queues. `isVouchedFor`: the operator's word that no row of it has a task in a queue
/// where `shards` does not look for it. Refused where other shards are on record, a queue of theirs
/// holds a task, and nobody vouches: a row could then have a task in its old queue and be given
/// another one in the new. Errors beside that: those of `ClusterLink::at`; Invalid for a
/// record that is not understood, unless somebody vouches.
[[nodiscard]] Result<void> agreeOnShards(ClusterLink &link, const QueueShards &shards,
                                         const QString &outbox, bool isVouchedFor);

} // namespace outbox::asynq
