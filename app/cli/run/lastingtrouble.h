// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What goes wrong with the workers of a relay, told once and not at each of their tries.
#pragma once

#include "models/result.h"

#include <QHash>
#include <QSet>
#include <QString>

#include <chrono>
#include <optional>

namespace outbox {

/// A trouble begins when one worker fails, and is over when every worker works again. A server, or
/// a queue, that is away is met again by each try of each worker: a line about it is due when it
/// begins, and once a minute while it lasts.
/// Used in one thread.
class LastingTrouble
{
public:
    using Time = std::chrono::steady_clock::time_point;

    struct Length
    {
        int tries = 0; ///< of all workers
        qint64 milliseconds = 0;
    };

    /// The worker of this number waits for its next try.
    void failed(int worker, const Error &error, Time now);
    /// Whether the line of this event is to be told: errors of another kind or code are told
    /// beside each other. Those that are neither Unreachable nor Timeout are always due.
    [[nodiscard]] bool isDue(const QString &event, const Error &error, Time now);
    /// The worker works again, or has ended. Answers where no other one is in trouble any more.
    std::optional<Length> worksAgain(int worker, Time now);
    /// How long it has lasted by now.
    [[nodiscard]] Length length(Time now) const;
    /// The last one; none where there is no trouble.
    [[nodiscard]] const std::optional<Error> &error() const { return m_error; }

private:
    QSet<int> m_workers; ///< that are in trouble
    QHash<QString, Time> m_told; ///< when a line of that event, kind and code was told
    std::optional<Error> m_error;
    Time m_since;
    int m_tries = 0;
};

} // namespace outbox
