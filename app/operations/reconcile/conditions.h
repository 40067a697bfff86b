// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is wrong with settings, clocks and servers rather than with a message: pure.
#pragma once

#include "models/operations/scanreport.h"
#include "models/system/snapshots.h"

namespace outbox {

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

[[nodiscard]] QList<Finding> conditionsOf(const ConditionFacts &facts);

} // namespace outbox
