// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/overview/overviewcharts.h"

#include "models/message/messagestate.h"
#include "models/phrases.h"
#include "models/system/timeseries.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"

#include <QBoxLayout>
#include <QButtonGroup>
#include <QLabel>
#include <QToolButton>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

using theme::Series;

constexpr int dayMinutes = 24 * 60;
constexpr qint64 leastZoomMs = 10'000;
constexpr int mostZoomPoints = 600;

ChartLine stateLine(TaskState state)
{
    return {label(state), [state] { return theme::lineStyle(state); }, false, false};
}

ChartLine seriesLine(const QString &name, Series which, bool right = false, bool washed = false)
{
    return {name, [which] { return theme::lineStyle(which); }, right, washed};
}

} // namespace

OverviewCharts::OverviewCharts(QWidget *parent)
    : Card({}, parent), m_ranges(new QButtonGroup(this)), m_zoomed(plainLabel({}, true))
{
    auto *ranges = new QHBoxLayout;
    ranges->addWidget(titleLabel(tr("History")));
    m_zoomed->setObjectName(u"zoomedSpan"_s);
    ranges->addWidget(m_zoomed);
    ranges->addStretch();
    const QList<std::pair<int, QString>> choices{{3, tr("3 min")},
                                                 {15, tr("15 min")},
                                                 {60, tr("1 h")},
                                                 {dayMinutes, tr("24 h")},
                                                 {7 * dayMinutes, tr("7 days")},
                                                 {30 * dayMinutes, tr("30 days")}};
    for (const auto &[minutes, text] : choices) {
        auto *button = new QToolButton;
        button->setText(text);
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setChecked(minutes == m_minutes);
        setNames(button, u"range%1"_s.arg(minutes), tr("Show the last %1").arg(text));
        m_ranges->addButton(button, minutes);
        ranges->addWidget(button);
        connect(button, &QToolButton::clicked, this,
                [this, minutes = minutes] { setRange(minutes); });
    }
    body()->addLayout(ranges);

    m_charts[Backlog]
        = new TimeSeriesView(tr("Backlog and lag"), AxisUnit::Count, AxisUnit::Seconds,
                             {seriesLine(tr("backlog"), Series::Backlog, false, true),
                              seriesLine(tr("lag"), Series::Lag, true)});
    m_charts[Rates] = new TimeSeriesView(
        tr("In and out"), AxisUnit::PerSecond, std::nullopt,
        {seriesLine(tr("in"), Series::In), seriesLine(tr("out"), Series::Out, false, true)});
    m_charts[Depth]
        = new TimeSeriesView(tr("Queue by state"), AxisUnit::Count, std::nullopt,
                             {stateLine(TaskState::Pending), stateLine(TaskState::Active),
                              stateLine(TaskState::Retry), stateLine(TaskState::Archived)});
    m_charts[Backlog]->setObjectName(u"backlogChart"_s);
    m_charts[Rates]->setObjectName(u"ratesChart"_s);
    m_charts[Depth]->setObjectName(u"depthChart"_s);
    for (TimeSeriesView *chart : m_charts) {
        chart->setMinimumHeight(84);
        chart->setTimesShown(chart == m_charts[Depth]);
        body()->addWidget(chart, chart == m_charts[Depth] ? 11 : 10);
        joinChart(chart);
    }
}

void OverviewCharts::joinChart(TimeSeriesView *chart)
{
    connect(chart, &TimeSeriesView::cursorMoved, this, [this](const auto &at) {
        for (TimeSeriesView *other : m_charts)
            other->setCursor(at);
    });
    connect(chart, &TimeSeriesView::spanChosen, this, [this, chart] {
        for (TimeSeriesView *other : m_charts) {
            if (other != chart)
                other->clearSpan();
        }
    });
    connect(chart, &TimeSeriesView::zoomAsked, this, [this](const ChartSpan &span) { zoom(span); });
    connect(chart, &TimeSeriesView::backAsked, this, [this] { zoom(std::nullopt); });
    connect(chart, &TimeSeriesView::rowsAsked, this, [this](const ChartSpan &span) {
        emit rowsAsked(u"created:%1..%2"_s.arg(span.from.toUTC().toString(Qt::ISODate),
                                               span.to.toUTC().toString(Qt::ISODate)));
    });
}

void OverviewCharts::setRowsOffered(bool offered)
{
    for (TimeSeriesView *chart : m_charts)
        chart->setRowsOffered(offered);
}

void OverviewCharts::zoom(std::optional<ChartSpan> span)
{
    if (span && span->from.msecsTo(span->to) < leastZoomMs)
        span->to = span->from.addMSecs(leastZoomMs);
    m_zoom = span;
    m_zoomed->setText(span ? tr("%1 to %2 (Esc or a range goes back)")
                                 .arg(momentText(span->from, m_now), momentText(span->to, m_now))
                           : QString());
    redraw();
}

void OverviewCharts::redraw()
{
    if (m_history != nullptr)
        show(*m_history, m_now);
}

void OverviewCharts::setRange(int minutes)
{
    m_minutes = minutes;
    if (QAbstractButton *button = m_ranges->button(minutes))
        button->setChecked(true);
    zoom(std::nullopt);
}

void OverviewCharts::show(const SystemHistory &history, const QDateTime &now)
{
    m_history = &history;
    m_now = now;
    const ChartSpan shown = m_zoom.value_or(ChartSpan{now.addSecs(-60LL * m_minutes), now});
    const auto draw = [&](Chart chart, const QList<Measure> &measures) {
        ChartPicture picture = pictureOf(shown, measures);
        picture.isExact = chart != Backlog || m_exact;
        m_charts[chart]->show(picture);
    };
    draw(Backlog, {Measure::Backlog, Measure::Lag});
    draw(Rates, {Measure::In, Measure::Out});
    draw(Depth,
         {Measure::QueuePending, Measure::QueueActive, Measure::QueueRetry, Measure::QueueDead});
}

ChartPicture OverviewCharts::pictureOf(const ChartSpan &shown, const QList<Measure> &measures) const
{
    ChartPicture picture{shown.from, shown.to, {}, {}};
    picture.events = m_history->events();
    // Of what was kept the last hour is known by seconds, the day by minutes, and what is older by
    // quarters of an hour: in a narrow span these are far apart, and no gap.
    const bool isOld = shown.from < m_now.addDays(-1);
    const qint64 pointMs = isOld ? 900'000 : shown.from < m_now.addSecs(-3'600) ? 60'000 : 2'500;
    const auto end = static_cast<double>(shown.to.toMSecsSinceEpoch());
    const auto reach
        = static_cast<double>(std::max(2 * pointMs, shown.from.msecsTo(shown.to) / 100));
    for (const Measure measure : measures) {
        const TimeSeries &series
            = isOld ? m_history->longSeries(measure) : m_history->series(measure);
        if (!m_zoom) {
            picture.lines += series.segments(shown.from, shown.to);
            picture.newest += m_history->series(measure).latest();
            continue;
        }
        const auto lines = series.segments(shown.from, shown.to, mostZoomPoints, 2 * pointMs);
        const auto last = pointAt(lines, end, reach);
        picture.lines.append(lines);
        picture.newest.append(last ? std::optional(last->y()) : std::nullopt);
    }
    return picture;
}

} // namespace outbox
