// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Compares an outbox with its queue and reports every inconsistency that stands in two looks.
#pragma once

#include "app/operations/reconcile/scancontext.h"
#include "models/operations/scanreport.h"
#include "models/operations/selection.h"
#include "models/system/snapshots.h"

namespace outbox {

// Blocking; in the operator's room, with the pair that only looks: no lock, no write. Pages and
// pauses keep it from slowing the servers, so it may run beside relays and workers; what they move
// between two looks is no finding.
// Errors: those of the inspector and of the store.

/// Looks at everything that `terms` name. It ends early, with a position to resume at, when it is
/// stopped or its budget is spent. A source that fails ends it with a note and without a position;
/// it fails as a whole only when no source answers.
[[nodiscard]] Result<ScanReport> reconciled(OperatorSession &session, const ScanOptions &terms,
                                            const ScanContext::Progressed &progressed = {},
                                            const std::stop_token &stop = {});
/// Looks at the ids of `selection` alone.
[[nodiscard]] Result<ScanReport> reconciledAt(OperatorSession &session, const ScanOptions &terms,
                                              const Selection &selection,
                                              const std::stop_token &stop = {});

struct ConditionFacts
{
    QList<QueueName> queues; ///< looked at, with tasks or keys in them
    QSet<QString> servedQueues; ///< by live servers
    std::optional<double> databaseOffset; ///< s, its clock minus ours
    std::optional<double> redisOffset;
    std::optional<RedisMark> redis;
    std::optional<RedisMark> redisBefore;
    qint64 retentionSeconds = 86'400; ///< of the profile
    int shortestRetention = -1; ///< s, seen among the outbox's tasks; -1: none was seen
    qint64 retryHorizonSeconds = 3'600;
};

/// What is wrong with settings, clocks and servers rather than with a message: pure.
[[nodiscard]] QList<Finding> conditionsOf(const ConditionFacts &facts);

} // namespace outbox
