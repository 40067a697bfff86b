// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether a Redis keeps what is put into it, and answers with the newest of it.
// Errors: those of `ClusterLink`.
#pragma once

#include "connectors/redis/cluster/clusterlink.h"
#include "models/designs/donestore.h"

namespace outbox {

/// By INFO. Keys that expire may be evicted before their time under most policies. Of a Cluster the
/// node of `key` is judged; an empty `key` stands for keys of any slot, and then all primaries are:
/// Unreachable where one of them is away.
[[nodiscard]] Result<StoreDurability> durabilityOf(ClusterLink &link, const QByteArray &key,
                                                   bool keysExpire);

} // namespace outbox
