// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The legs of bench_scaling: each server alone, and relays as processes of their own.
#pragma once

#include "tests/bench/contestants.h"
#include "tests/bench/scalingservers.h"

namespace outbox {

struct ScalingLeg
{
    enum class Who {
        DatabaseAlone, ///< sessions claim, read and commit with bare libpq; nothing is sent
        QueueAlone, ///< writers enqueue batches straight from memory, as a relay does
        Relays, ///< `outboxctl relay` as it is shipped
    };
    Who who = Who::Relays;
    int count = 1; ///< of sessions, writers or relays; a multiple of the outboxes
    ScalingRoute route;
};

struct ScalingResult
{
    LegResult all; ///< what is ours is that of the relays, or of this process where none run
    QList<qint64> byNode; ///< tasks that wait at the end; empty of a database alone
};

/// Lays fresh rows, runs the leg until all are gone or the time is up, and counts on the servers
/// whether what it says is true. The clock of relays begins when all of them stand, and are let go;
/// it ends when the last task is there and the last transaction is committed.
/// Errors: those of `ScalingServers` and of `AsynqQueue`; Protocol for a relay that ended, or where
/// nothing moved.
[[nodiscard]] Result<ScalingResult> runScalingLeg(ScalingServers &servers, const ScalingLeg &leg,
                                                  double mostSeconds);

} // namespace outbox
