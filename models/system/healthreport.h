// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How well a system is, in one level, one sentence and its causes; the same for window and `check`.
#pragma once

#include <QList>
#include <QString>

namespace outbox {

/// Levels from "nothing is known" to "broken"; Unknown is never shown as well.
enum class HealthLevel { Unknown, Ok, Watch, Stalled, Broken };

/// What can be wrong, worst first within a level.
enum class HealthReason {
    WritesRefused,
    EvictionOn,
    TableGone,
    RelayFailed,
    RelayBackingOff,
    RelayStopped,
    RedisLostRecords,
    DatabaseSilent,
    QueueSilent,
    Stalled,
    MappingGuess,
    HeadBlocked,
    RelaySilent,
    Behind,
    Growing,
    QueuePaused,
    ServedByNobody,
    QueueSlow,
    TasksFail,
    ArchiveFull,
    DeadInQueue,
    FailedRows,
    ParkedRows,
    StateUnknown,
    ThinMargin,
    LongTransaction,
    OldSnapshot,
    ClockOffset,
    SnapshotFailing,
    EvictionLooms,
    IndexMissing,
    RelayVersions,
    QueueNotWatched,
};

/// One thing that needs attention, worst first in a report.
struct HealthCause
{
    HealthLevel level = HealthLevel::Unknown; ///< Ok: a note, which is no fault
    QString text; ///< a sentence with a number in it
    QString filter; ///< what the page behind it is opened with; empty = nothing to show
    QString remedy; ///< a statement to be run by somebody who may; empty = none
    HealthReason reason{}; ///< its name, which stays the same from look to look

    bool operator==(const HealthCause &) const = default;
};

struct HealthReport
{
    using Level = HealthLevel;

    Level level = Level::Unknown;
    QString sentence;
    QList<HealthCause> causes;
    QString promise; ///< what survives which crash, from the servers' live settings

    bool operator==(const HealthReport &) const = default;
};

} // namespace outbox
