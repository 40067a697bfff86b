// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One master of Redis, its replicas, and three sentinels that watch them: real processes on ports
// of their own.
#pragma once

#include "app/demo/privateserver.h"
#include "connectors/redis/connection.h"
#include "tests/support/faultproxy.h"
#include "tests/support/testcertificates.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace outbox {

/// How a sentinel of a test is started.
struct SentinelStart
{
    int quorum = 2; ///< so many of them must find the master dead
    RedisTls tls{};
    bool isPlain = false; ///< TLS to the servers that it watches, and none to who asks it
    int epoch = 0; ///< it says so of its configuration
    QString from{}; ///< the address that its connections come from; empty: any
};

/// A sentinel that calls what it watches "main".
/// Errors: those of `PrivateServer`, and of `RedisConnection`.
class PrivateSentinel : public PrivateServer
{
public:
    PrivateSentinel();
    /// Watches the Redis at this port of this machine.
    [[nodiscard]] Result<void> start(quint16 masterPort, const SentinelStart &how = {});
    [[nodiscard]] HostPort at() const { return {QStringLiteral("127.0.0.1"), m_port}; }
    /// As somebody writes it who takes it for a Redis.
    [[nodiscard]] QString url() const;
    /// What it watches.
    [[nodiscard]] QString urlOfMaster() const;
    /// One command by hand.
    [[nodiscard]] Result<RedisReply> ask(const RedisCommand &command) const;
    /// Where it says that the master is; 0 = it says nothing.
    [[nodiscard]] quint16 masterPort() const;

private:
    quint16 m_port = 0;
    SentinelStart m_how;
};

/// Errors: those of `PrivateServer`; Timeout where they do not find each other.
class SentinelWorld
{
public:
    static constexpr std::size_t sentinels = 3;

    /// Waits until each sentinel knows the others and all replicas, which have caught up. With
    /// `tls` all of them have no port of plain TCP.
    [[nodiscard]] Result<void> start(int replicas, const RedisTls &tls = {});
    /// The same without TLS, and with a line before each node, so that `part` can be told. Needs
    /// Redis 7.0 or Valkey.
    [[nodiscard]] Result<void> startBehindLines(int replicas);
    /// Sentinels and other nodes lose this node, and it loses them; clients of it notice nothing.
    void part(std::size_t number);
    /// Ends what `part` began.
    void join(std::size_t number);
    /// Of all sentinels: "redis+sentinel://…/main/0", or "rediss+sentinel://…" with its options.
    [[nodiscard]] QString url() const;
    [[nodiscard]] RedisEndpoint endpoint() const;
    /// The first one is the master at the start.
    [[nodiscard]] PrivateRedis &node(std::size_t number) { return *m_nodes.at(number); }
    [[nodiscard]] quint16 port(std::size_t number) const { return m_ports.at(number); }
    [[nodiscard]] PrivateSentinel &sentinel(std::size_t number) { return *m_sentinels.at(number); }
    [[nodiscard]] std::size_t nodes() const { return m_nodes.size(); }
    /// The node that all sentinels call the master; none while they do not agree.
    [[nodiscard]] std::optional<std::size_t> master() const;
    /// Whether the sentinels agree and find all nodes well, and all others follow the master.
    [[nodiscard]] bool isWhole() const;
    /// Starts a node that was killed again: an empty replica of `behind`. Does not wait for it.
    [[nodiscard]] Result<void> revive(std::size_t number, std::size_t behind);
    /// Has the first sentinel begin a planned failover; false where it cannot yet.
    [[nodiscard]] bool failOver();

private:
    /// What redis-server is started with; a replica of `behind`.
    [[nodiscard]] QStringList arguments(std::size_t number,
                                        std::optional<std::size_t> behind) const;
    /// Where the node with this number will be found.
    [[nodiscard]] Result<quint16> makePort(std::size_t number);
    [[nodiscard]] bool haveCaughtUp(std::size_t with) const;
    [[nodiscard]] bool knowEachOther() const;

    std::vector<std::unique_ptr<PrivateRedis>> m_nodes;
    std::vector<std::unique_ptr<FaultProxy>> m_lines; ///< to each node; empty without lines
    std::vector<quint16> m_ports; ///< of the nodes, or of their lines
    std::vector<std::unique_ptr<PrivateSentinel>> m_sentinels;
    RedisTls m_tls;
};

} // namespace outbox
