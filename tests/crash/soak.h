// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One run of relays under writers and random faults, all of it chosen by a seed.
#pragma once

#include "tests/crash/relaycrew.h"
#include "tests/crash/transitions.h"
#include "tests/crash/writers.h"
#include "tests/support/faultproxy.h"
#include "tests/support/refusingline.h"

#include <QMap>
#include <QRandomGenerator>
#include <QSet>
#include <QTemporaryDir>

#include <optional>

namespace outbox::crash {

/// What a run is and what came of it.
struct SoakReport
{
    BenchShape shape = BenchShape::Payload;
    int relays = 1;
    int lanes = 2;
    int batch = 10;
    bool guest = false; ///< an outboxctl relays beside them, and keeps no diary
    bool isByLine = false; ///< the relays reach Redis by a line that can be slow, or refuse
    QMap<QString, int> faults; ///< by their words; "a + b": at once
    int noticed = 0; ///< relays that ended by themselves because Redis had been emptied
    qint64 takenAway = 0; ///< messages that waited in a Redis when it was emptied, and are gone
    qint64 forgotten = 0; ///< runs beyond the first of rows whose task an emptied Redis forgot
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
    [[nodiscard]] RelayCrew::ClaimOptions manner() const;
    [[nodiscard]] Step act();
    /// One fault, or two that overlap.
    [[nodiscard]] Step strike();
    [[nodiscard]] QList<Fault> chooseFaults();
    [[nodiscard]] Step begin(Fault fault);
    [[nodiscard]] Step end(Fault fault);
    [[nodiscard]] Step restartPostgres();
    [[nodiscard]] Step killRedis();
    [[nodiscard]] Step reviveRedis();
    [[nodiscard]] Step freezeRedis();
    [[nodiscard]] Step emptyRedis();
    [[nodiscard]] Step meetTheLoss();
    [[nodiscard]] Step flushScripts();
    [[nodiscard]] Step refuseCommands();
    [[nodiscard]] Step slowDown();
    /// A worker as fast as can be is the worst case: what was enqueued is done before the relay is
    /// back.
    [[nodiscard]] Step runAll();
    [[nodiscard]] Step drain();
    [[nodiscard]] Step judge();
    void excuse(const QStringList &left);
    [[nodiscard]] int number(int from, int to); ///< both included

    Ground &m_ground;
    QRandomGenerator m_random;
    QStringList m_wrong;
    SoakReport m_report;
    TestOutbox m_fixture;
    Writers m_writers;
    CountingWorker m_worker;
    OutboxShape m_shape;
    RefusingLine m_refusing;
    FaultProxy m_slow; ///< before it
    std::optional<RelayCrew> m_crew;
    int m_struck = 0; ///< the relay that is killed or told
    bool m_isRedisAway = false;
    QSet<QString> m_takenAway; ///< tasks that waited when Redis was emptied
    QHash<QString, int> m_forgotten; ///< rows that had run and stood in the outbox then
};

} // namespace outbox::crash
