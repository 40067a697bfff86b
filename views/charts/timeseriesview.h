// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lines over time; the only class that knows Qt Charts.
#pragma once

#include "models/system/axisticks.h"
#include "models/system/historyevent.h"
#include "models/system/timeseries.h"
#include "views/theme/theme.h"

#include <QElapsedTimer>
#include <QPixmap>
#include <QTimer>
#include <QWidget>

#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace outbox {

class LegendStrip;
class SpanActions;

/// Two moments, the earlier first.
struct ChartSpan
{
    QDateTime from;
    QDateTime to;

    bool operator==(const ChartSpan &) const = default;
};

struct ChartLine
{
    QString name;
    std::function<LineStyle()> style; ///< asked at each repaint, so that it follows the theme
    bool right = false; ///< measured on the right axis
    bool washed = false; ///< a light fill below the line
};

/// All lines of one chart at one moment; `lines` in the order of the ChartLines.
struct ChartPicture
{
    QDateTime from;
    QDateTime to;
    QList<QList<LineSegment>> lines;
    QList<std::optional<double>> newest; ///< of each line; nullopt: not known
    bool isExact = true; ///< false: the newest counts were capped or estimated
    QList<HistoryEvent> events{}; ///< growing in time; those between the two times are drawn
    qint64 reachMs = 0; ///< between two points of the lines, where both were kept
    /// "yesterday": what the earlier lines are called; empty: there are none.
    QString earlierName{};
    QList<QList<LineSegment>> earlier{}; ///< of each line, at the places of this time
    qint64 earlierReachMs = 0; ///< between two points of them, where both were kept
};

/// Draws at most twice a second, whatever it is given, but its legend is always that of the last
/// picture. A line breaks where its segments end. The two times of a picture are the edges of the
/// plot: charts that are given the same two share one axis. Events are thin lines with a mark at
/// their tops; a tooltip and the description of the chart say what happened. The cursor goes where
/// the mouse is, and by Left, Right, Home and End where the chart has the focus; a drag, or Shift
/// with these keys, selects a span.
class TimeSeriesView : public QWidget
{
    Q_OBJECT

public:
    TimeSeriesView(const QString &title, AxisUnit left, std::optional<AxisUnit> right,
                   QList<ChartLine> lines, QWidget *parent = nullptr);

    void show(const ChartPicture &picture);
    using QWidget::show;
    void setTimesShown(bool shown);
    /// A vertical line with the values at that moment and their time; nullopt: the newest values.
    void setCursor(const std::optional<QDateTime> &at);
    using QWidget::setCursor;
    /// Whether there are rows that were created in a span.
    void setRowsOffered(bool offered);
    void clearSpan();

    /// Where a moment stands, in pixels from the left edge of this widget.
    [[nodiscard]] double placeOf(const QDateTime &at) const;
    /// How each line is drawn now.
    [[nodiscard]] QList<LineStyle> styles() const;
    /// How many unbroken pieces a line is drawn in.
    [[nodiscard]] int piecesOf(int line) const;
    /// The same of the line of an earlier time, which is behind it.
    [[nodiscard]] int earlierPiecesOf(int line) const;
    /// The time that stands at the cursor; empty without one.
    [[nodiscard]] QString cursorText() const;
    /// As it is shown, with its times.
    [[nodiscard]] QPixmap takePicture();

signals:
    void cursorMoved(const std::optional<QDateTime> &at);
    /// A span is being selected on this chart.
    void spanChosen();
    void zoomAsked(const outbox::ChartSpan &span);
    void rowsAsked(const outbox::ChartSpan &span);
    /// The picture is to be saved; `title` is the chart's.
    void pictureAsked(const QPixmap &picture, const QString &title);
    /// Esc, where no span is selected.
    void backAsked();

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    class Canvas;

    void redraw();
    void describe();
    void joinCanvas();
    void moveCursor(const QDateTime &at, bool isSelecting);
    /// `anchor` is where it began; `isOver`: it is not changing any more.
    void selectSpan(const QDateTime &anchor, const QDateTime &edge, bool isOver);
    void showSpan();
    /// Nothing is sent where no span is selected.
    void askZoom();
    [[nodiscard]] std::optional<ChartSpan> chosenSpan() const;

    LegendStrip *m_legend;
    Canvas *m_canvas;
    SpanActions *m_actions;
    QList<ChartLine> m_lines;
    AxisUnit m_left;
    std::optional<AxisUnit> m_right;
    ChartPicture m_picture;
    std::optional<QDateTime> m_cursor;
    std::optional<std::pair<QDateTime, QDateTime>> m_span; ///< where it began and where it is now
    bool m_timesShown = true;
    QTimer m_later;
    QElapsedTimer m_sinceRedraw;
};

} // namespace outbox
