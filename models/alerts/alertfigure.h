// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The figures that the rule of an alert may speak of, and how each is read from what a look
// answered.
#pragma once

#include "models/system/healthreport.h"
#include "models/system/snapshots.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace outbox {

/// Those of the outbox, of the profile's queue, of its retained ids, and the level of health.
enum class AlertFigure {
    Lag, ///< seconds; 0 where no row is pending
    Pending,
    Waiting,
    Locked,
    Failed,
    Parked,
    Unknown, ///< rows that the mapping gives no state
    In, ///< rows that come, a second
    Out, ///< tasks that come into the profile's queue, a second: what left the outbox
    QueueLag, ///< seconds; 0 where no task is pending
    QueuePending,
    Active,
    Scheduled,
    Retry,
    Dead,
    Depth, ///< tasks that are not done, the dead ones apart
    Servers, ///< live ones that serve the queue
    Retained,
    Expired,
    Level,
    Rows, ///< those that match the filter of the rule
};

/// What the numbers of a figure are. Levels are counted from 0 = OK on: OK, WATCH, STALLED,
/// UNKNOWN, BROKEN, as causes are sorted.
enum class AlertUnit { Seconds, Count, PerSecond, Level };

/// Who tells a figure: a look at the outbox, one at the queue, the judgement on both, or a count
/// that is made for the rule alone.
enum class AlertOrigin { Outbox, Queue, Health, Filter };

/// A number, if it is known. With `isLeast` the true one may be larger: counting had stopped.
struct AlertReading
{
    std::optional<double> value{};
    bool isLeast = false;

    bool operator==(const AlertReading &) const = default;
};

/// What a count for one rule answered.
struct FilterCount
{
    AlertReading reading{};
    QString why{}; ///< it is not known: the reason, for people, on one line
    /// The reason lies in the rule or the table, and not in a server that is away: the next count
    /// will not know more.
    bool isLasting = false;

    bool operator==(const FilterCount &) const = default;
};

/// What one look answered; nullptr and nullopt: not known.
struct AlertSources
{
    const OutboxSnapshot *outbox = nullptr;
    const QueueSnapshot *queue = nullptr; ///< the profile's, its shards as one
    const DedupSnapshot *dedup = nullptr;
    std::optional<HealthLevel> level{};
    std::optional<double> outPerSecond{}; ///< one look alone knows of none
    const FilterCount *count = nullptr; ///< of the rule that is judged
};

/// What a look says of a figure. Not known is: a source that did not answer, a number that it did
/// not tell, rows that are read by a mapping that is a guess, the lag of a standby.
[[nodiscard]] AlertReading readingOf(AlertFigure figure, const AlertSources &sources);

[[nodiscard]] QString word(AlertFigure figure); ///< "lag", "queue_pending", as a rule writes it
[[nodiscard]] AlertUnit unitOf(AlertFigure figure);
[[nodiscard]] AlertOrigin originOf(AlertFigure figure);
/// In any case of the letters; nullopt: there is none of this name.
[[nodiscard]] std::optional<AlertFigure> alertFigureFrom(QStringView text);
[[nodiscard]] QStringList alertFigureWords(); ///< all of them, as people read them

/// The number of a level, and back; see `AlertUnit`.
[[nodiscard]] double numberOfLevel(HealthLevel level);
/// nullopt: no level has this name. In any case of the letters.
[[nodiscard]] std::optional<double> levelNumberFrom(QStringView text);
/// A number of this figure for a sentence: "38 s", "1,204", "0.4/s", "STALLED".
[[nodiscard]] QString figureText(AlertFigure figure, double value);

} // namespace outbox
