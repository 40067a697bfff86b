// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The Redis of a test, as one server or, with OUTBOX_QUEUE=cluster, as a Cluster of one node: a
// plain connection does there what it likes, while the code under test is told the Cluster's
// address. So the same tests hold for both.
#pragma once

#include "app/demo/privateserver.h"
#include "connectors/redis/cluster/slots.h"
#include "tests/support/freeport.h"
#include "tests/support/redishand.h"

#include <QElapsedTimer>
#include <QFile>

#include <thread>

namespace outbox {

[[nodiscard]] inline bool isQueueOfCluster()
{
    return qEnvironmentVariable("OUTBOX_QUEUE") == QLatin1String("cluster");
}

/// A set of tokens that the Redis of a test has in one slot with the attempts.
[[nodiscard]] inline QByteArray tokenSetName()
{
    return isQueueOfCluster() ? "{tokens}" : "tokens";
}

/// Where the port of the Cluster's node stands: a server that is started again keeps it.
[[nodiscard]] inline QString queuePortFile(const PrivateRedis &server)
{
    return server.folder() + QStringLiteral("/queueport");
}

/// The port of the Cluster's node; empty where it is one server.
[[nodiscard]] inline QString queuePort(const PrivateRedis &server)
{
    QFile file(queuePortFile(server));
    return file.open(QIODevice::ReadOnly) ? QString::fromLatin1(file.readAll()) : QString();
}

/// What the code under test is told.
[[nodiscard]] inline QString queueUrlOf(const PrivateRedis &server)
{
    const QString port = queuePort(server);
    return port.isEmpty() ? server.url() : QStringLiteral("redis+cluster://127.0.0.1:") + port;
}

/// Gives all slots to the one node, and waits until it serves them.
[[nodiscard]] inline Result<void> takeAllSlots(const PrivateRedis &server)
{
    const QString doing = QStringLiteral("getting a cluster of one node ready");
    RedisConnection hand;
    if (const auto opened = openByHand(hand, server); !opened)
        return passOn(opened);
    RedisCommand owned{"CLUSTER", "ADDSLOTS"};
    for (int slot = 0; slot < slotCount; ++slot)
        owned += QByteArray::number(slot);
    QElapsedTimer clock;
    clock.start();
    for (bool isAsked = false; clock.elapsed() < 30'000; std::this_thread::yield()) {
        const auto told = hand.command({"CLUSTER", "INFO"}, doing);
        if (!told)
            return passOn(told);
        if (told->bytes.contains("cluster_state:ok"))
            return {};
        if (isAsked || !told->bytes.contains("cluster_slots_assigned:0"))
            continue;
        isAsked = true;
        if (const auto added = hand.command(owned, doing); !added)
            return passOn(added);
    }
    return fail(Error::Kind::Timeout, doing, QStringLiteral("it does not serve its slots"));
}

/// For OUTBOX_START_SERVER: `OUTBOX_START_SERVER(QueueStart{m_redis})`.
struct QueueStart
{
    PrivateRedis &server;

    /// Errors: those of `PrivateRedis` and of `RedisConnection`.
    [[nodiscard]] Result<void> start(const QStringList &extra = {}) const
    {
        if (!isQueueOfCluster())
            return server.start(extra);
        constexpr int mostStarts = 5; // a port may be taken before the server has it
        Result<void> started;
        for (int attempt = 0; attempt < mostStarts; ++attempt) {
            QString port = queuePort(server);
            if (port.isEmpty()) // the node listens on one that is 10,000 higher as well
                port = QString::number(freePort() % 20'000 + 10'000);
            started
                = server.start(QStringList{QStringLiteral("--cluster-enabled"),
                                           QStringLiteral("yes"), QStringLiteral("--port"), port,
                                           QStringLiteral("--bind"), QStringLiteral("127.0.0.1")}
                               + extra);
            if (!started && started.error().kind == Error::Kind::Unsupported)
                return started;
            if (!started)
                continue;
            QFile file(queuePortFile(server));
            if (!file.open(QIODevice::WriteOnly) || file.write(port.toLatin1()) < 0)
                return fail(Error::Kind::Invalid, QStringLiteral("keeping a port"),
                            file.errorString());
            file.close();
            return takeAllSlots(server);
        }
        return started;
    }
};

} // namespace outbox
