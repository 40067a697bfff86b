// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/timeseriesview.h"

#include "models/plaintext.h"
#include "models/translation.h"
#include "views/charts/chartgrid.h"
#include "views/theme/theme.h"

#include <QBoxLayout>
#include <QChart>
#include <QChartView>
#include <QEvent>
#include <QHelpEvent>
#include <QLineSeries>
#include <QList>
#include <QMouseEvent>
#include <QPainter>
#include <QRectF>
#include <QToolTip>
#include <QValueAxis>

#include <cmath>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int swatch = 10;
constexpr int swatchGap = 5;
constexpr int between = 16;

} // namespace

struct LegendEntry
{
    QString name;
    QString value; ///< newest, or that under the cursor
    QColor color;
};

/// The head of a chart: its title, and for each line a swatch, its name and its value.
class LegendStrip : public QWidget
{
    Q_OBJECT

public:
    explicit LegendStrip(const QString &title, QWidget *parent = nullptr)
        : QWidget(parent), m_title(title)
    {
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    }

    /// `moment`, where it is not empty, says from when the values are.
    void setEntries(const QList<LegendEntry> &entries, const QString &moment = {})
    {
        m_moment = moment;
        m_entries = entries;
        update();
    }

    [[nodiscard]] QSize sizeHint() const override { return {200, fontMetrics().height() + 2}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_title;
    QString m_moment;
    QList<LegendEntry> m_entries;
};

void LegendStrip::paintEvent(QPaintEvent * /*event*/)
{
    const Inks &ink = theme::inks();
    QPainter painter(this);
    const QFont titleFont = theme::scaledFont(font(), 1.0, QFont::DemiBold);
    const QString title = m_moment.isEmpty() ? m_title : m_title + u' ' + m_moment;
    const int titleWidth = QFontMetrics(titleFont).horizontalAdvance(title);
    const QFont numbers = theme::scaledFont(theme::numberFont(font()), 1.0, QFont::DemiBold);
    const QFontMetrics numberMetrics(numbers);

    // Values keep a place of fixed width, so that names do not walk while numbers change.
    const int valueWidth = numberMetrics.horizontalAdvance(QStringLiteral("00,000"));
    int needed = titleWidth;
    for (const LegendEntry &entry : m_entries)
        needed += between + swatch + 2 * swatchGap + fontMetrics().horizontalAdvance(entry.name)
            + valueWidth;
    const bool names = needed <= width();

    painter.setFont(titleFont);
    painter.setPen(ink.text);
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, title);

    int right = width();
    for (auto entry = m_entries.crbegin(); entry != m_entries.crend(); ++entry) {
        const int nameWidth = names ? fontMetrics().horizontalAdvance(entry->name) + swatchGap : 0;
        const int taken = std::max(valueWidth, numberMetrics.horizontalAdvance(entry->value));
        const int left = right - taken - nameWidth - swatch - swatchGap;
        if (left < titleWidth + between)
            break;
        painter.fillRect(QRect(left, height() / 2 - 1, swatch, 3), entry->color);
        int x = left + swatch + swatchGap;
        if (names) {
            painter.setFont(font());
            painter.setPen(ink.secondary);
            painter.drawText(QRect(x, 0, nameWidth, height()), Qt::AlignLeft | Qt::AlignVCenter,
                             entry->name);
            x += nameWidth;
        }
        painter.setFont(numbers);
        painter.setPen(ink.text);
        painter.drawText(QRect(x, 0, right - x, height()), Qt::AlignLeft | Qt::AlignVCenter,
                         entry->value);
        right = left - between;
    }
}

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

/// The newest values are those of the picture, never points that were drawn: these are thinned out.
ChartLegend legendOf(const QList<ChartLine> &lines, const ChartPicture &picture, AxisUnit left,
                     std::optional<AxisUnit> right, const std::optional<QDateTime> &cursor)
{
    ChartLegend legend;
    QStringList told;
    const auto span = static_cast<double>(picture.from.msecsTo(picture.to));
    const auto end = static_cast<double>(picture.to.toMSecsSinceEpoch());
    const double reach = std::max(5'000.0, span / 100);
    const bool isOfDays = span > 2 * 86'400'000.0; // where a time alone says little
    const QString momentFormat = isOfDays ? u"yyyy-MM-dd HH:mm"_s : u"HH:mm:ss"_s;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const ChartLine &line = lines.at(i);
        const QList<LineSegment> segments = picture.lines.value(i);
        const AxisUnit unit = line.right ? right.value_or(left) : left;
        std::optional<double> value = picture.newest.value(i);
        if (cursor) {
            const auto point
                = pointAt(segments, static_cast<double>(cursor->toMSecsSinceEpoch()), reach);
            value = point ? std::optional(point->y()) : std::nullopt;
            if (point && legend.moment.isEmpty()) {
                const auto at = QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(point->x()));
                legend.moment = legendText("at %1").arg(at.toString(momentFormat));
            }
        }
        const bool isRough = !cursor && !picture.isExact && unit == AxisUnit::Count;
        const QString text
            = value ? (isRough ? u"~"_s : QString()) + valueText(*value, unit) : u"\u2013"_s;
        legend.entries.append({line.name, text, line.color()});
        if (!value)
            told.append(legendText("%1 not known").arg(line.name));
        else if (cursor)
            told.append(line.name + u' ' + text);
        else if (const auto before = pointAt(segments, end - span / 5, reach))
            told.append(trendText(line.name, text, *value, before->y()));
        else
            told.append(trendText(line.name, text, *value, std::nullopt));
    }
    legend.summary = told.join(u"; "_s);
    if (!legend.moment.isEmpty())
        legend.summary.prepend(legend.moment + u": "_s);
    return legend;
}

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
    void drawForeground(QPainter *painter, const QRectF & /*rect*/) override
    {
        painter->setFont(font());
        m_grid.paintAbove(painter);
    }
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
    grid.setEvents(m_picture.events);
    m_canvas->takeGrid(grid);
    describe();
}

void TimeSeriesView::describe()
{
    const ChartLegend legend = legendOf(m_lines, m_picture, m_left, m_right, m_cursor);
    m_legend->setEntries(legend.entries, legend.moment);
    const QString events = m_canvas->m_grid.marksText();
    const QString summary = events.isEmpty() ? legend.summary : legend.summary + u". "_s + events;
    if (summary != accessibleDescription()) {
        setAccessibleDescription(summary);
        m_canvas->setAccessibleDescription(summary);
    }
}

} // namespace outbox

#include "timeseriesview.moc"
