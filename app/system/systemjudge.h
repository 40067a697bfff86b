// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is known of one system, how old that is, and the judgement on it.
#pragma once

#include "models/health/health.h"
#include "models/profile/profile.h"
#include "models/system/systemhistory.h"

#include <QElapsedTimer>

namespace outbox {

/// Time in which nobody looked is no silence: it makes nothing older. For one thread.
class SystemJudge
{
public:
    /// `history` is written with each look, and outlives this.
    SystemJudge(const Profile &profile, SystemHistory &history);

    void take(const OutboxSnapshot &outbox);
    void take(const QList<QueueSnapshot> &queues);
    void take(const DedupSnapshot &dedup);
    void take(const RedisFacts &facts);
    /// What is known beside the looks at the sources; ages and figures are filled in by `judge`.
    [[nodiscard]] HealthInput &input() { return m_input; }
    [[nodiscard]] const HealthInput &input() const { return m_input; }
    [[nodiscard]] SystemHistory &history() const { return m_history; }

    void setPaused(bool paused);
    [[nodiscard]] bool isPaused() const { return m_pausedAt.has_value(); }
    /// Whether both sources were asked, as far as there are two.
    [[nodiscard]] bool isReady() const
    {
        return (m_input.outbox || m_input.databaseError)
            && (m_input.queues || m_input.queueError || !m_input.hasQueue);
    }
    [[nodiscard]] HealthReport judge();

private:
    [[nodiscard]] double now() const { return double(m_clock.elapsed()) / 1000.0; } ///< seconds

    SystemHistory &m_history;
    QElapsedTimer m_clock;
    HealthWatch m_watch;
    FailureShare m_attempts;
    HealthInput m_input;
    std::optional<double> m_pausedAt;
    double m_outboxAt = 0;
    double m_queueAt = 0;
    double m_dedupAt = 0;
    double m_redisAt = 0;
};

} // namespace outbox
