// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How fast messages come in and go out, from counts alone: nobody counts enqueued tasks for us.
#pragma once

#include "models/snapshots.h"

#include <optional>

namespace outbox {

/// Feed it each look with a monotonic time; it answers rates over the last seconds. Pure.
///
/// Out is what the queue gained: change of the unfinished and dead tasks plus change of the successful
/// attempts. In is out plus what the outbox gained.
class FlowMeter
{
public:
    /// `seconds`: any monotonic clock, the same for both.
    void outboxSeen(const OutboxSnapshot &snapshot, double seconds);
    void queueSeen(const QueueSnapshot &snapshot, double seconds);

    [[nodiscard]] std::optional<double> inPerSecond() const;
    [[nodiscard]] std::optional<double> outPerSecond() const { return m_out; }
    /// Since a message last left the outbox; nullopt before the second look.
    [[nodiscard]] std::optional<double> secondsSinceLeft(double now) const;
    /// For how long more has arrived than left; nullopt when it does not.
    [[nodiscard]] std::optional<double> growingSeconds(double now) const;
    /// Longest created → enqueued seen, at least the oldest pending age.
    [[nodiscard]] std::optional<double> worstRelayDelaySeconds() const { return m_worstDelay; }

private:
    std::optional<qint64> m_waiting;
    double m_waitingAt = 0;
    std::optional<qint64> m_taken; ///< tasks the queue has ever gained, up to a constant
    double m_takenAt = 0;
    std::optional<double> m_growth; ///< rows a second the outbox gains
    std::optional<double> m_out;
    std::optional<double> m_lastLeft;
    std::optional<double> m_growingSince;
    std::optional<double> m_worstDelay;
};

} // namespace outbox
