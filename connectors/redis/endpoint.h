// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where a Redis is and how to get in: redis://, rediss://, redis+unix://, and those of sentinels
// and of Clusters, as values.
#pragma once

#include "connectors/redis/hostlist.h"
#include "models/result.h"

#include <QString>

#include <optional>

namespace outbox {

/// Where nothing else is said.
inline constexpr quint16 usualRedisPort = 6379;
inline constexpr quint16 usualSentinelPort = 26'379;

/// Whom to ask where the master of this name is.
struct SentinelGroup
{
    QList<HostPort> hosts;
    QString master; ///< the name by which they watch it
    QString user; ///< of the sentinels; empty: AUTH with the password alone, if there is one
    QString password; ///< of the sentinels; never shown, logged or saved
    bool tls = false;

    /// "s1:26379,s2:26379/main": where the Redis is, without users and options.
    [[nodiscard]] QString text() const;
    bool operator==(const SentinelGroup &) const = default;
};

struct RedisEndpoint
{
    enum class Transport { Tcp, Unix, Tls };
    Transport transport = Transport::Tcp;
    QString host = QStringLiteral("localhost");
    quint16 port = usualRedisPort;
    QString socketPath; ///< Unix
    QString user; ///< empty: AUTH with the password alone, if there is one
    QString password; ///< never shown, logged or saved
    bool passwordInUrl = false; ///< the caller warns about it
    int database = 0;
    QString caFile; ///< Tls: PEM; empty = the system's certificates
    QString certificateFile; ///< Tls: client certificate, PEM
    QString keyFile; ///< Tls: its key, PEM
    QString serverName; ///< Tls: name to check instead of `host`
    /// Where they are, `host` and `port` mean nothing: the sentinels tell them.
    std::optional<SentinelGroup> sentinels;
    /// Nodes of a Cluster that are asked for the others, the first one being `host`; empty: this is
    /// one server. A Cluster has no database but 0.
    QList<HostPort> seeds;

    /// Reads `redis://[user[:password]@]host[:port][/db]`, `rediss://…` with
    /// `?ca=&cert=&key=&server_name=`, `redis+unix:///path?db=N&user=…`,
    /// `redis+sentinel://[user[:password]@]s1[:port],s2/name[/db]`; `rediss+sentinel://…` has TLS
    /// to all, with `?sentinel_tls=no` to the data nodes alone; `?sentinel_user=`. Also asynq's
    /// `redis-sentinel://[:password@]s1,s2[/db]?master=name`, whose password is that of the
    /// sentinels. And `redis+cluster://[user[:password]@]h1[:port],h2` with `rediss+cluster://…`.
    /// Fails with Invalid (or Unsupported for looks at replicas).
    [[nodiscard]] static Result<RedisEndpoint> fromUrl(const QString &url);
    [[nodiscard]] bool isCluster() const { return !seeds.isEmpty(); }
    /// One node of the Cluster, as a server of its own.
    [[nodiscard]] RedisEndpoint ofNode(const HostPort &node) const;
    /// For people and logs: never holds a password. It is read as the same again.
    [[nodiscard]] QString shown() const;
    bool operator==(const RedisEndpoint &) const = default;
};

} // namespace outbox
