// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A real Redis Cluster of private servers, whose slots a test can move, and a look at it from
// outside.
#pragma once

#include "app/demo/privateserver.h"
#include "connectors/redis/connection.h"
#include "tests/support/testcertificates.h"

#include <memory>
#include <vector>

namespace outbox {

/// Its nodes listen on the loopback; the slots are shared out evenly. A node that dies is failed
/// over after two seconds, and the slots of others go on meanwhile.
/// Errors: those of `PrivateServer` and of `RedisConnection`; Timeout where it does not get ready.
class ClusterWorld
{
public:
    /// Nodes 0 to `primaries` - 1 have slots; behind them stand `replicas` of each, first one of
    /// each. With `tls` they have no port of plain TCP.
    [[nodiscard]] Result<void> start(int primaries = 3, int replicas = 0, const RedisTls &tls = {});
    /// Names two of the nodes; with TLS its options, too.
    [[nodiscard]] QString url() const;
    [[nodiscard]] int primaries() const { return m_primaries; }
    [[nodiscard]] PrivateRedis &server(int node) { return m_nodes.at(size_t(node))->server; }
    [[nodiscard]] RedisConnection &hand(int node) { return m_nodes.at(size_t(node))->hand; }
    [[nodiscard]] quint16 portOf(int node) const { return m_nodes.at(size_t(node))->port; }
    /// Which node has the slot: shared out at the start, moved here, or taken over (`hasHeir`).
    [[nodiscard]] int ownerOf(int slot) const;
    /// A key in a slot of this node: `name` with a number behind it.
    [[nodiscard]] QByteArray keyAt(int node, const QByteArray &name) const;
    /// Nodes that run and have slots, in the order of their numbers.
    [[nodiscard]] QList<int> owners() const;
    /// What a node answers that does not send elsewhere; all are asked in turn.
    [[nodiscard]] Result<RedisReply> ask(const RedisCommand &command);
    /// The same; -1 where there is no number.
    [[nodiscard]] qint64 number(const RedisCommand &command);

    /// As redis-cli does it: from now on the slot moves to node `to`.
    [[nodiscard]] Result<void> beginMove(int slot, int to);
    /// Moves at most `most` keys of it; answers how many are left at the old node.
    [[nodiscard]] Result<qint64> moveKeys(int most);
    [[nodiscard]] Result<void> endMove();
    /// Moves all keys that are left, and ends it.
    [[nodiscard]] Result<void> finishMove();
    /// Whether each node that runs says that `key` lies where `ownerOf` says.
    [[nodiscard]] bool isKnownToAll(const QByteArray &key);

    /// With one replica each: the other node of the pair.
    [[nodiscard]] int partnerOf(int node) const;
    /// Where the node `dead`, which had slots, was killed: whether its partner has them by now.
    /// From then on `ownerOf` says so, too.
    [[nodiscard]] bool hasHeir(int dead);
    /// Starts a killed node again. It has lost all its keys, so that must not be before its partner
    /// has its slots. Errors: those of `PrivateRedis` and of `RedisConnection`.
    [[nodiscard]] Result<void> revive(int node);
    /// Whether the node copies its partner, and has all that the partner had at the call.
    [[nodiscard]] bool isCopy(int node);

private:
    struct Node
    {
        PrivateRedis server;
        RedisConnection hand;
        quint16 port = 0;
        QByteArray id;
    };
    struct Move
    {
        QByteArray slot;
        int from = 0;
        int to = 0;
    };

    [[nodiscard]] QStringList arguments(quint16 port) const;
    /// What `INFO replication` says; empty where the node does not answer.
    [[nodiscard]] QByteArray replicationOf(int node);
    [[nodiscard]] Result<void> addNode();
    [[nodiscard]] Result<void> join();
    [[nodiscard]] Result<void> follow();
    /// Until `words` stand in what each node answers to `command`.
    [[nodiscard]] Result<void> until(const RedisCommand &command, const QByteArrayList &words);

    std::vector<std::unique_ptr<Node>> m_nodes;
    std::vector<int> m_owners; ///< of the slots
    int m_primaries = 0;
    RedisTls m_tls;
    Move m_move;
};

} // namespace outbox
