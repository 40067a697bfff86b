// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Many failovers by sentinels under a writer and relays as they are shipped: which rows left the
// outbox and have no task on the new master, and whether the relays told of them.
#pragma once

#include "tests/crash/trial.h"
#include "tests/support/plainpostgres.h"
#include "tests/support/sentinelworld.h"

#include <QElapsedTimer>
#include <QTemporaryDir>

#include <optional>
#include <vector>

namespace outbox::crash {

enum class MasterFault {
    Killed, ///< kill -9; it comes back as a replica
    Planned, ///< SENTINEL FAILOVER
    Parted, ///< sentinels and replicas lose the master, the relays do not
};

struct FailoverOrder
{
    int replicas = 1;
    int waits = 0; ///< --wait-replicas
    int failovers = 50; ///< kill -9 of the master and SENTINEL FAILOVER by turns
    bool isParted = false; ///< each of them is a partition instead
    int partitionMs = 8000;
    int rowsASecond = 5000;
    int relays = 2;
    bool keepsRows = false; ///< they are marked, not deleted
};

struct FailoverRound
{
    MasterFault fault = MasterFault::Killed;
    qint64 delivered = 0; ///< rows that left the outbox since the last round was judged
    qint64 lost = 0; ///< of them, those without a task on the new master
    ToldLoss told;
    qint64 pauseMs = -1; ///< until the first row after the fault was out; -1: no fault
    qint64 switchMs = -1; ///< until a sentinel said +switch-master
    qint64 late = 0; ///< tasks that a parted master got after that
};

struct FailoverReport
{
    FailoverOrder order;
    QList<FailoverRound> rounds; ///< behind those of the faults one for the end
    qint64 written = 0;
    int unasked = 0; ///< failovers beyond those that were asked for, found while judging
    int otherEnds = 0; ///< of relays, but for a loss
    QByteArray lastWords; ///< of one of those

    [[nodiscard]] qint64 untold() const; ///< lost rows that nobody told of
};

[[nodiscard]] QString word(MasterFault fault);
/// One line for each kind of fault and one for all, and whether the times are as they are wanted.
[[nodiscard]] QString tableOf(const FailoverReport &report);

/// Owns its servers. Every question is asked by hand: no worker runs, so the task of each row that
/// has left the outbox must be there (EXISTS).
/// Errors: those of the servers; Timeout where something that must come does not.
class FailoverTrial
{
public:
    explicit FailoverTrial(FailoverOrder order) : m_order(order) { m_report.order = order; }
    /// Tells each round as it ends.
    [[nodiscard]] Result<FailoverReport>
    run(const std::function<void(const FailoverRound &)> &tell);

private:
    [[nodiscard]] Result<void> open();
    [[nodiscard]] Result<void> openHands();
    [[nodiscard]] Result<void> startWriter();
    [[nodiscard]] MasterFault faultOf(int number) const;
    [[nodiscard]] Result<FailoverRound> tryOne(MasterFault fault);
    /// Strikes the master; `sinceFault` runs from then on.
    [[nodiscard]] Result<void> strike(MasterFault fault, std::size_t old,
                                      QElapsedTimer &sinceFault);
    /// Until a row is out by the node `now`, and `old` is on its way to be a replica of it.
    [[nodiscard]] Result<void> awaitDelivery(FailoverRound &round, std::size_t old, std::size_t now,
                                             const QElapsedTimer &sinceFault);
    /// Whether a sentinel has said +switch-master since it was asked before.
    [[nodiscard]] bool heardSwitch();
    /// Notes when that was, the first time.
    void noteSwitch(FailoverRound &round, std::size_t old, const QElapsedTimer &sinceFault);
    /// The writer ends, and everything is delivered.
    [[nodiscard]] Result<FailoverRound> drain();
    /// Takes an account of all rows that have left the outbox; what was counted is forgotten, its
    /// tasks too, so that memory does not grow with the trial.
    [[nodiscard]] Result<void> judge(FailoverRound &round);
    [[nodiscard]] Result<QByteArrayList> takeGone();
    [[nodiscard]] Result<qint64> countLost(const QByteArrayList &gone, std::size_t master);
    [[nodiscard]] Result<void> forget(const QByteArrayList &gone, std::size_t master);
    /// Until the relays have sent so many more tasks to this node.
    [[nodiscard]] Result<void> awaitTasks(std::size_t master, qint64 more);
    /// A node that calls itself a master, and is not `old`; `old` where there is none.
    [[nodiscard]] std::size_t otherMaster(std::size_t old);
    /// Whether the first task that came behind `before` others is there, and its row is out.
    [[nodiscard]] bool hasDelivered(std::size_t master, qint64 before);
    [[nodiscard]] qint64 tasksAt(std::size_t master); ///< -1 where it does not answer
    [[nodiscard]] RedisConnection &handOf(std::size_t node) { return *m_hands.at(node); }

    FailoverOrder m_order;
    QTemporaryDir m_state;
    PrivatePostgres m_postgres;
    SentinelWorld m_world;
    PlainPostgres m_hand;
    PlainPostgres m_writer;
    std::vector<std::unique_ptr<RedisConnection>> m_hands; ///< to each node
    std::vector<std::unique_ptr<RedisConnection>> m_switches; ///< listen to each sentinel
    std::optional<TrialRelays> m_relays;
    FailoverReport m_report;
};

} // namespace outbox::crash
