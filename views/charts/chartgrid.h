// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What stands around the lines of a chart: grid, labels, washes below lines, marks, the cursor.
#pragma once

#include "models/system/axisticks.h"
#include "models/system/historyevent.h"
#include "models/system/timeseries.h"

#include <QColor>
#include <QList>
#include <QPen>
#include <QRectF>
#include <QSizeF>
#include <QString>

#include <optional>
#include <utility>

class QPainter;

namespace outbox {

/// How a moment is written on a chart of so many milliseconds: with its day where a time alone says
/// little.
[[nodiscard]] QString chartMomentFormat(double spanMs);

/// The lines of an earlier time, which stand behind those of this one.
struct EarlierLine
{
    QPen pen;
    QList<LineSegment> segments;
    bool right = false; ///< measured on the right axis
};

/// A value that knows how to paint itself; the chart sets its members before each repaint. Places
/// are pixels, times milliseconds since 1970. For the GUI thread.
struct ChartGrid
{
    static constexpr int sideMargin
        = 48; ///< the same in every chart: their times stand in one line

    QRectF plot;
    double from = 0;
    double to = 1;
    QList<Tick> times;
    QList<Tick> left; ///< the last tick is the top of the plot
    QList<Tick> right; ///< empty: no right axis
    QList<std::pair<QColor, QList<LineSegment>>> washes; ///< measured on the left axis
    QList<EarlierLine> earlier;
    QList<EventMark> marks; ///< oldest first
    std::optional<double> cursor;
    std::optional<std::pair<double, double>> span; ///< what is selected, its beginning first
    bool timesShown = true;
    QString emptyText; ///< shown in the middle when there is nothing to draw

    /// Sets plot and ticks for this much room and these largest values; no right axis without a
    /// unit.
    void fit(const QSizeF &room, double textHeight, std::pair<double, AxisUnit> leftTop,
             std::optional<std::pair<double, AxisUnit>> rightTop);
    /// Makes marks of events, which grow in time; events too near to be told apart share one. The
    /// plot is known.
    void setEvents(const QList<HistoryEvent> &events);

    [[nodiscard]] double placeOf(double at) const;
    /// The time at a place, no farther than the edges of the plot.
    [[nodiscard]] double timeAt(double place) const;
    /// The local time at the cursor, with its zone; empty where the cursor is not in the plot.
    [[nodiscard]] QString cursorText() const;
    /// The right edge of the plot, UTC.
    [[nodiscard]] QDateTime end() const;
    /// The mark at this place, or so near that a hand means it; nullptr: there is none.
    [[nodiscard]] const EventMark *markAt(double place) const;
    /// The marks in words: that under the cursor, or the newest ones where there is no cursor.
    [[nodiscard]] QString marksText() const;

    void paintBelow(QPainter *painter) const;
    void paintAbove(QPainter *painter) const;

private:
    /// Of a value on an axis, which has ticks.
    [[nodiscard]] double placeOfValue(double value, const QList<Tick> &axis) const;
    void paintValues(QPainter *painter) const;
    void paintTimes(QPainter *painter) const;
    void paintWashes(QPainter *painter) const;
    void paintEarlier(QPainter *painter) const;
    void paintMarks(QPainter *painter) const;
    void paintSpan(QPainter *painter) const;
    void paintCursor(QPainter *painter) const;
};

} // namespace outbox
