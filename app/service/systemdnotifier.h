// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a relay tells the service manager: that it works, that it lives, how it stands, that it
// stops.
#pragma once

#include "app/service/heartbeat.h"
#include "app/service/supervisor.h"
#include "models/result.h"

#include <QElapsedTimer>
#include <QString>

#include <optional>
#include <vector>

namespace outbox {

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
    [[nodiscard]] std::optional<Error> takeProblem();

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
