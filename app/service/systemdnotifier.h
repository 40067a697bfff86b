// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a relay tells the service manager: that it works, that it lives, how it stands, that it
// stops.
#pragma once

#include "models/result.h"

#include <QByteArray>
#include <QElapsedTimer>
#include <QSet>
#include <QString>

#include <chrono>
#include <optional>
#include <utility>
#include <vector>

namespace outbox {

/// systemd's notification protocol: lines of text in one datagram to the socket that it names.
/// The one who started us wants to hear how we are. Without $NOTIFY_SOCKET nobody does, and all is
/// silence. For one thread.
class Supervisor
{
public:
    Supervisor() = default;
    ~Supervisor();
    Supervisor(const Supervisor &) = delete;
    Supervisor &operator=(const Supervisor &) = delete;

    /// Reads $NOTIFY_SOCKET (a path, or `@` and an abstract name), $WATCHDOG_USEC and
    /// $WATCHDOG_PID. Fails with Invalid for an address that is neither.
    [[nodiscard]] Result<void> open();
    [[nodiscard]] bool isListening() const { return m_socket >= 0; }
    /// Within which time it wants to hear WATCHDOG=1 again; nullopt when it does not watch us.
    [[nodiscard]] std::optional<std::chrono::microseconds> watchdog() const { return m_watchdog; }
    /// Sends `lines` (NAME=value, one a line). Waits for a full socket at most 200 ms.
    [[nodiscard]] Result<void> tell(const QByteArray &lines) const;

private:
    int m_socket = -1;
    QByteArray m_address; ///< as the kernel wants it
    std::optional<std::chrono::microseconds> m_watchdog;
};

/// When a watchdog may hear of us: only after every relay's room has answered once more. Pure
/// bookkeeping; times are milliseconds of any steady clock.
class Heartbeat
{
public:
    /// `watchdogMs` is the time after which silence counts as death; beats come at no less than an
    /// eighth of it, so that with answers four times a second the pause stays below half of it.
    Heartbeat(int rooms, qint64 watchdogMs) : m_everyMs(watchdogMs / 8)
    {
        for (int room = 0; room < rooms; ++room)
            m_rooms.insert(room);
        m_silent = m_rooms;
    }

    /// `room` has answered. True: a beat is due now.
    [[nodiscard]] bool answered(int room, qint64 nowMs)
    {
        m_silent.remove(room);
        if (nowMs - m_lastMs < m_everyMs || !m_silent.isEmpty())
            return false;
        m_silent = m_rooms;
        m_lastMs = nowMs;
        return true;
    }
    /// `room` has ended by itself; nobody waits for it any more.
    void gone(int room)
    {
        m_rooms.remove(room);
        m_silent.remove(room);
    }

private:
    QSet<int> m_rooms; ///< that did not end
    QSet<int> m_silent; ///< of them, those that did not answer since the last beat
    qint64 m_everyMs;
    qint64 m_lastMs = 0;
};

/// Says nothing where nobody listens. In the main thread of the program; no timer of its own, so
/// that a program that stands still is silent.
class SystemdNotifier
{
public:
    /// `rooms` relays will answer, numbered from 0. Fails with Invalid for a socket address that
    /// cannot be understood.
    [[nodiscard]] Result<void> open(int rooms);
    /// The relay's room has answered; `works`: and what it did went well. READY=1 when each has
    /// worked once, then WATCHDOG=1 when each has answered again.
    void answered(int room, bool works);
    void gone(int room);
    /// One sentence about how things stand; sent when it is another one.
    void status(const QString &sentence);
    /// No new work from now on. `needMs`: how long the end may take.
    void stopping(qint64 needMs);
    /// The first message that could not be sent, once.
    [[nodiscard]] std::optional<Error> takeProblem()
    {
        return std::exchange(m_problem, std::nullopt);
    }

private:
    void tell(const QByteArray &lines);

    Supervisor m_supervisor;
    std::optional<Heartbeat> m_heartbeat;
    QElapsedTimer m_clock;
    std::vector<bool> m_works;
    bool m_ready = false;
    bool m_stopping = false;
    QString m_status;
    std::optional<Error> m_problem;
    bool m_problemTold = false;
};

} // namespace outbox
