// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The durability line: what survives which crash, and why a relay must not start (correctness 3,
// 11).
#pragma once

#include "models/system/snapshots.h"

#include <QString>

#include <optional>

namespace outbox {

/// What Redis does not tell a viewer, and what the profile decides.
struct DurabilityTerms
{
    bool rowsAreKept
        = false; ///< the outbox keeps delivered rows, so a loss can be found and repaired
    int waitReplicas = 0; ///< replicas each batch waits for before COMMIT
    QString
        appendFsync; ///< "always", "everysec", "no" as stated by the operator; empty = not known
    /// Whether a relay sends a row only when it is on the database's disk; nullopt = nothing to
    /// say: no relay of ours, or a database that has no barrier.
    std::optional<bool> barrier;
    bool waitAof = false; ///< Redis has each batch on its disk before COMMIT

    bool operator==(const DurabilityTerms &) const = default;
};

/// One sentence; never promises more than the live settings allow.
[[nodiscard]] QString promise(const RedisFacts &facts, const DurabilityTerms &terms = {});

/// Why WAITAOF of this Redis is no proof: since a change of 2023 (redis/redis#12622) it answers for
/// what was only written, under everysec; Redis 8.0 mended that (#13793), Valkey did not. Empty: it
/// is one, as far as its version tells.
[[nodiscard]] QString whyDiskIsMistold(const RedisFacts &facts);

/// Why this Redis cannot say whether a batch is on its disk, as far as its facts tell; empty: it
/// may be able to. Who is asked for it may refuse it all the same.
[[nodiscard]] QString whyNoWaitForDisk(const RedisFacts &facts);

/// Policies that may drop a task: those that also evict keys without a time to live.
[[nodiscard]] bool evictsTasks(const QString &maxMemoryPolicy);

/// Why no relay can deliver into this Redis, whatever is overridden; empty when one can.
[[nodiscard]] QString whyNoRelayCan(const RedisFacts &facts);
/// Why a relay must not deliver into this Redis; empty when it may.
[[nodiscard]] QString whyRelayMustNotStart(const RedisFacts &facts);
/// The same of one node of a Redis Cluster that was named as one.
[[nodiscard]] QString whyNoRelayCanOverNode(const RedisFacts &facts);
[[nodiscard]] QString whyRelayMustNotUseNode(const RedisFacts &facts);

} // namespace outbox
