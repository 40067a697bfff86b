// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/reconcile/conditions.h"

#include "models/phrases.h"

#include <algorithm>
#include <cmath>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr double mostSkewSeconds = 2;

Finding condition(FindingKind kind, const QString &subject, const QString &evidence)
{
    Finding finding;
    finding.kind = kind;
    finding.subject = subject;
    finding.evidence = evidence;
    finding.reason = textOf(kind).repair;
    return finding;
}

std::optional<Finding> retention(const ConditionFacts &facts)
{
    const qint64 seen
        = facts.shortestRetention < 0 ? facts.retentionSeconds : qint64(facts.shortestRetention);
    const qint64 shortest = std::min(seen, facts.retentionSeconds);
    if (shortest >= facts.retryHorizonSeconds)
        return std::nullopt;
    return condition(FindingKind::ShortRetention, u"retention"_s,
                     u"ids are kept for %1 at the shortest; a relay may need %2 to try again"_s.arg(
                         spanText(static_cast<double>(shortest)),
                         spanText(static_cast<double>(facts.retryHorizonSeconds))));
}

std::optional<Finding> clocks(const ConditionFacts &facts)
{
    const double database = facts.databaseOffset.value_or(0);
    const double redis = facts.redisOffset.value_or(0);
    const bool both = facts.databaseOffset && facts.redisOffset;
    const double between = both ? std::abs(database - redis) : 0;
    if (std::max({std::abs(database), std::abs(redis), between}) <= mostSkewSeconds)
        return std::nullopt;
    QStringList parts;
    if (facts.databaseOffset)
        parts += u"database %1 s"_s.arg(database, 0, 'f', 1);
    if (facts.redisOffset)
        parts += u"Redis %1 s"_s.arg(redis, 0, 'f', 1);
    return condition(FindingKind::ClockSkew, u"clocks"_s,
                     u"against this computer: %1"_s.arg(parts.join(u", "_s)));
}

/// Another process with less than half of the keys; a planned restart keeps them.
std::optional<Finding> lostData(const ConditionFacts &facts)
{
    if (!facts.redis || !facts.redisBefore)
        return std::nullopt;
    const RedisMark &now = *facts.redis;
    const RedisMark &before = *facts.redisBefore;
    const bool emptied = before.keys > 0 && now.keys == 0;
    if (!emptied && (now.runId == before.runId || now.keys * 2 >= before.keys))
        return std::nullopt;
    return condition(FindingKind::RedisLostData, now.runId,
                     u"%1 keys now, %2 before%3"_s.arg(
                         countText(now.keys), countText(before.keys),
                         now.runId == before.runId ? QString() : u", and it is another process"_s));
}

} // namespace

QList<Finding> conditionsOf(const ConditionFacts &facts)
{
    QList<Finding> findings;
    for (const auto &found : {retention(facts), clocks(facts), lostData(facts)}) {
        if (found)
            findings += *found;
    }
    for (const QueueName &queue : facts.queues) {
        if (facts.servedQueues.contains(queue.text))
            continue;
        Finding finding
            = condition(FindingKind::ServedByNobody, queue.text, u"no live server names it"_s);
        finding.queue = queue;
        findings += finding;
    }
    return findings;
}

} // namespace outbox
