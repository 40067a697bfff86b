// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// When a watchdog may hear of us: only after every relay's room has answered once more.
#pragma once

#include <QtGlobal>

#include <vector>

namespace outbox {

/// Pure bookkeeping; times are milliseconds of any steady clock.
class Heartbeat
{
public:
    /// `watchdogMs` is the time after which silence counts as death; beats come at no less than an
    /// eighth of it, so that with answers four times a second the pause stays below half of it.
    Heartbeat(int rooms, qint64 watchdogMs)
        : m_rooms(static_cast<size_t>(rooms)), m_everyMs(watchdogMs / 8)
    { }

    /// `room` has answered. True: a beat is due now.
    [[nodiscard]] bool answered(int room, qint64 nowMs)
    {
        m_rooms.at(static_cast<size_t>(room)).hasAnswered = true;
        if (nowMs - m_lastMs < m_everyMs)
            return false;
        for (const Room &one : m_rooms) {
            if (!one.hasAnswered && !one.isGone)
                return false;
        }
        for (Room &one : m_rooms)
            one.hasAnswered = false;
        m_lastMs = nowMs;
        return true;
    }
    /// `room` has ended by itself; nobody waits for it any more.
    void gone(int room) { m_rooms.at(static_cast<size_t>(room)).isGone = true; }

private:
    struct Room
    {
        bool hasAnswered = false;
        bool isGone = false;
    };
    std::vector<Room> m_rooms;
    qint64 m_everyMs;
    qint64 m_lastMs = 0;
};

} // namespace outbox
