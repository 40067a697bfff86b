// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How lately a session was seen alive.
#pragma once

#include <QtGlobal>

#include <ctime>

namespace outbox {

/// So long an open transaction needs no asking: the server's
/// farewell would have come, or the end of the session would show at its socket.
inline constexpr qint64 youngNs = 1'000'000'000;

/// A clock that goes on while the machine sleeps.
[[nodiscard]] inline qint64 nowNs()
{
    timespec now{};
    ::clock_gettime(CLOCK_BOOTTIME, &now);
    return static_cast<qint64>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

} // namespace outbox
