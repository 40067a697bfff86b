// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/timeseriesview.h"

#include "models/plaintext.h"
#include "models/translation.h"
#include "views/charts/chartgrid.h"
#include "views/charts/chartpicture.h"
#include "views/charts/legendstrip.h"
#include "views/charts/spanactions.h"
#include "views/theme/theme.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QApplication>
#include <QBoxLayout>
#include <QChart>
#include <QChartView>
#include <QContextMenuEvent>
#include <QEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLineSeries>
#include <QList>
#include <QMouseEvent>
#include <QPainter>
#include <QRectF>
#include <QToolTip>
#include <QValueAxis>

#include <algorithm>
#include <cmath>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// What the head of a chart says: the newest value of each line, or those under the cursor with the
/// time they are from.
struct ChartLegend
{
    QList<LegendEntry> entries;
    QString moment; ///< "at 14:02:11", or with its day, under the cursor only
    QString summary; ///< the same for a screen reader, with the way each line goes
};

constexpr Translation legendText("outbox::ChartLegend");

/// "+32", "−8", "±0".
QString changeText(double change, AxisUnit unit)
{
    const QString sign = change > 0 ? u"+"_s : change < 0 ? u"\u2212"_s : u"\u00b1"_s;
    return sign + valueText(std::abs(change), unit);
}

/// What the earlier line of one says: for the eye, and for a screen reader.
std::pair<QString, QString> earlierTexts(const ChartPicture &picture, qsizetype line, double at,
                                         std::optional<double> now, AxisUnit unit)
{
    const auto reach = static_cast<double>(picture.earlierReachMs);
    const auto before = pointAt(picture.earlier.value(line), at, reach);
    if (!before)
        return {u"\u2013"_s, legendText("%1 not known").arg(picture.earlierName)};
    const QString value = valueText(before->y(), unit);
    const QString told = picture.earlierName + u' ' + value;
    if (!now)
        return {value, told};
    const QString change = changeText(*now - before->y(), unit);
    return {QString(value + u", "_s + change), legendText("%1, difference %2").arg(told, change)};
}

/// The newest values are those of the picture, never points that were drawn: these are thinned out.
ChartLegend legendOf(const QList<ChartLine> &lines, const ChartPicture &picture, AxisUnit left,
                     std::optional<AxisUnit> right, const std::optional<QDateTime> &cursor)
{
    ChartLegend legend;
    QStringList told;
    const auto span = static_cast<double>(picture.from.msecsTo(picture.to));
    const auto end = static_cast<double>(picture.to.toMSecsSinceEpoch());
    const double reach = std::max(5'000.0, span / 100);
    const QString momentFormat = chartMomentFormat(span);
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const ChartLine &line = lines.at(i);
        const QList<LineSegment> segments = picture.lines.value(i);
        const AxisUnit unit = line.right ? right.value_or(left) : left;
        std::optional<double> value = picture.newest.value(i);
        if (cursor) {
            const auto point = pointAt(segments, static_cast<double>(cursor->toMSecsSinceEpoch()),
                                       std::max(reach, static_cast<double>(picture.reachMs)));
            value = point ? std::optional(point->y()) : std::nullopt;
            if (point && legend.moment.isEmpty()) {
                const auto at = QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(point->x()));
                legend.moment = legendText("at %1").arg(at.toString(momentFormat));
            }
        }
        const bool isRough = !cursor && !picture.isExact && unit == AxisUnit::Count;
        const QString text
            = value ? (isRough ? u"~"_s : QString()) + valueText(*value, unit) : u"\u2013"_s;
        legend.entries.append({line.name, text, line.style()});
        if (!value)
            told.append(legendText("%1 not known").arg(line.name));
        else if (cursor)
            told.append(line.name + u' ' + text);
        else if (const auto before = pointAt(segments, end - span / 5, reach))
            told.append(trendText(line.name, text, *value, before->y()));
        else
            told.append(trendText(line.name, text, *value, std::nullopt));
        if (picture.earlierName.isEmpty())
            continue;
        const double place = cursor ? static_cast<double>(cursor->toMSecsSinceEpoch()) : end;
        const auto [shown, spoken] = earlierTexts(picture, i, place, value, unit);
        legend.entries.last().before = shown;
        told.append(spoken);
    }
    legend.summary = told.join(u"; "_s);
    if (cursor && legend.moment.isEmpty()) // nothing is known there
        legend.moment = legendText("at %1").arg(cursor->toLocalTime().toString(momentFormat));
    if (!legend.moment.isEmpty())
        legend.summary.prepend(legend.moment + u": "_s);
    return legend;
}

