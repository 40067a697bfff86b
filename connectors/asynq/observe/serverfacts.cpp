// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/observe/serverfacts.h"

#include "connectors/asynq/observe/reading.h"
#include "models/health/promise.h"

#include <QHash>

#include <algorithm>
#include <cmath>

namespace outbox::asynq {

using namespace Qt::Literals::StringLiterals;

namespace {

/// The node whose memory sums over all nodes would hide: one that may evict tasks, else the fullest
/// one where that is nearly full; nullptr where there is none.
const RedisFacts *nodeShortOfMemory(const QList<RedisFacts> &nodes)
{
    constexpr double nearlyFull = 0.9;
    const RedisFacts *found = nullptr;
    double most = nearlyFull;
    for (const RedisFacts &node : nodes) {
        if (node.maxMemory <= 0)
            continue;
        if (evictsTasks(node.maxMemoryPolicy))
            return &node;
        const double part
            = static_cast<double>(node.usedMemory) / static_cast<double>(node.maxMemory);
        if (part <= most)
            continue;
        most = part;
        found = &node;
    }
    return found;
}

} // namespace

Result<RedisFacts> readFacts(RedisConnection &connection)
{
    const QString doing = u"reading the facts of Redis"_s;
    // One section a command: Redis 6 takes no more.
    const QDateTime before = QDateTime::currentDateTimeUtc();
    const auto replies = TRY(ask(connection,
                                 {{"TIME"},
                                  {"DBSIZE"},
                                  {"INFO", "server"},
                                  {"INFO", "memory"},
                                  {"INFO", "persistence"},
                                  {"INFO", "replication"},
                                  {"INFO", "clients"}},
                                 doing));
    for (const RedisReply &reply : replies) {
        if (reply.isError())
            return tl::unexpected(errorFromReply(reply, doing, connection.asker()));
    }
    const QDateTime after = QDateTime::currentDateTimeUtc();

    QHash<QByteArray, QByteArray> info;
    for (const RedisReply &section : replies.mid(2)) {
        for (const QByteArray &line : section.bytes.split('\n')) {
            const qsizetype colon = line.indexOf(':');
            if (colon > 0)
                info.insert(line.left(colon), line.mid(colon + 1).trimmed());
        }
    }
    RedisFacts facts;
    facts.version = QString::fromUtf8(info.value("redis_version"));
    facts.valkeyVersion = QString::fromUtf8(info.value("valkey_version"));
    facts.mode = QString::fromUtf8(info.value("redis_mode"));
    facts.role = QString::fromUtf8(info.value("role"));
    facts.runId = QString::fromUtf8(info.value("run_id"));
    facts.dbSize = replies.at(1).integer;
    facts.usedMemory = info.value("used_memory").toLongLong();
    facts.maxMemory = info.value("maxmemory").toLongLong();
    facts.maxMemoryPolicy = QString::fromUtf8(info.value("maxmemory_policy"));
    facts.aofEnabled = info.value("aof_enabled") == "1";
    facts.aofLastWriteStatus = QString::fromUtf8(info.value("aof_last_write_status"));
    facts.rdbLastSaveStatus = QString::fromUtf8(info.value("rdb_last_bgsave_status"));
    facts.loading = info.value("loading") == "1";
    facts.connectedReplicas = info.value("connected_slaves").toInt();
    facts.connectedClients = info.value("connected_clients").toInt();
    const QDateTime middle = before.addMSecs(before.msecsTo(after) / 2);
    facts.clockOffsetSeconds
        = static_cast<double>(middle.msecsTo(redisTime(replies.first()))) / 1000;
    return facts;
}

RedisFacts ofAllNodes(const QList<RedisFacts> &nodes)
{
    RedisFacts all = nodes.value(0);
    for (const RedisFacts &node : nodes.mid(1)) {
        all.runId += u' ' + node.runId;
        all.dbSize += node.dbSize;
        all.usedMemory += node.usedMemory;
        const bool haveLimits = all.maxMemory > 0 && node.maxMemory > 0;
        all.maxMemory = haveLimits ? all.maxMemory + node.maxMemory : 0;
        all.connectedClients += node.connectedClients;
        // A failover of any of them may lose something.
        all.connectedReplicas = std::max(all.connectedReplicas, node.connectedReplicas);
        all.aofEnabled = all.aofEnabled && node.aofEnabled;
        all.loading = all.loading || node.loading;
        if (node.role != "master"_L1)
            all.role = node.role;
        if (node.maxMemoryPolicy != "noeviction"_L1 && !evictsTasks(all.maxMemoryPolicy))
            all.maxMemoryPolicy = node.maxMemoryPolicy;
        if (node.aofLastWriteStatus == "err"_L1)
            all.aofLastWriteStatus = node.aofLastWriteStatus;
        if (node.rdbLastSaveStatus == "err"_L1)
            all.rdbLastSaveStatus = node.rdbLastSaveStatus;
        if (std::abs(node.clockOffsetSeconds) > std::abs(all.clockOffsetSeconds))
            all.clockOffsetSeconds = node.clockOffsetSeconds;
    }
    if (const RedisFacts *node = nodeShortOfMemory(nodes)) {
        all.usedMemory = node->usedMemory;
        all.maxMemory = node->maxMemory;
    }
    return all;
}

} // namespace outbox::asynq
