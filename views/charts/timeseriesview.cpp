// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/timeseriesview.h"

#include "views/charts/chartgrid.h"
#include "views/charts/chartlegend.h"
#include "views/charts/legendstrip.h"

#include <QBoxLayout>
#include <QChart>
#include <QChartView>
#include <QEvent>
#include <QLineSeries>
#include <QMouseEvent>
#include <QValueAxis>

#include <cmath>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int redrawMs = 500;

} // namespace

/// Qt Charts draws the lines on hidden axes; everything else is the grid's.
class TimeSeriesView::Canvas : public QChartView
{
public:
    explicit Canvas(QWidget *parent) : QChartView(new QChart, parent)
    {
        setFrameShape(QFrame::NoFrame);
        setRenderHint(QPainter::Antialiasing);
        setMouseTracking(true);
        setBackgroundBrush(Qt::NoBrush);
        viewport()->setAutoFillBackground(false);
        chart()->setBackgroundVisible(false);
        chart()->setMargins({});
        chart()->legend()->hide();
        chart()->setAnimationOptions(QChart::NoAnimation);
        for (QValueAxis *axis : {m_time, m_left, m_right})
            axis->setVisible(false);
        chart()->addAxis(m_time, Qt::AlignBottom);
        chart()->addAxis(m_left, Qt::AlignLeft);
        chart()->addAxis(m_right, Qt::AlignRight);
    }

    /// Replaces the points of one line; pieces that are not needed stay, empty, for the next gap.
    void replace(qsizetype line, const QList<LineSegment> &segments, const ChartLine &look)
    {
        if (line >= m_pieces.size())
            m_pieces.resize(line + 1);
        QList<QLineSeries *> &pieces = m_pieces[line];
        while (pieces.size() < segments.size()) {
            auto *piece = new QLineSeries;
            chart()->addSeries(piece);
            piece->attachAxis(m_time);
            piece->attachAxis(look.right ? m_right : m_left);
            pieces.append(piece);
        }
        const QPen pen(look.color(), 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
        for (qsizetype i = 0; i < pieces.size(); ++i) {
            pieces.at(i)->setPen(pen);
            pieces.at(i)->replace(i < segments.size() ? segments.at(i) : LineSegment());
        }
    }

    /// Hands the grid's ranges to the axes and repaints.
    void takeGrid(const ChartGrid &grid)
    {
        m_grid = grid;
        chart()->setPlotArea(grid.plot);
        m_time->setRange(grid.from, grid.to);
        m_left->setRange(0, grid.left.last().value);
        m_right->setRange(0, grid.right.isEmpty() ? 1 : grid.right.last().value);
        viewport()->update();
    }

    ChartGrid m_grid;
    QList<QList<QLineSeries *>> m_pieces; ///< by line
    std::function<void(std::optional<double>)> m_hovered;

protected:
    void drawBackground(QPainter *painter, const QRectF & /*rect*/) override
    {
        painter->setFont(font());
        m_grid.paintBelow(painter);
    }
    void drawForeground(QPainter *painter, const QRectF &) override { m_grid.paintAbove(painter); }
    void mouseMoveEvent(QMouseEvent *event) override
    {
        const QRectF plot = m_grid.plot;
        const double share = (event->position().x() - plot.left()) / std::max(1.0, plot.width());
        if (share < 0 || share > 1)
            m_hovered(std::nullopt);
        else
            m_hovered(m_grid.from + share * (m_grid.to - m_grid.from));
    }
    void leaveEvent(QEvent *event) override
    {
        QChartView::leaveEvent(event);
        m_hovered(std::nullopt);
    }
    void wheelEvent(QWheelEvent *event) override { event->ignore(); } // the page scrolls

private:
    QValueAxis *m_time = new QValueAxis; ///< all three belong to the chart
    QValueAxis *m_left = new QValueAxis;
    QValueAxis *m_right = new QValueAxis;
};

TimeSeriesView::TimeSeriesView(const QString &title, AxisUnit left, std::optional<AxisUnit> right,
                               QList<ChartLine> lines, QWidget *parent)
    : QWidget(parent), m_legend(new LegendStrip(title)), m_canvas(new Canvas(this)),
      m_lines(std::move(lines)), m_left(left), m_right(right)
{
    setAccessibleName(title);
    m_canvas->setAccessibleName(title);
    m_canvas->setFocusPolicy(Qt::NoFocus);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_legend);
    layout->addWidget(m_canvas, 1);
    m_later.setSingleShot(true);
    connect(&m_later, &QTimer::timeout, this, &TimeSeriesView::redraw);
    m_canvas->m_hovered = [this](std::optional<double> at) {
        emit cursorMoved(at ? std::optional(QDateTime::fromMSecsSinceEpoch(std::llround(*at)))
                            : std::nullopt);
    };
}

