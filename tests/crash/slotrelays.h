// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Relays as processes of their own, started again whenever they end, as a service manager does; and
// what they told of losses.
#pragma once

#include "tests/crash/ground.h"

#include <QElapsedTimer>
#include <QMap>

#include <vector>

namespace outbox::crash {

/// Errors: those of `RelayProcess`; Refused where a relay says that it may never start, or none
/// stays.
class SlotRelays
{
public:
    /// What relays told when they ended because Redis had lost something (K30).
    struct Told
    {
        int losses = 0;
        qint64 rows = 0; ///< of the batches that may be lost; those that are there among them
    };

    /// `arguments` are those of `outboxctl`.
    SlotRelays(QStringList arguments, int count);
    [[nodiscard]] Result<void> startAll();
    /// Takes in what they say, and starts again who ended.
    [[nodiscard]] Result<void> tend();
    /// SIGKILL; `tend` starts it again.
    void kill(int which);
    /// SIGTERM for all, and waits for their end.
    void stopAll();
    [[nodiscard]] const Told &told() const { return m_told; }
    /// How often a relay ended with each exit code; -1: it was killed.
    [[nodiscard]] const QMap<int, int> &ends() const { return m_ends; }

private:
    struct Life
    {
        std::unique_ptr<RelayProcess> process;
        QElapsedTimer since; ///< its start
    };

    [[nodiscard]] Result<void> start(Life &life);
    /// Of one that has ended; answers its last words.
    QByteArray note(Life &life);

    QStringList m_arguments;
    std::vector<Life> m_lives;
    Told m_told;
    QMap<int, int> m_ends;
    int m_endsInAll = 0;
};

} // namespace outbox::crash
