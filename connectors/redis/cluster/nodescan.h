// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A walk through all keys of a Redis, which goes from primary to primary under one cursor.
// Errors: those of `ClusterLink`; Unreachable where a primary cannot be asked, or slots were moved
// meanwhile, since keys may have been passed over then. That is noticed when a slot has another
// owner, as far as the map, which is asked for at most once a second, tells it: keys of a slot that
// is still on its way may be passed over.
#pragma once

#include "connectors/redis/cluster/clusterlink.h"

#include <QByteArray>
#include <QList>

#include <type_traits>

namespace outbox {

/// Where such a walk stands in a Cluster.
struct NodePlace
{
    RedisConnection *node = nullptr;
    qsizetype number = 0; ///< of the node, in the order of the primaries' first slots
    QByteArray cursor; ///< of SCAN, at that node
};

/// Reads the cursor of a walk, which is "0" at first.
[[nodiscard]] Result<NodePlace> placeOfWalk(ClusterLink &link, const QByteArray &cursor);
/// The cursor behind a step after which that of SCAN is `place.cursor`; "0" at the end.
[[nodiscard]] Result<QByteArray> cursorBehind(ClusterLink &link, const NodePlace &place);

/// One step: `step(connection, cursor)` answers a Result and moves a cursor of SCAN, which is "0"
/// at first and at the end. So is `cursor`, which moves where the step succeeded.
template <typename Step>
[[nodiscard]] std::invoke_result_t<Step, RedisConnection &, QByteArray &>
walkOn(ClusterLink &link, QByteArray &cursor, Step step)
{
    if (!link.isCluster())
        return step(link.alone(), cursor);
    NodePlace place = TRY(placeOfWalk(link, cursor));
    auto found = step(*place.node, place.cursor);
    if (!found)
        return found;
    cursor = TRY(cursorBehind(link, place));
    return found;
}

} // namespace outbox
