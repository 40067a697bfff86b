// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// When an alert would have been raised in the time that the kept history tells of, or the counts
// that were made of its filter.
#pragma once

#include "models/alerts/alertrule.h"
#include "models/system/historypoint.h"

#include <QDateTime>
#include <QList>
#include <QString>

#include <optional>

namespace outbox {

/// The number of the history that a figure is judged by; nullopt: the history does not keep it.
[[nodiscard]] std::optional<Measure> measureOf(AlertFigure figure);

struct AlertTrial
{
    static constexpr qint64 span = 7 * 86'400; ///< seconds

    struct Raising
    {
        QDateTime at;
        std::optional<QDateTime> over{}; ///< nullopt: it lasted until the end of the time

        bool operator==(const Raising &) const = default;
    };
    /// A time in which nobody looked, or the number was not known.
    struct Gap
    {
        QDateTime from;
        QDateTime to;

        bool operator==(const Gap &) const = default;
    };

    AlertRule rule;
    QDateTime from;
    QDateTime to;
    QList<Raising> raisings{}; ///< in their order
    QList<Gap> gaps{}; ///< in their order; those of two minutes or less are none

    /// Whether the figure is one that the history keeps.
    [[nodiscard]] bool isKept() const { return measureOf(rule.figure).has_value(); }
    [[nodiscard]] qint64 unknownSeconds() const;

    bool operator==(const AlertTrial &) const = default;
};

/// Judges with `AlertState` what was seen from `from` to `to`, seconds since 1970 (UTC). `minutes`
/// are of the time before the first of `seconds`; both grow in time. Where
/// the values of one point lie on both sides of the limit, the rule held in a part of its time.
[[nodiscard]] AlertTrial tryAlert(const AlertRule &rule, const QList<HistoryPoint> &minutes,
                                  const QList<HistoryPoint> &seconds, qint64 from, qint64 to);

/// One count of the rows that a filter finds.
struct CountedRows
{
    QDateTime at;
    AlertReading reading;
};

/// Judges a rule on a filter by these, which grow in time; from the first of them on.
[[nodiscard]] AlertTrial tryAlert(const AlertRule &rule, const QList<CountedRows> &looks,
                                  const QDateTime &to);

/// What came of it, for a person: "In the last 7 days this would have been raised 3 times: Mon
/// 14:02 for 12 min, …", what is not known, and what the history cannot tell. Of a rule on a filter
/// "Since Mon 14:02 …", or that there is no history of it yet. Plain text, of few lines.
[[nodiscard]] QString trialText(const AlertTrial &trial);

} // namespace outbox
