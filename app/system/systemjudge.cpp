// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/systemjudge.h"

#include "app/settings/opening.h"

#include <utility>

namespace outbox {

SystemJudge::SystemJudge(const Profile &profile, SystemHistory &history)
    : m_history(history),
      m_watch(profile.environment == Environment::Demo ? HealthLimits::ofDemo() : HealthLimits())
{
    m_clock.start();
    m_input.retentionSeconds = profile.retentionSeconds;
    m_input.ownQueue = profile.ownQueue().text;
    m_input.databaseLookSeconds = m_input.queueLookSeconds = double(profile.refreshMs) / 1000;
    m_input.ofDocuments = profile.design.has_value();
    m_input.users = logInNamesOf(profile);
    m_input.hasQueue = !profile.isDatabaseOnly();
}

void SystemJudge::take(const OutboxSnapshot &outbox)
{
    m_outboxAt = now();
    m_input.outbox = {outbox, 0};
    m_history.addOutbox(QDateTime::currentDateTimeUtc(), outbox);
}

void SystemJudge::take(const QList<QueueSnapshot> &queues)
{
    m_queueAt = now();
    m_input.queues = {queues, 0};
    m_attempts.add(queues);
    m_input.attempts = m_attempts.counts();
    m_history.addQueues(QDateTime::currentDateTimeUtc(), queues);
}

void SystemJudge::take(const DedupSnapshot &dedup)
{
    m_dedupAt = now();
    m_input.dedup = {dedup, 0};
}

void SystemJudge::take(const RedisFacts &facts)
{
    m_redisAt = now();
    if (m_input.redis) {
        const auto loss = lossBetween(m_input.redis->value, facts, QDateTime::currentDateTimeUtc());
        const bool isWorseKnown = m_input.redisLoss && isOfMost(*m_input.redisLoss);
        if (loss && (isOfMost(*loss) || !isWorseKnown))
            m_input.redisLoss = loss;
    }
    m_input.redis = {facts, 0};
}

void SystemJudge::setPaused(bool paused)
{
    if (paused) {
        m_pausedAt = m_pausedAt.value_or(now());
    } else if (m_pausedAt) { // nobody asked meanwhile: that is no silence
        const double length = now() - *std::exchange(m_pausedAt, std::nullopt);
        for (double *at : {&m_outboxAt, &m_queueAt, &m_dedupAt, &m_redisAt})
            *at += length;
    }
}

HealthReport SystemJudge::judge()
{
    const double at = now();
    const auto age = [at](auto &seen, double when) {
        if (seen)
            seen->ageSeconds = at - when;
    };
    age(m_input.outbox, m_outboxAt);
    age(m_input.queues, m_queueAt);
    age(m_input.dedup, m_dedupAt);
    age(m_input.redis, m_redisAt);
    m_input.now = QDateTime::currentDateTimeUtc();
    m_input.inPerSecond = m_history.series(Measure::In).latest();
    m_input.outPerSecond = m_history.series(Measure::Out).latest();
    m_input.secondsSinceLeft = m_history.secondsSinceLeft(m_input.now);
    m_input.headSeconds = m_history.headSeconds(m_input.now);
    m_input.growingSeconds = m_history.growingSeconds(m_input.now);
    m_input.worstRelayDelaySeconds = m_history.worstLag();
    m_input.growthPerSecond = m_history.growthPerSecond();
    return m_watch.look(m_input);
}

} // namespace outbox