constexpr int redrawMs = 500;
constexpr qint64 keySteps = 100; ///< from edge to edge by Left and Right
constexpr double leastDrag = 4; ///< pixels; what is less is a click

QDateTime timeOfPlace(double at)
{
    return QDateTime::fromMSecsSinceEpoch(std::llround(at), Qt::UTC);
}

double placeOfTime(const QDateTime &at)
{
    return static_cast<double>(at.toMSecsSinceEpoch());
}

/// A picture with a text for assistive technology. Its value is time and values at the cursor, or
/// the newest values.
class ChartInterface : public QAccessibleWidget
{
public:
    explicit ChartInterface(QWidget *chart) : QAccessibleWidget(chart, QAccessible::Chart) { }

    [[nodiscard]] QString text(QAccessible::Text kind) const override
    {
        return QAccessibleWidget::text(kind == QAccessible::Value ? QAccessible::Description
                                                                  : kind);
    }
};

QAccessibleInterface *chartInterface(const QString &key, QObject *object)
{
    auto *chart
        = key == u"outbox::TimeSeriesView"_s ? qobject_cast<TimeSeriesView *>(object) : nullptr;
    return chart ? new ChartInterface(chart) : nullptr;
}

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
        const QPen pen = theme::pen(look.style(), 1.6);
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
    /// Where a drag began, where it is, and whether it is over.
    std::function<void(double, double, bool)> m_dragged;

protected:
    void drawBackground(QPainter *painter, const QRectF & /*rect*/) override
    {
        painter->setFont(font());
        m_grid.paintBelow(painter);
    }
    void drawForeground(QPainter *painter, const QRectF & /*rect*/) override
    {
        painter->setFont(font());
        m_grid.paintAbove(painter);
    }
    void mousePressEvent(QMouseEvent *event) override
    {
        const double place = event->position().x();
        if (event->button() == Qt::LeftButton && isInPlot(place))
            m_pressed = m_grid.timeAt(place);
        else
            event->ignore();
    }
    void mouseMoveEvent(QMouseEvent *event) override
    {
        const double place = event->position().x();
        m_hovered(isInPlot(place) ? std::optional(m_grid.timeAt(place)) : std::nullopt);
        if (m_pressed && event->buttons().testFlag(Qt::LeftButton))
            m_dragged(*m_pressed, m_grid.timeAt(place), false);
    }
    void mouseReleaseEvent(QMouseEvent *event) override
    {
        if (event->button() != Qt::LeftButton || !m_pressed)
            return event->ignore();
        const double anchor = *std::exchange(m_pressed, std::nullopt);
        m_dragged(anchor, m_grid.timeAt(event->position().x()), true);
    }
    void leaveEvent(QEvent *event) override
    {
        QChartView::leaveEvent(event);
        m_hovered(std::nullopt);
    }
    void wheelEvent(QWheelEvent *event) override { event->ignore(); } // the page scrolls
    bool viewportEvent(QEvent *event) override
    {
        if (event->type() != QEvent::ToolTip)
            return QChartView::viewportEvent(event);
        const auto *asked = static_cast<QHelpEvent *>(event);
        const EventMark *mark = m_grid.markAt(asked->pos().x());
        QToolTip::showText(asked->globalPos(),
                           mark ? plainTooltip(mark->lines(m_grid.end())) : QString(), viewport());
        return true;
    }

private:
    [[nodiscard]] bool isInPlot(double place) const
    {
        return place >= m_grid.plot.left() && place <= m_grid.plot.right();
    }

    std::optional<double> m_pressed; ///< the time where the button went down
    QValueAxis *m_time = new QValueAxis; ///< all three belong to the chart
    QValueAxis *m_left = new QValueAxis;
    QValueAxis *m_right = new QValueAxis;
};