void TimeSeriesView::show(const ChartPicture &picture)
{
    m_picture = picture;
    describe(); // a legend says what the numbers beside the chart say, at the same moment
    const qint64 passed = m_sinceRedraw.isValid() ? m_sinceRedraw.elapsed() : redrawMs;
    if (passed >= redrawMs)
        redraw();
    else if (!m_later.isActive())
        m_later.start(static_cast<int>(redrawMs - passed));
}

void TimeSeriesView::setTimesShown(bool shown)
{
    m_timesShown = shown;
    redraw();
}

void TimeSeriesView::setCursor(const std::optional<QDateTime> &at)
{
    m_cursor = at;
    m_canvas->m_grid.cursor
        = at ? std::optional(static_cast<double>(at->toMSecsSinceEpoch())) : std::nullopt;
    describe();
    m_canvas->viewport()->update();
}

double TimeSeriesView::placeOf(const QDateTime &at) const
{
    return m_canvas->x() + m_canvas->m_grid.placeOf(static_cast<double>(at.toMSecsSinceEpoch()));
}

int TimeSeriesView::piecesOf(int line) const
{
    int pieces = 0;
    for (const QLineSeries *piece : m_canvas->m_pieces.value(line))
        pieces += piece->count() > 0 ? 1 : 0;
    return pieces;
}

void TimeSeriesView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    layout()->activate();
    redraw();
}

void TimeSeriesView::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        redraw();
}

void TimeSeriesView::redraw()
{
    m_sinceRedraw.start();
    m_later.stop();
    ChartGrid grid;
    grid.cursor = m_canvas->m_grid.cursor;
    grid.timesShown = m_timesShown;
    grid.emptyText = tr("No data in this time yet");
    double left = 0;
    double right = 0;
    for (qsizetype i = 0; i < m_lines.size(); ++i) {
        const ChartLine &line = m_lines.at(i);
        const QList<LineSegment> segments = m_picture.lines.value(i);
        double &largest = line.right ? right : left;
        for (const LineSegment &segment : segments) {
            grid.emptyText.clear();
            for (const QPointF &point : segment)
                largest = std::max(largest, point.y());
        }
        if (line.washed && !line.right)
            grid.washes.append({line.color(), segments});
        m_canvas->replace(i, segments, line);
    }
    if (m_picture.from.isValid()) {
        grid.from = static_cast<double>(m_picture.from.toMSecsSinceEpoch());
        grid.to = static_cast<double>(m_picture.to.toMSecsSinceEpoch());
    }
    grid.fit(m_canvas->size(), fontMetrics().height(), {left, m_left},
             m_right ? std::optional(std::pair(right, *m_right)) : std::nullopt);
    m_canvas->takeGrid(grid);
    describe();
}

void TimeSeriesView::describe()
{
    const ChartLegend legend = legendOf(m_lines, m_picture, m_left, m_right, m_cursor);
    m_legend->setEntries(legend.entries, legend.moment);
    const QString &summary = legend.summary;
    if (summary != accessibleDescription()) {
        setAccessibleDescription(summary);
        m_canvas->setAccessibleDescription(summary);
    }
}

} // namespace outbox
