// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The way to a Redis, be it one server or a Cluster: to which connection a key goes, and exchanges
// in which each reply is judged alone.
#pragma once

#include "connectors/redis/cluster/slotmap.h"
#include "connectors/redis/connection.h"
#include "connectors/redis/wire.h"

#include <QDeadlineTimer>
#include <QElapsedTimer>

#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

namespace outbox {

/// What a reply says of the node or of the slot, and not of what was asked for: MOVED, ASK,
/// TRYAGAIN, CLUSTERDOWN, READONLY, LOADING and their like. It passes by itself.
[[nodiscard]] bool concernsNode(const RedisReply &reply);
/// Whether such a reply is what the error was made of.
[[nodiscard]] bool concernsNode(const Error &error);
/// Where a node is, in the form of its address.
[[nodiscard]] HostPort addressOf(const RedisConnection &connection);

/// One connection to each primary that was needed so far; of a Redis that is no Cluster, one in
/// all, and then every rule here that speaks of nodes means nothing. Blocking; lives in one thread,
/// that of its room. Connections that it answers live as long as the link is not closed.
/// Errors: those of `RedisConnection`; Unreachable for a slot that no node has, Refused for a
/// server that is no Cluster.
class ClusterLink
{
public:
    /// Puts command number `command` into RESP form. `isInFull`: its script is named by its text,
    /// since the node has forgotten it.
    using Encode = std::function<void(RedisWire &wire, qsizetype command, bool isInFull)>;
    struct Answer
    {
        Result<RedisReply> reply; ///< an error: none came, and the command may have been executed
        RedisConnection *node = nullptr; ///< that replied; nullptr: none did
        qint64 connection = 0; ///< its `timesConnected` then
        /// Of a Cluster, "host:port" of the node that did not reply; empty where one did, and where
        /// no node has the slot.
        QString silent{};

        /// The node that replied, or that did not: "host:port"; empty as above.
        [[nodiscard]] QString place() const;
    };

    ClusterLink();
    ~ClusterLink();
    ClusterLink(const ClusterLink &) = delete;
    ClusterLink &operator=(const ClusterLink &) = delete;

    /// Connects to the server. Of a Cluster: learns from the first node that answers, the seeds
    /// being asked in turn, who has which slots; a user without the right to ask learns it by the
    /// way from what nodes reply.
    [[nodiscard]] Result<void> open(const RedisEndpoint &endpoint, RedisConnection::Access access,
                                    const QString &clientName,
                                    std::chrono::milliseconds timeout = std::chrono::seconds(3));
    void close();
    [[nodiscard]] bool isOpen() const;
    [[nodiscard]] bool isCluster() const { return m_endpoint.isCluster(); }
    /// The error is that of one node of a Cluster: others may be well.
    [[nodiscard]] bool isOfNode(const Error &error) const
    {
        return isCluster()
            && (error.kind == Error::Kind::Unreachable || error.kind == Error::Kind::Timeout);
    }
    /// The server, where it is one; of a Cluster a connection that is never open.
    [[nodiscard]] RedisConnection &alone() { return m_alone; }
    [[nodiscard]] const SlotMap &map() const { return m_map; }

    /// What is to be done before the next command: connects to the one server, or asks anew who has
    /// which slots where there is reason to, at most once a second.
    [[nodiscard]] Result<void> ensureOpen();
    /// The node that has the slot of `key`, connected.
    [[nodiscard]] Result<RedisConnection *> connectionFor(const QByteArray &key);
    /// The same where it is connected already; nullptr: it is not. Waits for nothing.
    [[nodiscard]] RedisConnection *openConnectionFor(const QByteArray &key);
    /// By what is known now the key is at the node behind `connection`; where nobody may ask for
    /// the map, as far as no node said otherwise.
    [[nodiscard]] bool isAt(const QByteArray &key, const RedisConnection &connection) const;
    /// A node is not what the map says: it is asked for anew.
    void doubtMap() { m_isDoubted = true; }
    /// All primaries that can be reached, connected. Fails where none can.
    [[nodiscard]] Result<QList<RedisConnection *>> nodes();
    /// The same; `missing` takes why these are not all.
    [[nodiscard]] Result<QList<RedisConnection *>> nodes(std::optional<Error> &missing);
    /// All primaries. Fails where one of them is not known or cannot be reached.
    [[nodiscard]] Result<QList<RedisConnection *>> allNodes();

    /// Runs `look(connection)`, which answers a Result, with the node of `key`; again where the
    /// slot turns out to be elsewhere. An error that tells of the Cluster alone is Unreachable.
    template <typename Look>
    [[nodiscard]] std::invoke_result_t<Look, RedisConnection &> at(const QByteArray &key, Look look)
    {
        if (!isCluster())
            return look(m_alone);
        for (int hop = 0;; ++hop) {
            const Result<RedisConnection *> node = connectionFor(key);
            if (!node)
                return passOn(node);
            auto seen = look(**node);
            if (seen)
                return seen;
            if (!isElsewhere(seen.error(), **node, hop))
                return tl::unexpected(ofCluster(seen.error()));
        }
    }

    /// Behind `ensureOpen`, with Act access: sends one command for each of `keys`, each to the node
    /// of its key, and reads the replies; to all nodes is written before any is read, and all of
    /// them share the time to reply. A command that met a slot which moved, or a script that was
    /// forgotten, is sent again, at most three times, and no other with it. Of a Cluster each
    /// answer fails for itself; one server fails as `RedisConnection::exchange` does.
    [[nodiscard]] Result<QList<Answer>> exchange(const QByteArrayList &keys, const Encode &encode);

private:
    struct Node
    {
        HostPort address;
        RedisConnection connection;
        QDeadlineTimer rest{0}; ///< until then it is not connected to again
    };
    struct Round; ///< one writing to nodes and reading from them
    static constexpr int mostHops = 3;

    [[nodiscard]] Result<void> readMap();
    [[nodiscard]] Result<SlotMap> mapOf(const HostPort &node);
    [[nodiscard]] QList<HostPort> addresses() const;
    [[nodiscard]] Node &nodeAt(const HostPort &address);
    /// Of the key's slot; it may not be connected yet.
    [[nodiscard]] Result<Node *> ownerOf(const QByteArray &key);
    [[nodiscard]] Result<void> connect(Node &node);
    /// True where the map knows better now, so that asking again makes sense.
    [[nodiscard]] bool follow(const RedisReply &reply, const RedisConnection &from);
    [[nodiscard]] bool isElsewhere(const Error &error, const RedisConnection &from, int hop);
    [[nodiscard]] static Error ofCluster(const Error &error);
    [[nodiscard]] Result<void> send(Round &round, const QByteArray &key, qsizetype command);
    /// Sends what was put into RESP form for one node.
    [[nodiscard]] Result<void> flush(Round &round);
    [[nodiscard]] Result<void> receive(Round &round);

    RedisEndpoint m_endpoint;
    RedisConnection::Access m_access = RedisConnection::Access::ReadOnly;
    QString m_clientName;
    std::chrono::milliseconds m_timeout{3000};
    RedisConnection m_alone;
    std::vector<std::unique_ptr<Node>> m_nodes; ///< none goes before the link is closed
    SlotMap m_map;
    HostPort m_told; ///< who said last who has which slots; asked last the next time
    bool m_hasMap = false;
    bool m_mayAsk = true; ///< false: the user lacks the right, and the map is what nodes replied
    bool m_isDoubted = false; ///< the map may be out of date
    QElapsedTimer m_sinceMap; ///< it was asked for
};

} // namespace outbox
