// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/promise.h"

#include <QCoreApplication>
#include <QStringList>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QString translated(const char *source, const char *comment = nullptr, int n = -1)
{
    return QCoreApplication::translate("outbox::Promise", source, comment, n);
}

QString crashPart(const RedisFacts &facts, const PromiseTerms &terms)
{
    if (!facts.aofEnabled) {
        return translated(
            "No append-only file: what Redis took since its last snapshot is lost when "
            "its process dies");
    }
    if (facts.aofLastWriteStatus == "err"_L1)
        return translated("Redis cannot write its append-only file: what it takes now may be lost");
    if (terms.appendFsync == "always"_L1)
        return translated("No loss if the Redis process or its host dies");
    if (terms.appendFsync == "no"_L1) {
        return translated(
            "No loss if the Redis process dies; unflushed messages are lost if its host "
            "dies");
    }
    return translated(
        "No loss if the Redis process dies; up to about 2 s of acknowledged messages if "
        "its host dies");
}

QString failoverPart(const RedisFacts &facts, const PromiseTerms &terms)
{
    if (terms.waitReplicas > 0) {
        return terms.waitReplicas == 1
            ? translated("each batch waits for one replica")
            : translated("each batch waits for %n replicas", nullptr, terms.waitReplicas);
    }
    if (facts.connectedReplicas > 0)
        return translated("a failover may lose any number (no WAIT)");
    return {};
}

} // namespace

bool evictsTasks(const QString &maxMemoryPolicy)
{
    return maxMemoryPolicy.startsWith("allkeys-"_L1);
}

QString promise(const RedisFacts &facts, const PromiseTerms &terms)
{
    if (evictsTasks(facts.maxMemoryPolicy) && facts.maxMemory > 0) {
        return translated("Nothing is promised: Redis may evict queued messages (%1).")
            .arg(facts.maxMemoryPolicy);
    }
    QStringList parts{crashPart(facts, terms)};
    if (const QString failover = failoverPart(facts, terms); !failover.isEmpty())
        parts += failover;
    if (terms.barrier) {
        parts += *terms.barrier
            ? translated("no row is sent before it is on the database's disk")
            : translated("a row that its writer committed asynchronously may be sent and then be "
                         "undone by a crash of the database (no barrier)");
    }
    if (terms.rowsAreKept)
        parts += translated("delivered rows are kept, so a loss can be found and repaired");
    return parts.join("; "_L1) + u'.';
}

QString whyNoRelayCan(const RedisFacts &facts)
{
    if (facts.mode == "cluster"_L1)
        return translated("This is a Redis Cluster, which is not spoken yet: a queue needs a Redis "
                          "that is none.");
    return {};
}

QString whyRelayMustNotStart(const RedisFacts &facts)
{
    if (const QString why = whyNoRelayCan(facts); !why.isEmpty())
        return why;
    if (facts.role == "slave"_L1)
        return translated("This Redis is a replica and refuses writes.");
    if (facts.maxMemoryPolicy.isEmpty()) {
        return translated(
            "Redis does not tell its eviction policy: queued messages might be evicted.");
    }
    if (facts.maxMemoryPolicy != "noeviction"_L1
        && !facts.maxMemoryPolicy.startsWith("volatile-"_L1)) {
        return translated(
                   "Redis may evict queued messages: maxmemory-policy is %1, not noeviction.")
            .arg(facts.maxMemoryPolicy);
    }
    return {};
}

} // namespace outbox
