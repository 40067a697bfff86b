// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Looks for many ids in one container at once, in steps that block nobody.
// Errors: those of `RedisConnection`.
#pragma once

#include "connectors/asynq/wire/keys.h"
#include "connectors/redis/connection.h"

#include <QSet>

namespace outbox::asynq {

/// Which of `ids` stand in the list: first at both of its ends, then one pass by pages over all of
/// it, or until all are found. Ids that move while the pass runs may be missed: ask again before
/// calling one lost.
[[nodiscard]] Result<QSet<QByteArray>>
findInList(RedisConnection &connection, const QByteArray &key, const QSet<QByteArray> &ids);

/// The score of a task of `group` in the group or in one of its aggregation sets; nil when it
/// stands in none.
[[nodiscard]] Result<RedisReply> findInGroup(RedisConnection &connection, const QueueKeys &keys,
                                             const QByteArray &group, const QByteArray &id);

} // namespace outbox::asynq
