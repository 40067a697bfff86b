// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What became of numbered rows in the queues of a cluster, counted by plain commands to its nodes.
#pragma once

#include "tests/support/clusterworld.h"

#include <QSet>

namespace outbox::crash {

/// Rows have the numbers 1 to `rows`; row n goes to the queue "q<n modulo queues>" as the task n,
/// whose payload is "row-<n>.".
struct SlotRows
{
    qint64 rows = 0;
    int queues = 0;

    [[nodiscard]] static QString queueName(int queue);
    /// The pending lists of the queues.
    [[nodiscard]] QByteArrayList pendingKeys() const;
};

struct SlotCount
{
    qint64 left = 0; ///< in the table still
    qint64 lost = 0; ///< gone from the table, and in no list, or without a task behind its id
    qint64 doubled = 0; ///< in two lists, twice in one, or with a task on two nodes
    qint64 altered = 0; ///< with another payload or another state than that of the list
    qint64 strays = 0; ///< tasks and ids of no row, or in another queue than that of the row

    [[nodiscard]] bool isClean() const { return left + lost + doubled + altered + strays == 0; }
};

/// Walks all nodes that have slots, and all lists of all queues where their slots are. `left` are
/// the numbers of rows in the table. Nothing may work on the queues meanwhile.
/// Errors: those of `RedisConnection`; Protocol where a node has not got the slot it should have.
[[nodiscard]] Result<SlotCount> countSlots(ClusterWorld &world, const SlotRows &rows,
                                           const QSet<qint64> &left);

} // namespace outbox::crash
