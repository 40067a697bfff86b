// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who runs against whom: each server alone, our relay, and the article's loop.
#pragma once

#include "app/relay/relaysession.h"
#include "models/message/task.h"
#include "tests/bench/benchdesk.h"

#include <QList>

namespace outbox {

enum class Contestant {
    PostgresAlone, ///< claim, read and commit with bare libpq; what was read goes nowhere
    RedisAlone, ///< a script for each task, pipelined, straight from memory
    Relay, ///< ours, as the command line runs it
    FencedRelay, ///< the same with a table `outbox_fence`
    Article, ///< one enqueue after another, a round trip each, one connection
};

struct Leg
{
    Contestant who = Contestant::Relay;
    int batch = 1000;
};

/// What became of one leg.
struct LegResult
{
    qint64 messages = 0;
    double seconds = 0;
    CpuSpent cpu; ///< of this leg

    [[nodiscard]] double perSecond() const { return static_cast<double>(messages) / seconds; }
    /// Microseconds a message of all three processes.
    [[nodiscard]] double cpuPerMessage() const
    {
        return 1e6 * (cpu.postgres + cpu.redis + cpu.ours) / static_cast<double>(messages);
    }
};

/// The claim of the article from `table`, with the batch as its parameter.
[[nodiscard]] QByteArray articleClaim(const QByteArray &table);

/// A row of a benchmark as the queue "default" takes it.
[[nodiscard]] EnqueueRequest requestWith(const QString &id, const QByteArray &payload);

/// Our relay as the command line opens it.
[[nodiscard]] Result<void> openOurs(RelaySession &relay, const BenchDesk &desk);

/// Lays fresh rows, runs the leg until they are gone or the time is up, and counts on both servers
/// whether what it says is true.
[[nodiscard]] Result<LegResult> runLeg(BenchDesk &desk, const Leg &leg, KeyOrder order,
                                       double mostSeconds);

} // namespace outbox
