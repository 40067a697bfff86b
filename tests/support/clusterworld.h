// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A real Redis Cluster of private servers, whose slots a test can move, and a look at it from
// outside.
#pragma once

#include "app/demo/privateserver.h"
#include "connectors/redis/connection.h"

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
    /// each.
    [[nodiscard]] Result<void> start(int primaries = 3, int replicas = 0);
    /// Names two of the nodes.
    [[nodiscard]] QString url() const;
    [[nodiscard]] int primaries() const { return m_primaries; }
    [[nodiscard]] PrivateRedis &server(int node) { return m_nodes.at(size_t(node))->server; }
    [[nodiscard]] RedisConnection &hand(int node) { return m_nodes.at(size_t(node))->hand; }
    [[nodiscard]] quint16 portOf(int node) const { return m_nodes.at(size_t(node))->port; }
    /// Which node has the slot: shared out at the start, and moved here.
    [[nodiscard]] int ownerOf(int slot) const;
    /// What a node answers that does not send elsewhere; all are asked in turn.
    [[nodiscard]] Result<RedisReply> ask(const RedisCommand &command);
    /// The same; -1 where there is no number.
    [[nodiscard]] qint64 number(const RedisCommand &command);

    /// As redis-cli does it: from now on the slot moves to node `to`.
    [[nodiscard]] Result<void> beginMove(int slot, int to);
    /// Moves at most `most` keys of it; answers how many are left at the old node.
    [[nodiscard]] Result<qint64> moveKeys(int most);
    [[nodiscard]] Result<void> endMove();

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

    [[nodiscard]] Result<void> addNode();
    [[nodiscard]] Result<void> join();
    [[nodiscard]] Result<void> follow();
    /// Until `words` stand in what each node answers to `command`.
    [[nodiscard]] Result<void> until(const RedisCommand &command, const QByteArrayList &words);

    std::vector<std::unique_ptr<Node>> m_nodes;
    std::vector<int> m_owners; ///< of the slots
    int m_primaries = 0;
    Move m_move;
};

} // namespace outbox
