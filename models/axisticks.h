// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Round places on an axis: counts, durations and local times.
#pragma once

#include <QDateTime>
#include <QList>
#include <QString>

namespace outbox {

struct Tick
{
    double value = 0; ///< count, seconds, or milliseconds since 1970 on a time axis
    QString label;

    bool operator==(const Tick &) const = default;
};

enum class AxisUnit { Count, Seconds, PerSecond };

/// Ticks from 0 up to the first round value at or above `largest`; about `wanted` steps.
/// A largest value of 0 gives an axis of height 1 (or one second), never an empty one.
[[nodiscard]] QList<Tick> valueTicks(double largest, AxisUnit unit, int wanted);

/// Round local times inside [from, to], at most `most` of them.
[[nodiscard]] QList<Tick> timeTicks(const QDateTime &from, const QDateTime &to, int most);

} // namespace outbox
