// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where the master is: what sentinels say, and what the node says of itself.
#pragma once

#include "connectors/redis/endpoint.h"

#include <QByteArray>
#include <QDeadlineTimer>
#include <QStringList>

#include <chrono>
#include <functional>

namespace outbox {

class RedisConnection;

/// How to get in to one of the sentinels of `endpoint`.
[[nodiscard]] RedisEndpoint sentinelEndpoint(const RedisEndpoint &endpoint, const HostPort &at);

/// What one sentinel says of a master.
struct SentinelAnswer
{
    std::optional<HostPort> master; ///< nullopt: it watches none of this name
    QByteArray runId; ///< of the master; empty: not told
    qint64 epoch = 0; ///< of its configuration: each failover has a higher one; 0: not told
    int failoverTimeoutMs = 180'000; ///< what Redis takes where it is not told
    /// It is at a failover of it, and has promoted nobody yet; nullopt: not told.
    std::optional<bool> failsOver;
    QList<HostPort> sentinels; ///< the others that it knows
    QList<HostPort> replicas; ///< of the master; empty: none, not told, or not known yet
    QStringList known; ///< the names that it watches, where it does not watch this one
};

/// Asks the one sentinel behind `connection`, which is open. Fails as the connection does, and with
/// Unsupported where it is no sentinel.
[[nodiscard]] Result<SentinelAnswer> askSentinel(RedisConnection &connection,
                                                 const QString &master);

/// Blocking; used in the thread of the connection that it works for. Sentinels that it hears of
/// join the list for this run.
/// Errors: Unreachable where nobody names a node that is the master, or where sentinels contradict
/// each other, with what each sentinel said; Refused where they let nobody in or where their
/// certificates are not accepted, Invalid for a name that they do not know and for files without a
/// certificate. Others are those of the node.
class MasterSearch
{
public:
    /// Connects to a node, and has it say that it is a master. Fails with Unreachable or Timeout
    /// where the master may be another one.
    using Meet
        = std::function<Result<void>(const RedisEndpoint &node, const QDeadlineTimer &deadline)>;

    /// Asks the sentinels one after the other, the last good one first, and meets the node that
    /// those with the newest configuration name: one that was cut off, or has not heard of a
    /// failover yet, names the old master, which calls itself one for seconds. A node that most
    /// sentinels know neither as the master nor as a replica is not met: whoever names it watches
    /// other servers. One that has no replicas to tell of has no say in that. Nor is any node met
    /// where as many watch another master. `clientName` is what the sentinels are told.
    [[nodiscard]] Result<void> find(const RedisEndpoint &endpoint, const QString &clientName,
                                    std::chrono::milliseconds timeout, const Meet &meet);

private:
    struct Hearing;
    [[nodiscard]] Result<void> hear(const RedisEndpoint &endpoint, const QString &clientName,
                                    std::chrono::milliseconds timeout, Hearing &hearing);
    void moveTo(qsizetype place, const HostPort &sentinel);

    QList<HostPort> m_sentinels; ///< in the order in which they are asked
};

} // namespace outbox
