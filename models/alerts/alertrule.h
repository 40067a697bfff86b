// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rule of an alert: `FIGURE OP VALUE [for DURATION]`, or the same on the rows that match a
// filter, as text and as a value.
#pragma once

#include "models/alerts/alertfigure.h"
#include "models/filter/filter.h"
#include "models/filter/rowcount.h"
#include "models/result.h"

#include <QString>

#include <optional>

namespace outbox {

/// `lag > 2m for 1m`, `failed > 0`, `level >= stalled`. Values are durations as in a filter
/// (`90s`, `5m`, `2h`, `30d`), numbers, or the name of a level.
///
/// `rows "state:failed type:invoice" > 5 in 10m for 1m`: the figure `rows` is followed by a filter
/// of rows in `"` or `'`; that sign, doubled, stands for itself in it. `in` counts the rows alone
/// that were made in this time.
struct AlertRule
{
    AlertFigure figure = AlertFigure::Lag;
    FilterOp op = FilterOp::Greater; ///< one that compares: = != < <= > >=
    double limit = 0; ///< in the unit of the figure
    qint64 forMs = 0; ///< so long it must hold; 0: one look is enough
    QString text; ///< as it was written, on one line
    Filter filter{}; ///< of the figure Rows
    qint64 inMs = 0; ///< Rows: made so long ago at most; 0: whenever they were made

    /// Whether its figure is counted for it alone.
    [[nodiscard]] bool isOnFilter() const { return originOf(figure) == AlertOrigin::Filter; }
    /// The question whose answer tells whether a rule on a filter holds: it counts no further than
    /// that takes. Times count from `now`.
    [[nodiscard]] RowCountRequest countAt(const QDateTime &now) const;
    /// Fails with Invalid, the position of the fault and what to write.
    [[nodiscard]] static Result<AlertRule> fromText(const QString &text);
    /// nullopt: nobody can tell by this reading.
    [[nodiscard]] std::optional<bool> holds(const AlertReading &reading) const;

    bool operator==(const AlertRule &) const = default;
};

} // namespace outbox
