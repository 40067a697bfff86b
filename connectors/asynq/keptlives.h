// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether Redis still holds what the database says that relays delivered (see `QueueFence`).
#pragma once

#include "connectors/redis/cluster/clusterlink.h"
#include "models/result.h"
#include "models/system/queuelife.h"

#include <QList>

namespace outbox::asynq {

/// Those of `kept` that Redis does not hold: the fence of the queue has another life or none, or of
/// that relay an older batch or none, or is no hash. `kept` was read before: a relay at work is
/// never behind what it has committed. One command for each queue. Of a Cluster the queues of a
/// node that does not answer are passed over. Errors: those of `ClusterLink`; Refused where the
/// user may not read.
[[nodiscard]] Result<QList<RelayLife>> lostAmong(ClusterLink &link, const QList<RelayLife> &kept);

} // namespace outbox::asynq
