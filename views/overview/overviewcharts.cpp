// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/overview/overviewcharts.h"

#include "views/charts/timeseriesview.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"

#include <QBoxLayout>
#include <QButtonGroup>
#include <QLabel>
#include <QToolButton>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

using theme::Series;

ChartLine stateLine(TaskState state)
{
    return {label(state), [state] { return theme::appearance(state).color; }, false, false};
}

ChartLine seriesLine(const QString &name, Series which, bool right = false, bool washed = false)
{
    return {name, [which] { return theme::series(which); }, right, washed};
}

} // namespace

OverviewCharts::OverviewCharts(QWidget *parent) : Card({}, parent), m_ranges(new QButtonGroup(this))
{
    auto *ranges = new QHBoxLayout;
    ranges->addWidget(titleLabel(tr("History")));
    ranges->addStretch();
    const QList<std::pair<int, QString>> choices{
        {3, tr("3 min")}, {15, tr("15 min")}, {60, tr("1 h")}, {24 * 60, tr("24 h")}};
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
        connect(chart, &TimeSeriesView::cursorMoved, this, [this](const auto &at) {
            for (TimeSeriesView *other : m_charts)
                other->setCursor(at);
        });
    }
}

void OverviewCharts::setRange(int minutes)
{
    m_minutes = minutes;
    if (QAbstractButton *button = m_ranges->button(minutes))
        button->setChecked(true);
    if (m_history != nullptr)
        show(*m_history, m_now);
}

void OverviewCharts::show(const SystemHistory &history, const QDateTime &now)
{
    m_history = &history;
    m_now = now;
    const QDateTime from = now.addSecs(-60LL * m_minutes);
    const auto draw = [&](Chart chart, const QList<Measure> &measures) {
        ChartPicture picture{from, now, {}, {}};
        for (const Measure measure : measures) {
            const TimeSeries &series = history.series(measure);
            picture.lines += series.segments(from, now);
            picture.newest += series.latest();
        }
        picture.isExact = chart != Backlog || m_exact;
        m_charts[chart]->show(picture);
    };
    draw(Backlog, {Measure::Backlog, Measure::Lag});
    draw(Rates, {Measure::In, Measure::Out});
    draw(Depth,
         {Measure::QueuePending, Measure::QueueActive, Measure::QueueRetry, Measure::QueueDead});
}

} // namespace outbox
