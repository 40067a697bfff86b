// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/health/promise.h"

#include "models/translation.h"

#include <QStringList>
#include <QVersionNumber>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation promiseText("outbox::Promise");

QString crashPart(const RedisFacts &facts, const DurabilityTerms &terms)
{
    if (!facts.aofEnabled) {
        return promiseText(
            "No append-only file: what Redis took since its last snapshot is lost when "
            "its process dies");
    }
    if (facts.aofLastWriteStatus == "err"_L1)
        return promiseText(
            "Redis cannot write its append-only file: what it takes now may be lost");
    if (terms.waitAof) { // whatever appendfsync says
        return promiseText(
            "No loss if the Redis process or its host dies and comes back with its disk (each "
            "batch is there before its rows are given up)");
    }
    if (terms.appendFsync == "always"_L1)
        return promiseText("No loss if the Redis process or its host dies");
    if (terms.appendFsync == "no"_L1) {
        return promiseText(
            "No loss if the Redis process dies; unflushed messages are lost if its host "
            "dies");
    }
    return promiseText(
        "No loss if the Redis process dies; up to about 2 s of acknowledged messages if "
        "its host dies");
}

QString failoverPart(const RedisFacts &facts, const DurabilityTerms &terms)
{
    if (terms.waitReplicas > 0) {
        return terms.waitReplicas == 1
            ? promiseText("each batch waits for one replica")
            : promiseText("each batch waits for %n replicas", nullptr, terms.waitReplicas);
    }
    if (facts.connectedReplicas > 0)
        return promiseText("a failover may lose any number (no WAIT)");
    return {};
}

} // namespace

QString whyDiskIsMistold(const RedisFacts &facts)
{
    const auto version = QVersionNumber::fromString(facts.version);
    const auto valkey = QVersionNumber::fromString(facts.valkeyVersion);
    const bool isValkey = !facts.valkeyVersion.isEmpty();
    const bool isEarly = isValkey ? valkey >= QVersionNumber(8)
                                  : version >= QVersionNumber(7, 4) && version < QVersionNumber(8);
    if (!isEarly)
        return {};
    return promiseText("%1 %2 says that a batch is on its disk before it is (WAITAOF under "
                       "everysec): Redis 7.2, or 8.0 and newer, does not.")
        .arg(isValkey ? u"Valkey"_s : u"Redis"_s, isValkey ? facts.valkeyVersion : facts.version);
}

QString whyNoWaitForDisk(const RedisFacts &facts)
{
    if (const QString why = whyDiskIsMistold(facts); !why.isEmpty())
        return why;
    const auto version = QVersionNumber::fromString(facts.version);
    if (!version.isNull() && version < QVersionNumber(7, 2)) {
        return promiseText("Redis %1 does not tell what is on its disk: 7.2 or newer does.")
            .arg(facts.version);
    }
    if (!facts.aofEnabled)
        return promiseText("This Redis keeps no append-only file: nothing is on its disk in time.");
    return {};
}

bool evictsTasks(const QString &maxMemoryPolicy)
{
    return maxMemoryPolicy.startsWith("allkeys-"_L1);
}

QString promise(const RedisFacts &facts, const DurabilityTerms &terms)
{
    if (evictsTasks(facts.maxMemoryPolicy) && facts.maxMemory > 0) {
        return promiseText("Nothing is promised: Redis may evict queued messages (%1).")
            .arg(facts.maxMemoryPolicy);
    }
    QStringList parts{crashPart(facts, terms)};
    if (const QString failover = failoverPart(facts, terms); !failover.isEmpty())
        parts += failover;
    if (terms.barrier) {
        parts += *terms.barrier
            ? promiseText("no row is sent before it is on the database's disk")
            : promiseText("a row that its writer committed asynchronously may be sent and then be "
                          "undone by a crash of the database (no barrier)");
    }
    if (terms.rowsAreKept)
        parts += promiseText("delivered rows are kept, so a loss can be found and repaired");
    return parts.join("; "_L1) + u'.';
}

namespace {

/// Tasks may not be taken, or may vanish.
QString whyNotTrusted(const RedisFacts &facts)
{
    if (facts.role == "slave"_L1)
        return promiseText("This Redis is a replica and refuses writes.");
    if (facts.maxMemoryPolicy.isEmpty()) {
        return promiseText(
            "Redis does not tell its eviction policy: queued messages might be evicted.");
    }
    if (facts.maxMemoryPolicy != "noeviction"_L1
        && !facts.maxMemoryPolicy.startsWith("volatile-"_L1)) {
        return promiseText(
                   "Redis may evict queued messages: maxmemory-policy is %1, not noeviction.")
            .arg(facts.maxMemoryPolicy);
    }
    return {};
}

} // namespace

QString whyNoRelayCan(const RedisFacts &facts)
{
    if (facts.mode != "cluster"_L1)
        return {};
    return promiseText("This is one node of a Redis Cluster: name the Cluster, "
                       "redis+cluster://HOST:PORT.");
}

QString whyRelayMustNotStart(const RedisFacts &facts)
{
    const QString why = whyNoRelayCan(facts);
    return why.isEmpty() ? whyNotTrusted(facts) : why;
}

QString whyNoRelayCanOverNode(const RedisFacts &facts)
{
    if (facts.mode == "cluster"_L1)
        return {};
    return promiseText("This Redis is no node of a Cluster: name it redis://HOST:PORT/DB.");
}

QString whyRelayMustNotUseNode(const RedisFacts &facts)
{
    const QString why = whyNoRelayCanOverNode(facts);
    return why.isEmpty() ? whyNotTrusted(facts) : why;
}

} // namespace outbox
