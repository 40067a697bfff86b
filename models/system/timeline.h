// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One message on one line of time: what is known of it, in order, and the gaps between: pure words
// over seen facts.
#pragma once

#include "models/system/systemview.h"

#include <QDateTime>
#include <QList>
#include <QString>

#include <optional>

namespace outbox {

/// Some times are kept in whole seconds: less than this is no contradiction between two clocks.
inline constexpr double clockGrainSeconds = 1;

/// One point on the line of a message.
struct TimelinePoint
{
    enum class Kind {
        Written, ///< the row came to be
        Parked,
        Processed, ///< the row was marked
        Claimed, ///< somebody holds the row now
        Failed, ///< the row was given up by its table's own count
        Queued, ///< the task was put among those that wait
        Running, ///< a worker has the task now
        Grouped, ///< the task waits in a group of the queue now
        LastTry, ///< the last try that is told of
        Dead, ///< the task was archived
        Done, ///< the task was completed
        KeptOut, ///< a tombstone was laid under the id
        TokenTaken, ///< of documents: the right to send once was made
        Dispatched, ///< of documents: the messages of an entry went out
        DoneMark, ///< of documents: the other store knows that it is done
        Operation, ///< what an operator did
        Now,
        Due, ///< before it, nobody takes row or task
        NextTry,
        LeaseEnd,
        Deadline,
        KeptUntil, ///< the queue refuses the id until then, about
    };
    enum class From { Row, Task, Record, Parking, Document, Store, Clock };

    Kind kind = Kind::Now;
    From from = From::Clock; ///< who tells of it
    std::optional<QDateTime> at; ///< UTC, by the clock of who wrote it; nullopt: not known
    bool isFuture = false; ///< stands behind Now; a time that is not known may come at any time
    QString note; ///< for people, from outside: an error, a holder, why the time is not known
    /// Since the last point before it whose time is known; nullopt where there is none, where this
    /// one is not known, and where the clocks of two hosts differ.
    std::optional<double> gapSeconds;
    QString gap; ///< the same for people: "38 s in the outbox"; empty at the first point alone

    bool operator==(const TimelinePoint &) const = default;
};

[[nodiscard]] QString word(TimelinePoint::Kind kind); ///< "written", "kept-until"; for JSON
[[nodiscard]] QString label(TimelinePoint::Kind kind); ///< "Written"
[[nodiscard]] QString word(TimelinePoint::From from); ///< "row", "task", "record" …; for JSON
[[nodiscard]] QString label(TimelinePoint::From from); ///< "the row"

/// What `facts` tell of the message, oldest first, with one point Now. A time that no source tells
/// is never made up: its point says so. Where two clocks contradict the order in which things must
/// have happened, the order stands and the gap tells it. `now` is by our clock, UTC.
[[nodiscard]] QList<TimelinePoint> timelineOf(const IdVerdict &facts, const QDateTime &now);

/// Sets `gapSeconds` of a point behind another one; where nobody can tell it, `gap` says why.
/// `before` is the last point before it whose time is known; nullptr: there is none. `told` is the
/// gap by a clock that knows it better than both times.
void measureGap(TimelinePoint &point, const TimelinePoint *before,
                const std::optional<double> &told = std::nullopt);

/// "14:02:11", "about 14:02 tomorrow", "not known".
[[nodiscard]] QString pointTimeText(const TimelinePoint &point, const QDateTime &now);
/// All that a point tells, in one line: "Written 14:02:11, as the row tells". From outside.
[[nodiscard]] QString pointText(const TimelinePoint &point, const QDateTime &now);
/// The whole line: the texts of its points with the gaps between. From outside.
[[nodiscard]] QString timelineText(const QList<TimelinePoint> &line, const QDateTime &now);

} // namespace outbox
