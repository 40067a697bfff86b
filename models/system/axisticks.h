// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Round places on an axis: counts, durations and local times.
#pragma once

#include <QDateTime>
#include <QList>
#include <QString>

#include <optional>

namespace outbox {

struct Tick
{
    double value = 0; ///< count, seconds, or milliseconds since 1970 on a time axis
    QString label;

    bool operator==(const Tick &) const = default;
};

enum class AxisUnit { Count, Seconds, PerSecond };

/// A value of this unit as people read it: "412", "38 s", "96/s".
[[nodiscard]] QString valueText(double value, AxisUnit unit);

/// "pending 412, falling": `before` is the value a while ago, nullopt where it is not known.
[[nodiscard]] QString trendText(const QString &name, const QString &text, double now,
                                std::optional<double> before);

/// Ticks from 0 up to the first round value at or above `largest`; about `wanted` steps.
/// A largest value of 0 gives an axis of height 1 (or one second), never an empty one.
[[nodiscard]] QList<Tick> valueTicks(double largest, AxisUnit unit, int wanted);

/// Round local times inside [from, to], no more than `most` and one; dates where the time is longer
/// than two days.
[[nodiscard]] QList<Tick> timeTicks(const QDateTime &from, const QDateTime &to, int most);

} // namespace outbox
