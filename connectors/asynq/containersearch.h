// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Looks for many ids in one container at once, in steps that block nobody.
#pragma once

#include "connectors/asynq/keys.h"
#include "connectors/redis/connection.h"

#include <QSet>

namespace outbox::asynq {

/// Which of `ids` stand in the list: one pass by pages over all of it, or until all are found. Ids
/// that move while the pass runs may be missed: ask again before calling one lost.
[[nodiscard]] Result<QSet<QByteArray>>
findInList(RedisConnection &connection, const QByteArray &key, const QSet<QByteArray> &ids);

/// Whether a task of `group` stands in the group or in one of its aggregation sets.
[[nodiscard]] Result<bool> findInGroup(RedisConnection &connection, const QueueKeys &keys,
                                       const QByteArray &group, const QByteArray &id);

} // namespace outbox::asynq
