// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The relays of a soak: some that keep a diary, and an outboxctl beside them that keeps none.
#pragma once

#include "tests/crash/ground.h"

#include <memory>
#include <vector>

namespace outbox::crash {

class RelayCrew
{
public:
    struct ClaimOptions
    {
        int relays = 1; ///< with a diary
        bool hasGuest = false; ///< one outboxctl more, behind them
        QStringList forAll; ///< options of each
        QStringList forDiarists; ///< options of those with a diary
    };

    RelayCrew(const TestOutbox &fixture, ClaimOptions manner);

    [[nodiscard]] Result<void> startAll();
    /// `keepOn`: it waits for more when nothing can be claimed.
    [[nodiscard]] Result<void> start(int which, bool keepOn = true);
    void tell(int which, int signal);
    void tellAll(int signal);
    /// Waits for the end of a relay that was told `signal`. Fails where it ended in another way.
    [[nodiscard]] Result<void> awaitEnd(int which, int signal);
    /// Redis was emptied, and rows wait: ends all relays. Answers how many had noticed and ended by
    /// themselves.
    [[nodiscard]] Result<int> endAfterLoss();
    [[nodiscard]] Result<void> startAfterLoss();
    /// Everybody ends; then one takes what the others left.
    [[nodiscard]] Result<void> finish();

    [[nodiscard]] int count() const { return static_cast<int>(m_relays.size()); }
    [[nodiscard]] bool isGuest(int which) const { return which >= m_manner.relays; }
    [[nodiscard]] RelayProcess &at(int which) { return *m_relays.at(static_cast<size_t>(which)); }
    /// Paths, in the order of their beginnings.
    [[nodiscard]] const QStringList &diaries() const { return m_lives; }
    [[nodiscard]] qint64 written() const; ///< bytes of all diaries
    void listen();

private:
    [[nodiscard]] Result<void> startGuest(RelayProcess &relay);
    /// What relays but for ours with a diary have written to the queue's fence.
    [[nodiscard]] QByteArray metBy() const;

    const TestOutbox &m_fixture;
    ClaimOptions m_manner;
    QTemporaryDir m_folder;
    QStringList m_lives;
    std::vector<std::unique_ptr<RelayProcess>> m_relays;
};

} // namespace outbox::crash
