// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Times without a zone: which moments they are in a zone, through both nights when its clocks
// change. All times are microseconds since 1970; a local one is counted as if its zone were UTC.
#pragma once

#include "models/result.h"

#include <QList>
#include <QString>

#include <optional>

namespace outbox {

/// The name of a zone as the program keeps it: "UTC", "Europe/Berlin", "UTC+05:30". Fails with
/// Invalid for a text that names none.
[[nodiscard]] Result<QString> timeZoneNamed(const QString &text);

inline constexpr qint64 usPerSecond = 1'000'000;

/// The zones whose clocks are behind, and ahead of, all others: a time of no known zone lies
/// between what it is in these two.
inline constexpr QLatin1StringView lastZone("UTC-12:00");
inline constexpr QLatin1StringView firstZone("UTC+14:00");

/// From `from` on, the answer is what was asked for plus `shift`, or else `fixed`.
struct ClockPiece
{
    qint64 from = 0;
    qint64 shift = 0;
    std::optional<qint64> fixed;

    bool operator==(const ClockPiece &) const = default;
};

/// Oldest first; the first piece has no beginning.
using ClockPieces = QList<ClockPiece>;

/// The clock of a zone in a span of time: moment to local time. `name` as `timeZoneNamed` gives it.
/// What is before `from` is as it was at `from`, and what is after `to` as it is then.
[[nodiscard]] ClockPieces zoneClock(const QString &name, qint64 from, qint64 to);
/// That of UTC.
[[nodiscard]] inline ClockPieces utcClock()
{
    return {ClockPiece()};
}

/// In the doubled hour of autumn a local time is two moments: the earlier and the later. In the gap
/// of spring it is none: the earlier reading says the change itself, so that what is later by the
/// clock is never earlier, and the later one what a clock that was not changed would mean.
enum class Reading { Earlier, Later };

/// Local time to moment, by such a clock.
[[nodiscard]] ClockPieces momentPieces(const ClockPieces &clock, Reading reading);
/// Moment to the first local time whose earlier reading is not before it: local times from there
/// on, and no others, are so late.
[[nodiscard]] ClockPieces firstLocalPieces(const ClockPieces &clock);
[[nodiscard]] qint64 through(const ClockPieces &pieces, qint64 time);

/// The same for one time, in the zone of that name.
[[nodiscard]] qint64 momentOf(qint64 local, const QString &zone, Reading reading);
[[nodiscard]] qint64 localOf(qint64 moment, const QString &zone);
[[nodiscard]] qint64 firstLocalOf(qint64 moment, const QString &zone);

} // namespace outbox
