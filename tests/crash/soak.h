// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One run of relays under writers and random faults, all of it chosen by a seed.
#pragma once

#include "tests/crash/ground.h"
#include "tests/crash/transitions.h"
#include "tests/crash/writers.h"

#include <QMap>
#include <QRandomGenerator>
#include <QTemporaryDir>

#include <memory>
#include <vector>

namespace outbox::crash {

/// What a run is and what came of it.
struct SoakReport
{
    BenchShape shape = BenchShape::Payload;
    int relays = 1;
    int lanes = 2;
    int batch = 10;
    bool guest = false; ///< an outboxctl relays beside them, and keeps no diary
    QMap<QString, int> faults; ///< by their words
    qint64 rolledBackRows = 0; ///< of the writers
    Tally tally;
    Transitions transitions;
};

[[nodiscard]] QString words(const SoakReport &report);

/// The seed decides shape, number of relays, lanes, batch, and the order of everything that
/// writers, worker and faults do; how far the relays have come at each of it, the machine decides.
class Soak
{
public:
    /// `wrong` are options of `relaychild` that make the relays wrong; then there is no guest.
    Soak(Ground &ground, quint32 seed, QStringList wrong = {});
    /// Until `messages` rows were committed and all of them left the outbox. Fails when the run
    /// could not be carried out, such as a relay that ends by itself.
    [[nodiscard]] Result<SoakReport> run(qint64 messages);

private:
    using Step = Result<void>;

    [[nodiscard]] Step open();
    [[nodiscard]] Step startRelay(size_t which, bool keepOn = true);
    [[nodiscard]] Step startGuest();
    [[nodiscard]] Step act();
    [[nodiscard]] Step strike(Fault fault);
    [[nodiscard]] Step restartRelay(int signal);
    [[nodiscard]] Step stopRelay(RelayProcess &relay, int signal);
    [[nodiscard]] Step restartPostgres();
    [[nodiscard]] Step restartRedis();
    /// A worker as fast as can be is the worst case: what was enqueued is done before the relay is
    /// back.
    [[nodiscard]] Step runAll();
    [[nodiscard]] Step freezeRedis();
    [[nodiscard]] Step drain();
    [[nodiscard]] Step judge();
    [[nodiscard]] qint64 written() const; ///< bytes of all diaries
    [[nodiscard]] int number(int from, int to); ///< both included

    Ground &m_ground;
    QRandomGenerator m_random;
    QStringList m_wrong;
    SoakReport m_report;
    OutboxBench m_bench;
    Writers m_writers;
    CountingWorker m_worker;
    OutboxShape m_shape;
    QTemporaryDir m_diaries;
    QStringList m_lives; ///< paths of the diaries, in the order of their beginnings
    std::vector<std::unique_ptr<RelayProcess>> m_relays;
    std::unique_ptr<RelayProcess> m_guest;
};

} // namespace outbox::crash
