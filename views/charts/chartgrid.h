// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What stands around the lines of a chart: grid, labels, washes below lines, the cursor.
#pragma once

#include "models/system/axisticks.h"
#include "models/system/timeseries.h"

#include <QColor>
#include <QRectF>

#include <optional>
#include <utility>

class QPainter;

namespace outbox {

/// A value that knows how to paint itself; the chart sets its members before each repaint.
struct ChartGrid
{
    static constexpr int sideMargin
        = 48; ///< the same in every chart: their times stand in one line

    QRectF plot;
    double from = 0; ///< milliseconds since 1970
    double to = 1;
    QList<Tick> times;
    QList<Tick> left; ///< the last tick is the top of the plot
    QList<Tick> right; ///< empty: no right axis
    QList<std::pair<QColor, QList<LineSegment>>> washes; ///< measured on the left axis
    std::optional<double> cursor;
    bool timesShown = true;
    QString emptyText; ///< shown in the middle when there is nothing to draw

    /// Sets plot and ticks for this much room and these largest values; no right axis without a
    /// unit.
    void fit(const QSizeF &room, double textHeight, std::pair<double, AxisUnit> leftTop,
             std::optional<std::pair<double, AxisUnit>> rightTop);
    [[nodiscard]] double placeOf(double at) const;
    void paintBelow(QPainter *painter) const;
    void paintAbove(QPainter *painter) const;

private:
    void paintValues(QPainter *painter) const;
    void paintTimes(QPainter *painter) const;
    void paintWashes(QPainter *painter) const;
};

} // namespace outbox
