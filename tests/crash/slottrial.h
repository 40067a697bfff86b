// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Relays into a Redis Cluster whose slots move all the time and whose primaries die, and what
// became of each row.
#pragma once

#include "tests/crash/slotcount.h"
#include "tests/crash/slotrelays.h"
#include "tests/crash/slotstrikes.h"
#include "tests/support/plainpostgres.h"

#include <QTemporaryDir>

#include <optional>

namespace outbox::crash {

struct SlotOrder
{
    SlotRows rows{1'000'000, 12};
    int ratePerSecond = 4000; ///< rows that are written; 0: as fast as can be
    int batch = 100;
    int replicas = 0; ///< what a batch waits for (--wait-replicas)
    PrimaryKiller::Rules kills;
    int movePauseMs = 200; ///< between the end of a move and the next one
    quint32 seed = 1;
};

struct SlotReport
{
    SlotCount count;
    SlotRelays::Told told;
    QMap<int, int> ends; ///< of relays, by exit code; -1: killed by the trial
    int kills = 0; ///< of primaries
    qint64 longestKillMs = 0; ///< from a kill until the replica had the slots
    QList<int> moves; ///< by queue
    QList<qint64> restsMs; ///< by queue: the longest time in which rows of it waited and none went
    /// By queue: the same, of the times in which its slot did not move, and its node neither was
    /// dead nor lacked a copy.
    QList<qint64> wellRestsMs;
    double seconds = 0; ///< until the table was empty

    /// Rows that are lost, and no relay told of so many.
    [[nodiscard]] qint64 untold() const { return qMax(qint64{0}, count.lost - told.rows); }
};

/// Whether that is what is promised: nothing lost and no alarm where batches wait for replicas, and
/// else no more lost than was told; nothing doubled, and all rows delivered.
[[nodiscard]] bool isAsPromised(const SlotOrder &order, const SlotReport &report);
/// A table of all figures.
[[nodiscard]] QString tableOf(const SlotOrder &order, const SlotReport &report);

/// For how long each queue had rows that waited, while none of them went.
class RestMeter
{
public:
    explicit RestMeter(int queues);
    /// What has left the table of a queue's rows until now, and what waits in it; `isWell`: nothing
    /// is done to its slot or its node.
    void note(int queue, qint64 gone, qint64 waiting, bool isWell);
    [[nodiscard]] QList<qint64> longestMs() const;
    [[nodiscard]] QList<qint64> longestWellMs() const;

private:
    struct Rest
    {
        qint64 gone = 0;
        qint64 since = 0; ///< the last row went, or the first came
        qint64 wellSince = 0; ///< the same, but not before nothing was done to it any more
        qint64 longest = 0;
        qint64 longestWell = 0;
    };

    QElapsedTimer m_clock;
    QList<Rest> m_queues;
};

/// A cluster of three primaries with a replica each, a PostgreSQL, two relays of this program, of
/// which one is killed when half of the rows are written, and one who writes. Primaries are killed
/// while the first three quarters are written, and the rest is written when all that is over: so
/// relays meet each queue again, and tell of what was lost.
/// Errors: those of the servers; Refused and Timeout where the trial cannot be carried out.
class SlotTrial
{
public:
    explicit SlotTrial(SlotOrder order);
    /// The servers, without relays. Unsupported where one is not installed.
    [[nodiscard]] Result<void> start();
    /// Once.
    [[nodiscard]] Result<SlotReport> run();

private:
    [[nodiscard]] Result<void> open();
    [[nodiscard]] QStringList relayArguments() const;
    /// One round of all that goes on beside the relays.
    [[nodiscard]] Result<void> act();
    [[nodiscard]] qint64 rowsUnderKills() const
    {
        return m_order.rows.rows - m_order.rows.rows / 4;
    }
    [[nodiscard]] Result<void> write();
    [[nodiscard]] Result<void> look();
    void killARelay();
    /// Whether no row has gone for so long that none will.
    [[nodiscard]] bool standsStill() const;
    [[nodiscard]] bool isOver() const;
    [[nodiscard]] Result<QSet<qint64>> leftRows();

    SlotOrder m_order;
    PrivatePostgres m_postgres;
    PlainPostgres m_hand;
    ClusterWorld m_world;
    QTemporaryDir m_folder; ///< of the relays' state and the mapping
    std::optional<SlotMover> m_mover;
    std::optional<PrimaryKiller> m_killer;
    std::optional<SlotRelays> m_relays;
    RestMeter m_rests;
    QElapsedTimer m_clock;
    qint64 m_written = 0;
    qint64 m_gone = 0; ///< from the table, at the last look
    qint64 m_lookAtMs = 0; ///< the next time
    qint64 m_lastGoneMs = 0; ///< when a row went for the last time
    bool m_hasKilledRelay = false;
};

} // namespace outbox::crash
