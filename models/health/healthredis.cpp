// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/health/healthrules.h"

#include "models/health/healthwords.h"
#include "models/phrases.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using healthwords::healthText;

namespace {

HealthCause finding(HealthLevel level, HealthReason reason, const QString &text)
{
    return {level, text, {}, {}, reason};
}

/// Why nothing can be written; empty where it can, as far as is known.
QString whyRefused(const HealthInput &input, const RedisFacts *redis)
{
    for (const std::optional<Error> &error : {input.queueError, input.relayError}) {
        if (!error)
            continue;
        if (error->code == "OOM"_L1)
            return healthText("out of memory");
        if (error->code == "READONLY"_L1)
            return healthText("it is a replica");
        if (error->code == "MISCONF"_L1)
            return healthText("it cannot save to its disk");
        if (error->code == "NOREPLICAS"_L1)
            return healthText("too few replicas");
    }
    if (!redis)
        return {};
    if (redis->role == "slave"_L1)
        return healthText("it is a replica");
    if (redis->aofEnabled && redis->aofLastWriteStatus == "err"_L1)
        return healthText("it cannot write its append-only file");
    const bool isFull = redis->maxMemory > 0 && redis->usedMemory >= redis->maxMemory
        && !evictsTasks(redis->maxMemoryPolicy);
    return isFull ? healthText("out of memory") : QString();
}

HealthCause eviction(const RedisFacts &redis)
{
    if (redis.maxMemory > 0) {
        return finding(HealthLevel::Broken, HealthReason::EvictionOn,
                       healthText("Redis may evict queued messages (%1): messages can be lost.")
                           .arg(redis.maxMemoryPolicy));
    }
    return finding(HealthLevel::Watch, HealthReason::EvictionLooms,
                   healthText("Redis would evict queued messages (%1) if a memory limit were set.")
                       .arg(redis.maxMemoryPolicy));
}

HealthCause lost(const RedisLoss &loss, const QDateTime &now)
{
    const QString at = momentText(loss.at, now);
    if (isOfMost(loss)) {
        return finding(
            HealthLevel::Broken, HealthReason::RedisLostRecords,
            healthText("Redis lost its contents at %1: of %2 keys %3 were left. What was "
                       "queued may be gone.")
                .arg(at, countText(loss.before), countText(loss.after)));
    }
    return finding(
        HealthLevel::Watch, HealthReason::RedisLostRecords,
        healthText("Redis began again at %1 with %2 keys of %3, and keeps no append-only "
                   "file: what came in since its last save may be gone.")
            .arg(at, countText(loss.after), countText(loss.before)));
}

} // namespace

bool isOfMost(const RedisLoss &loss)
{
    constexpr qint64 aFew = 100;
    return loss.after == 0 || (loss.before >= aFew && loss.after * 2 <= loss.before);
}

std::optional<RedisLoss> lossBetween(const RedisFacts &before, const RedisFacts &now,
                                     const QDateTime &at)
{
    const RedisLoss loss{at, before.dbSize, now.dbSize};
    if (before.runId.isEmpty() || loss.after >= loss.before)
        return std::nullopt;
    if (before.runId == now.runId) // a queue leaves its name behind, so it is not emptied by work
        return loss.after == 0 ? std::optional(loss) : std::nullopt;
    return isOfMost(loss) || !now.aofEnabled ? std::optional(loss) : std::nullopt;
}

QList<HealthCause> redisFindings(const HealthInput &input, const RedisFacts *redis,
                                 const HealthLimits &limits)
{
    QList<HealthCause> found;
    if (const auto &loss = input.redisLoss; loss
        && (isOfMost(*loss) || static_cast<double>(loss->at.secsTo(input.now)) < limits.partLost))
        found += lost(*loss, input.now);
    if (const QString why = whyRefused(input, redis); !why.isEmpty()) {
        found
            += finding(HealthLevel::Broken, HealthReason::WritesRefused,
                       healthText("Redis refuses writes (%1): nothing can be delivered.").arg(why));
    }
    if (redis && evictsTasks(redis->maxMemoryPolicy))
        found += eviction(*redis);
    if (redis && redis->rdbLastSaveStatus == "err"_L1) {
        found += finding(HealthLevel::Watch, HealthReason::SnapshotFailing,
                         healthText("The last snapshot of Redis failed; it may refuse writes."));
    }
    return found;
}

} // namespace outbox
