// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is done to a cluster under its relays: slots of queues move all the time, and primaries are
// killed.
#pragma once

#include "tests/support/clusterworld.h"

#include <QElapsedTimer>
#include <QRandomGenerator>

#include <optional>

namespace outbox::crash {

/// Moves slots from primary to primary, one after the other, as redis-cli does it.
/// Errors: those of `ClusterWorld`; Timeout where the nodes do not agree on who has a slot.
class SlotMover
{
public:
    struct Manner
    {
        int pauseMs = 0; ///< from the end of a move to the next one
        quint32 seed = 1; ///< of whom a slot goes to
    };

    /// `keys` are one key of each queue.
    SlotMover(ClusterWorld &world, QByteArrayList keys, Manner manner);
    /// At most a hundred keys go on. Where `begins`, the next slot is begun when none moves. The
    /// node `away` gets no slot and gives none; -1: there is none.
    [[nodiscard]] Result<void> step(int away, bool begins);
    [[nodiscard]] bool isAtRest() const { return m_stage == Stage::Resting; }
    /// Whether all nodes have to tell who has the slot now.
    [[nodiscard]] bool isSettling() const { return m_stage == Stage::Settling; }
    /// Whether a slot moves from this node or to it.
    [[nodiscard]] bool concerns(int node) const;
    /// The queue whose slot moves, until all nodes know of it; -1: none does.
    [[nodiscard]] int moving() const { return isAtRest() ? -1 : m_queue; }
    /// How often the slot of each queue was moved.
    [[nodiscard]] const QList<int> &moves() const { return m_moves; }

private:
    enum class Stage { Resting, Moving, Settling };

    [[nodiscard]] Result<void> begin(int away);

    ClusterWorld &m_world;
    QByteArrayList m_keys;
    Manner m_manner;
    QRandomGenerator m_random;
    QList<int> m_moves;
    Stage m_stage = Stage::Resting;
    int m_queue = -1; ///< the one whose slot moves, or moved last
    int m_from = -1;
    int m_to = -1;
    QElapsedTimer m_since; ///< in this stage
};

/// Kills a primary now and then, which is started again as a replica when its own replica has its
/// place. A primary from which or to which a slot moves is never chosen, since MIGRATE waits for no
/// replica: what it had moved would be lost by the mover and not by a relay. For the same reason
/// none dies before its replica has all that it had.
/// Errors: those of `ClusterWorld`; Timeout where no replica takes its place.
class PrimaryKiller
{
public:
    struct Rules
    {
        int everyMs = 20'000;
        int most = 1'000'000;
        /// So long before its end a primary has no replica; 0: it has one to the end. The time
        /// begins when one of its queues has got a task that only the primary has.
        int aloneMs = 300;
    };

    /// `keys` are the pending lists of the queues.
    PrimaryKiller(ClusterWorld &world, QByteArrayList keys, Rules rules);
    /// Where `begins`, the next one dies when the time has come.
    [[nodiscard]] Result<void> step(const SlotMover &mover, bool begins);
    /// The primary that is about to die, or is dead; -1: none.
    [[nodiscard]] int away() const;
    /// Whether the node is such a primary, or its heir that has no copy yet.
    [[nodiscard]] bool concerns(int node) const;
    /// Whether nodes answer; a replica that was stopped does not.
    [[nodiscard]] bool nodesAnswer() const { return m_stage != Stage::CutOff; }
    [[nodiscard]] bool isAtRest() const { return m_stage == Stage::Resting; }
    [[nodiscard]] qint64 restsSinceMs() const { return isAtRest() ? m_atRest.elapsed() : 0; }
    [[nodiscard]] int kills() const { return m_kills; }
    /// From a kill until the replica has the slots.
    [[nodiscard]] qint64 longestMs() const { return m_longestMs; }

private:
    enum class Stage { Resting, CutOff, Dead, Joining };

    [[nodiscard]] Result<void> begin(const SlotMover &mover);
    [[nodiscard]] Result<void> goOnAlone();
    [[nodiscard]] Result<void> awaitHeir();
    [[nodiscard]] Result<void> awaitCopy();
    void kill();
    [[nodiscard]] bool mayDie(int node, const SlotMover &mover);
    /// Tasks in the pending lists of the victim's queues; nullopt where it does not answer.
    [[nodiscard]] std::optional<qint64> stored();

    ClusterWorld &m_world;
    QByteArrayList m_keys;
    Rules m_rules;
    Stage m_stage = Stage::Resting;
    int m_victim = -1;
    qint64 m_storedBefore = 0; ///< when it was cut off
    bool m_hasMore = false; ///< than then
    int m_kills = 0;
    qint64 m_longestMs = 0;
    QElapsedTimer m_since; ///< in this stage
    QElapsedTimer m_sinceKill; ///< or since the beginning
    QElapsedTimer m_atRest;
    QElapsedTimer m_asked;
};

} // namespace outbox::crash