TimeSeriesView::TimeSeriesView(const QString &title, AxisUnit left, std::optional<AxisUnit> right,
                               QList<ChartLine> lines, QWidget *parent)
    : QWidget(parent), m_legend(new LegendStrip(title)), m_canvas(new Canvas(this)),
      m_actions(new SpanActions(this)), m_lines(std::move(lines)), m_left(left), m_right(right)
{
    QAccessible::installFactory(chartInterface); // which Qt takes once, however often it is given
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(title);
    m_canvas->setAccessibleName(title);
    m_canvas->setFocusPolicy(Qt::NoFocus);
    for (QWidget *part : {static_cast<QWidget *>(m_canvas), m_canvas->viewport()})
        part->setContextMenuPolicy(Qt::NoContextMenu); // it is that of the whole chart
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_legend);
    layout->addWidget(m_canvas, 1);
    m_later.setSingleShot(true);
    connect(&m_later, &QTimer::timeout, this, &TimeSeriesView::redraw);
    joinCanvas();
    connect(m_actions, &SpanActions::zoomAsked, this, &TimeSeriesView::askZoom);
    connect(m_actions, &SpanActions::rowsAsked, this, [this] {
        if (const auto chosen = chosenSpan())
            emit rowsAsked(*chosen);
    });
}

void TimeSeriesView::joinCanvas()
{
    m_canvas->m_hovered = [this](std::optional<double> at) {
        emit cursorMoved(at ? std::optional(timeOfPlace(*at)) : std::nullopt);
    };
    m_canvas->m_dragged = [this](double anchor, double edge, bool isOver) {
        const ChartGrid &grid = m_canvas->m_grid;
        if (std::abs(grid.placeOf(edge) - grid.placeOf(anchor)) >= leastDrag)
            selectSpan(timeOfPlace(anchor), timeOfPlace(edge), isOver);
        else if (isOver)
            clearSpan();
    };
}

void TimeSeriesView::show(const ChartPicture &picture)
{
    m_picture = picture;
    const qint64 passed = m_sinceRedraw.isValid() ? m_sinceRedraw.elapsed() : redrawMs;
    if (passed >= redrawMs)
        return redraw();
    describe(); // a legend says what the numbers beside the chart say, at the same moment
    if (!m_later.isActive())
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
    m_canvas->m_grid.cursor = at ? std::optional(placeOfTime(*at)) : std::nullopt;
    describe();
    m_canvas->viewport()->update();
}

double TimeSeriesView::placeOf(const QDateTime &at) const
{
    return m_canvas->x() + m_canvas->m_grid.placeOf(placeOfTime(at));
}

QString TimeSeriesView::cursorText() const
{
    return m_canvas->m_grid.cursorText();
}

void TimeSeriesView::setRowsOffered(bool offered)
{
    m_actions->setRowsOffered(offered);
    showSpan();
}

std::optional<ChartSpan> TimeSeriesView::chosenSpan() const
{
    if (!m_span)
        return std::nullopt;
    return ChartSpan{std::min(m_span->first, m_span->second),
                     std::max(m_span->first, m_span->second)};
}

void TimeSeriesView::selectSpan(const QDateTime &anchor, const QDateTime &edge, bool isOver)
{
    m_span = std::pair(anchor, edge);
    emit spanChosen();
    m_actions->setVisible(isOver);
    showSpan();
}

void TimeSeriesView::clearSpan()
{
    m_span.reset();
    if (m_actions->isAncestorOf(QApplication::focusWidget()))
        setFocus();
    m_actions->hide();
    showSpan();
}

void TimeSeriesView::showSpan()
{
    ChartGrid &grid = m_canvas->m_grid;
    grid.span.reset();
    if (const auto chosen = chosenSpan()) {
        grid.span.emplace(placeOfTime(chosen->from), placeOfTime(chosen->to));
        const double middle = (placeOf(chosen->from) + placeOf(chosen->to)) / 2;
        m_actions->placeAt({qRound(middle), m_canvas->y() + qRound(grid.plot.top()) + 2});
        m_actions->raise();
    }
    m_canvas->viewport()->update();
}

void TimeSeriesView::askZoom()
{
    const auto chosen = chosenSpan();
    if (!chosen)
        return;
    clearSpan();
    setFocus(); // Esc goes back from here
    emit zoomAsked(*chosen);
}

