// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/flowmeter.h"

#include <algorithm>
#include <cmath>

namespace outbox {

namespace {

constexpr double smoothingSeconds = 5;
constexpr double longestGap = 30; // beyond it two looks say nothing about a rate

/// Moves `rate` towards `sample`, the more the longer the sample lasted.
void blend(std::optional<double> &rate, double sample, double lasted)
{
    if (!rate) {
        rate = sample;
        return;
    }
    const double share = 1 - std::exp(-lasted / smoothingSeconds);
    *rate += (sample - *rate) * share;
}

} // namespace

void FlowMeter::outboxSeen(const OutboxSnapshot &snapshot, double seconds)
{
    if (snapshot.oldestPendingSeconds)
        m_worstDelay = std::max(m_worstDelay.value_or(0), *snapshot.oldestPendingSeconds);
    if (!snapshot.pending || !snapshot.exact)
        return;
    const qint64 waiting = *snapshot.pending + snapshot.locked.value_or(0);
    const double lasted = seconds - m_waitingAt;
    if (m_waiting && lasted > 0 && lasted < longestGap) {
        blend(m_growth, double(waiting - *m_waiting) / lasted, lasted);
        if (waiting < *m_waiting)
            m_lastLeft = seconds;
        if (*m_growth > 0.5) {
            if (!m_growingSince)
                m_growingSince = seconds;
        } else {
            m_growingSince.reset();
        }
    } else {
        m_growth.reset();
        m_growingSince.reset();
    }
    if (!m_lastLeft)
        m_lastLeft = seconds; // as far as this console can tell
    m_waiting = waiting;
    m_waitingAt = seconds;
}

void FlowMeter::queueSeen(const QueueSnapshot &snapshot, double seconds)
{
    if (!snapshot.processedTotal || !snapshot.failedTotal)
        return;
    const qint64 taken = snapshot.pending + snapshot.active + snapshot.scheduled + snapshot.retry
        + snapshot.archived + *snapshot.processedTotal - *snapshot.failedTotal;
    const double lasted = seconds - m_takenAt;
    if (m_taken && lasted > 0 && lasted < longestGap) {
        // A purge or a deletion by hand makes it fall; that is no negative delivery.
        const auto gained = std::max<qint64>(0, taken - *m_taken);
        blend(m_out, double(gained) / lasted, lasted);
        if (gained > 0)
            m_lastLeft = seconds;
    } else {
        m_out.reset();
    }
    m_taken = taken;
    m_takenAt = seconds;
}

std::optional<double> FlowMeter::inPerSecond() const
{
    if (!m_out || !m_growth)
        return std::nullopt;
    return std::max(0.0, *m_out + *m_growth);
}

std::optional<double> FlowMeter::secondsSinceLeft(double now) const
{
    if (!m_lastLeft)
        return std::nullopt;
    return std::max(0.0, now - *m_lastLeft);
}

std::optional<double> FlowMeter::growingSeconds(double now) const
{
    if (!m_growingSince)
        return std::nullopt;
    return now - *m_growingSince;
}

} // namespace outbox
