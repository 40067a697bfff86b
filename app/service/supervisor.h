// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// systemd's notification protocol: lines of text in one datagram to the socket that it names.
#pragma once

#include "models/result.h"

#include <QByteArray>

#include <chrono>
#include <optional>

namespace outbox {

/// Who started us and wants to hear how we are. Without $NOTIFY_SOCKET nobody does, and all is
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

} // namespace outbox
