// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/overview/overviewcharts.h"

#include "models/message/messagestate.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "models/system/timeseries.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"

#include <QAction>
#include <QActionGroup>
#include <QBoxLayout>
#include <QButtonGroup>
#include <QLabel>
#include <QMenu>
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

/// How far apart two points of a line may be that has one in `pointMs`.
qint64 reachMs(qint64 pointMs, const QDateTime &from, const QDateTime &to)
{
    return std::max(2 * pointMs, from.msecsTo(to) / 100);
}

} // namespace

OverviewCharts::OverviewCharts(QWidget *parent)
    : Card({}, parent), m_ranges(new QButtonGroup(this)), m_zoomed(plainLabel({}, true)),
      m_choice(new QToolButton), m_earlierNote(plainLabel({}, true))
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
    buildEarlier(ranges);
    body()->addLayout(ranges);
    body()->addWidget(m_earlierNote);

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
    connect(chart, &TimeSeriesView::pictureAsked, this, &OverviewCharts::pictureAsked);
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
    askEarlier(shown);
    bool hasEarlier = false;
    const auto draw = [&](Chart chart, const QList<Measure> &measures) {
        ChartPicture picture = pictureOf(shown, measures);
        picture.isExact = chart != Backlog || m_exact;
        addEarlier(picture, measures);
        m_charts[chart]->show(picture);
        hasEarlier = hasEarlier
            || std::any_of(picture.earlier.cbegin(), picture.earlier.cend(),
                           [](const QList<LineSegment> &line) { return !line.isEmpty(); });
    };
    draw(Backlog, {Measure::Backlog, Measure::Lag});
    draw(Rates, {Measure::In, Measure::Out});
    draw(Depth,
         {Measure::QueuePending, Measure::QueueActive, Measure::QueueRetry, Measure::QueueDead});
    tellEarlier(hasEarlier);
}

void OverviewCharts::buildEarlier(QBoxLayout *row)
{
    m_choice->setIcon(theme::icon(u"clock"_s)); // the head of the charts has room for no words
    m_choice->setAutoRaise(true);
    m_choice->setPopupMode(QToolButton::InstantPopup);
    setNames(m_choice, u"chartsEarlier"_s, tr("Behind the lines"));
    auto *menu = new QMenu(m_choice);
    auto *group = new QActionGroup(menu);
    const QList<std::pair<Earlier, QString>> choices{{Earlier::Nothing, tr("Now alone")},
                                                     {Earlier::Day, tr("Yesterday")},
                                                     {Earlier::Week, tr("A week before")}};
    for (const auto &[earlier, text] : choices) {
        QAction *action = menu->addAction(text);
        action->setObjectName(QString(u"earlier-"_s + word(earlier)));
        action->setCheckable(true);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, earlier = earlier] {
            setEarlier(earlier);
            emit earlierChosen(earlier);
        });
    }
    m_choice->setMenu(menu);
    row->addWidget(m_choice);
    m_earlierNote->setObjectName(u"earlierNote"_s);
    wrapLines(m_earlierNote);
    m_earlierNote->hide();
    setEarlierOffered(false);
}

void OverviewCharts::setEarlier(Earlier earlier)
{
    m_before.earlier = earlier;
    const QList<QAction *> actions = m_choice->menu()->actions();
    const QString name = u"earlier-"_s + word(earlier);
    for (QAction *action : actions)
        action->setChecked(action->objectName() == name);
    m_choice->setAccessibleDescription(label(earlier));
    forgetEarlier();
    redraw();
}

void OverviewCharts::setEarlierOffered(bool offered)
{
    m_choice->setEnabled(offered);
    m_choice->setToolTip(offered ? tr("Shows the same time of a day or a week before as dotted "
                                      "lines")
                                 : tr("Nothing is kept of this system"));
    forgetEarlier();
}

void OverviewCharts::forgetEarlier()
{
    m_before.asked.reset();
    m_before.answered.reset();
    m_before.seen.reset();
    m_before.problem.clear();
    m_earlierNote->hide();
}

void OverviewCharts::askEarlier(const ChartSpan &shown)
{
    if (m_before.earlier == Earlier::Nothing || !m_choice->isEnabled())
        return;
    m_before.byMs = earlierByMs(m_before.earlier, shown.to);
    const EarlierQuestion question = earlierQuestion(shown.from, shown.to, m_before.byMs);
    if (m_before.asked == question)
        return;
    m_before.asked = question;
    emit earlierAsked(question);
}

void OverviewCharts::setEarlierPoints(const EarlierQuestion &question,
                                      const Result<HistoryPoints> &points)
{
    if (m_before.asked != question)
        return;
    m_before.answered = question;
    m_before.seen = std::make_unique<SystemHistory>();
    m_before.problem.clear();
    if (points)
        m_before.seen->fillBefore(*points);
    else
        m_before.problem = oneLine(points.error());
    redraw();
}

void OverviewCharts::tellEarlier(bool hasLines)
{
    QString text;
    const QString name = label(m_before.earlier);
    if (!m_before.asked || hasLines)
        text.clear();
    else if (m_before.answered != m_before.asked)
        text = tr("Reading what was kept of %1\u2026").arg(name);
    else if (!m_before.problem.isEmpty())
        text = tr("What was seen %1 is not known: %2").arg(name, m_before.problem);
    else
        text = tr("Nothing was kept of %1 at this time: nobody looked, or the history is younger.")
                   .arg(name);
    m_earlierNote->setText(shownText(text));
    m_earlierNote->setVisible(!text.isEmpty());
}

void OverviewCharts::addEarlier(ChartPicture &picture, const QList<Measure> &measures) const
{
    if (m_before.earlier == Earlier::Nothing || !m_choice->isEnabled())
        return;
    const HistoryTier tier = m_before.answered ? m_before.answered->tier : HistoryTier::Minute;
    const qint64 widthMs = factsOf(tier).width * 1000;
    const qint64 byMs = m_before.byMs;
    picture.earlierName = label(m_before.earlier);
    picture.earlierReachMs = reachMs(widthMs, picture.from, picture.to);
    for (const Measure measure : measures) {
        QList<LineSegment> lines;
        if (m_before.seen) {
            const TimeSeries &series = tier == HistoryTier::Quarter
                ? m_before.seen->longSeries(measure)
                : m_before.seen->series(measure);
            lines
                = laterBy(series.segments(picture.from.addMSecs(-byMs), picture.to.addMSecs(-byMs),
                                          mostZoomPoints, 2 * widthMs),
                          byMs);
        }
        picture.earlier += lines;
    }
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
    picture.reachMs = reachMs(pointMs, shown.from, shown.to);
    const auto reach = static_cast<double>(picture.reachMs);
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
