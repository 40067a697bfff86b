// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which node of a Redis Cluster has which slot, as far as it was told.
#pragma once

#include "connectors/redis/hostlist.h"
#include "connectors/redis/reply.h"

#include <QList>

#include <optional>

namespace outbox {

/// Where the word ASK says that the slot is being moved; it has not arrived. nullopt where the
/// reply is no ASK that makes sense. A host that is left empty is that of `asked`, the node that
/// replied.
[[nodiscard]] std::optional<HostPort> askIn(const RedisReply &reply, const HostPort &asked);

/// A value. Slots may be without an owner, at first all of them are.
class SlotMap
{
public:
    SlotMap();

    /// The answer of `asked` to CLUSTER SLOTS; a host that it leaves out is that of `asked`. Fails
    /// with Protocol where the answer makes no sense.
    [[nodiscard]] static Result<SlotMap> fromReply(const RedisReply &reply, const HostPort &asked);

    /// The primary that has the slot, which is in range; nullopt where none has.
    [[nodiscard]] std::optional<HostPort> ownerOf(int slot) const;
    /// Those that have slots, in the order of their first ones.
    [[nodiscard]] QList<HostPort> primaries() const;
    [[nodiscard]] QList<HostPort> replicasOf(const HostPort &primary) const;
    /// How many slots have no owner.
    [[nodiscard]] int countWithoutOwner() const;
    /// Another one as soon as any slot has another owner; of no meaning otherwise.
    [[nodiscard]] QByteArray fingerprint() const;

    /// The slot is where a node said that it is. The replicas of an owner that is new here are not
    /// known.
    void patch(int slot, const HostPort &owner);
    /// The same by the word MOVED, read as `askIn` reads ASK. False where the reply is none.
    [[nodiscard]] bool follow(const RedisReply &reply, const HostPort &asked);
    /// What this node had is without an owner.
    void forget(const HostPort &primary);

private:
    struct Node
    {
        HostPort primary;
        QList<HostPort> replicas;
    };

    /// Its place among the nodes, which it is added to; that of no owner where there are too many.
    [[nodiscard]] qint16 placeOf(const HostPort &primary);

    QList<Node> m_nodes;
    QList<qint16> m_owners; ///< place of the owner by slot; -1: none
};

} // namespace outbox
