// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Many transactions that a Galera cluster undoes, under two relays as they are shipped, each at a
// node of its own, and a writer of the same rows at the third: which rows ran never, or twice.
#pragma once

#include "tests/crash/effects.h"
#include "tests/crash/trial.h"
#include "tests/support/galeraworld.h"

#include <QTemporaryDir>

#include <functional>
#include <optional>

namespace outbox::crash {

struct GaleraOrder
{
    int conflicts = 1000; ///< transactions undone, as the nodes count them
    int rowsAtOnce = 500; ///< written when few are left
    int batch = 50; ///< most rows of a relay's batch
    int mostMinutes = 60; ///< the trial is given up then
};

struct GaleraReport
{
    qint64 written = 0; ///< rows that were committed
    qint64 conflicts = 0; ///< of relays and writers, as the nodes count them
    qint64 lost = 0; ///< rows that are out of the outbox and never ran
    qint64 doubled = 0; ///< runs beyond the first
    qint64 unknown = 0; ///< runs of rows that nobody wrote
    int otherEnds = 0; ///< of relays
    QByteArray lastWords;

    [[nodiscard]] bool isClean() const { return lost + doubled + unknown == 0; }
};

/// One line of counts under its heading.
[[nodiscard]] QString tableOf(const GaleraReport &report);

/// Owns its servers. What ran is counted by the worker, what was written and undone by the nodes.
/// Errors: those of the servers; Timeout where something that must come does not.
class GaleraTrial
{
public:
    explicit GaleraTrial(GaleraOrder order) : m_order(order) { }
    /// Tells how many were undone, from time to time.
    [[nodiscard]] Result<GaleraReport> run(const std::function<void(qint64)> &tell);

private:
    [[nodiscard]] Result<void> open();
    /// Writes rows, in one transaction, where few are left.
    [[nodiscard]] Result<void> fill();
    /// Writes to the rows that are claimed next.
    void strike();
    [[nodiscard]] Result<void> tend();
    [[nodiscard]] Result<qint64> left();
    [[nodiscard]] Result<qint64> conflicts();
    [[nodiscard]] Result<void> drain();
    [[nodiscard]] Result<void> judge();

    GaleraOrder m_order;
    QTemporaryDir m_state;
    PrivateRedis m_redis;
    GaleraWorld m_world;
    CountingWorker m_worker;
    std::optional<TrialRelays> m_first; ///< its node is the first one
    std::optional<TrialRelays> m_second; ///< its node is the second one
    int m_fills = 0;
    GaleraReport m_report;
};

} // namespace outbox::crash