void TimeSeriesView::keyPressEvent(QKeyEvent *event)
{
    const qint64 step = std::max<qint64>(1'000, m_picture.from.msecsTo(m_picture.to) / keySteps);
    const QDateTime at = m_cursor.value_or(m_picture.to);
    const bool isSelecting = event->modifiers().testFlag(Qt::ShiftModifier);
    if (event->matches(QKeySequence::Copy))
        return copyPicture(takePicture());
    switch (event->key()) {
    case Qt::Key_Left:
        return moveCursor(at.addMSecs(-step), isSelecting);
    case Qt::Key_Right:
        return moveCursor(at.addMSecs(step), isSelecting);
    case Qt::Key_Home:
        return moveCursor(m_picture.from, isSelecting);
    case Qt::Key_End:
        return moveCursor(m_picture.to, isSelecting);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return askZoom();
    case Qt::Key_Escape:
        if (m_span)
            clearSpan();
        else
            emit backAsked();
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void TimeSeriesView::contextMenuEvent(QContextMenuEvent *event)
{
    const bool isByKey = event->reason() == QContextMenuEvent::Keyboard;
    openPictureMenu(
        this, isByKey ? mapToGlobal(rect().center()) : event->globalPos(),
        [this] { return takePicture(); },
        [this] { emit pictureAsked(takePicture(), accessibleName()); });
}

QPixmap TimeSeriesView::takePicture()
{
    const bool before = m_timesShown;
    setTimesShown(true); // which stand at the lowest of several charts alone
    QPixmap taken = grab();
    setTimesShown(before);
    return taken;
}

void TimeSeriesView::moveCursor(const QDateTime &at, bool isSelecting)
{
    if (!m_picture.from.isValid())
        return;
    const QDateTime before = m_cursor.value_or(m_picture.to);
    const QDateTime there = std::clamp(at, m_picture.from, m_picture.to);
    if (isSelecting)
        selectSpan(m_span ? m_span->first : before, there, true);
    emit cursorMoved(there);
}

void TimeSeriesView::focusInEvent(QFocusEvent *event)
{
    QWidget::focusInEvent(event);
    update();
}

void TimeSeriesView::focusOutEvent(QFocusEvent *event)
{
    QWidget::focusOutEvent(event);
    update();
    emit cursorMoved(std::nullopt);
}

void TimeSeriesView::paintEvent(QPaintEvent * /*event*/)
{
    if (!hasFocus())
        return;
    QPainter painter(this);
    painter.setPen(QPen(theme::inks().accent, 1));
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

QList<LineStyle> TimeSeriesView::styles() const
{
    QList<LineStyle> styles;
    for (const ChartLine &line : m_lines)
        styles += line.style();
    return styles;
}

int TimeSeriesView::piecesOf(int line) const
{
    int pieces = 0;
    for (const QLineSeries *piece : m_canvas->m_pieces.value(line))
        pieces += piece->count() > 0 ? 1 : 0;
    return pieces;
}

int TimeSeriesView::earlierPiecesOf(int line) const
{
    return static_cast<int>(m_picture.earlier.value(line).size());
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
        const QList<LineSegment> earlier = m_picture.earlier.value(i);
        double &largest = line.right ? right : left;
        for (const LineSegment &segment : segments + earlier) {
            for (const QPointF &point : segment)
                largest = std::max(largest, point.y());
        }
        if (!segments.isEmpty())
            grid.emptyText.clear();
        if (line.washed && !line.right)
            grid.washes.append({line.style().color, segments});
        m_canvas->replace(i, segments, line);
        grid.earlier += EarlierLine{theme::earlierPen(line.style()), earlier, line.right};
    }
    if (m_picture.from.isValid()) {
        grid.from = placeOfTime(m_picture.from);
        grid.to = placeOfTime(m_picture.to);
    }
    grid.fit(m_canvas->size(), fontMetrics().height(), {left, m_left},
             m_right ? std::optional(std::pair(right, *m_right)) : std::nullopt);
    grid.setEvents(m_picture.events);
    m_canvas->takeGrid(grid);
    if (m_span && std::max(m_span->first, m_span->second) < m_picture.from)
        clearSpan(); // it has left the chart
    showSpan();
    describe();
}

void TimeSeriesView::describe()
{
    const ChartLegend legend = legendOf(m_lines, m_picture, m_left, m_right, m_cursor);
    m_legend->setEntries(legend.entries, legend.moment, m_picture.earlierName);
    const QString events = m_canvas->m_grid.marksText();
    const QString summary = events.isEmpty() ? legend.summary : legend.summary + u". "_s + events;
    if (summary != accessibleDescription()) {
        setAccessibleDescription(summary);
        m_canvas->setAccessibleDescription(summary);
    }
}

} // namespace outbox
