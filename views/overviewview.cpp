// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/overviewview.h"

#include "models/phrases.h"
#include "models/plaintext.h"
#include "views/attentionlist.h"
#include "views/card.h"
#include "views/gauge.h"
#include "views/healthbanner.h"
#include "views/metriccard.h"
#include "views/overviewcharts.h"
#include "views/theme.h"

#include <QBoxLayout>
#include <QLabel>
#include <QScrollArea>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

using theme::Series;

MetricCard *metricCard(const QString &title, const QString &name, const QString &tip)
{
    auto *card = new MetricCard(title);
    card->setObjectName(name);
    card->setToolTip(plainTooltip(tip));
    return card;
}

} // namespace

OverviewView::OverviewView(const SystemHistory *history, QWidget *parent)
    : QWidget(parent), m_history(history), m_banner(new HealthBanner),
      m_lag(metricCard(tr("Lag (oldest pending)"), u"lagCard"_s,
                       tr("Age of the oldest row that could go now, by the database's clock"))),
      m_pending(metricCard(tr("Pending rows"), u"pendingCard"_s,
                           tr("Rows that are due and that nobody holds"))),
      m_depth(metricCard(tr("Queue depth"), u"depthCard"_s,
                         tr("Tasks in all queues that are not done: pending, active, scheduled, "
                            "retry and grouped"))),
      m_throughput(
          metricCard(tr("Throughput"), u"throughputCard"_s,
                     tr("Rows that come into the outbox, and messages that leave it for the "
                        "queue, over the last ten seconds"))),
      m_charts(new OverviewCharts), m_gauge(new Gauge), m_margin(plainLabel({}, true)),
      m_attention(new AttentionList), m_promise(plainLabel({}, true))
{
    setObjectName(u"overviewPage"_s);
    m_banner->setObjectName(u"healthBanner"_s);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 14, 14, 14);
    layout->setSpacing(10);
    layout->addWidget(m_banner);
    layout->addWidget(buildCards());
    auto *lower = new QHBoxLayout;
    lower->setSpacing(10);
    lower->addWidget(m_charts, 7);
    lower->addWidget(buildSide(), 3);
    layout->addLayout(lower, 1);
    showMargin();
}

QWidget *OverviewView::buildCards()
{
    auto *row = new QWidget;
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    const auto add = [this, layout](MetricCard *card, const QString &filter) {
        layout->addWidget(card);
        connect(card, &MetricCard::clicked, this, [this, filter] { emit showAsked(filter); });
    };
    add(m_lag, u"state:pending"_s);
    add(m_pending, u"state:pending"_s);
    add(m_depth, u"task:pending"_s);
    add(m_throughput, u"relay"_s);
    return row;
}

QWidget *OverviewView::buildSide()
{
    auto *scroll = new QScrollArea;
    scroll->setObjectName(u"overviewSide"_s);
    scroll->setAccessibleName(tr("Dedup window, attention and promise"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setMinimumWidth(260);
    auto *side = new QWidget;
    auto *layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    auto *window = new Card(tr("Dedup window"));
    m_gauge->setObjectName(u"dedupGauge"_s);
    m_gauge->setAccessibleName(tr("Dedup window"));
    m_margin->setWordWrap(true);
    window->body()->addWidget(m_gauge);
    window->body()->addWidget(m_margin);
    auto *attention = new Card(tr("Needs attention"));
    m_attention->setObjectName(u"attentionList"_s);
    attention->body()->addWidget(m_attention, 1);
    connect(m_attention, &AttentionList::showAsked, this, &OverviewView::showAsked);
    auto *promise = new Card(tr("Promise"));
    m_promise->setObjectName(u"promiseLine"_s);
    m_promise->setWordWrap(true);
    m_promise->setText(tr("Not known until Redis has answered."));
    promise->body()->addWidget(m_promise);
    layout->addWidget(window);
    layout->addWidget(attention, 1);
    layout->addWidget(promise);
    scroll->setWidget(side);
    scroll->viewport()->setAutoFillBackground(false);
    side->setAutoFillBackground(false);
    return scroll;
}

void OverviewView::setHealth(const HealthReport &report)
{
    m_banner->setReport(report.level, report.sentence);
    m_attention->setCauses(report.causes, report.level != HealthLevel::Unknown);
    if (!report.promise.isEmpty())
        m_promise->setText(shownText(report.promise));
}

QString OverviewView::worstFact() const
{
    const std::optional<double> worst = m_history->worstDelay();
    return worst ? tr("worst seen %1").arg(spanText(*worst)) : QString();
}

void OverviewView::setOutbox(const OutboxSnapshot &snapshot)
{
    const bool empty = snapshot.pending == 0;
    m_oldest = empty ? std::optional(0.0) : snapshot.oldestPendingSeconds;
    QStringList facts(snapshot.guess ? 1 : 0, tr("by a guess"));
    const QString lagFact = snapshot.guess ? facts.first()
        : empty                            ? tr("nothing waits")
        : m_oldest                         ? worstFact()
                                           : shownText(snapshot.notes.value(u"oldest_pending_s"_s));
    m_lag->setValue(m_oldest ? std::optional(spanText(*m_oldest)) : std::nullopt, lagFact);
    if (snapshot.locked.value_or(0) > 0)
        facts.append(tr("%1 locked").arg(countText(*snapshot.locked)));
    if (snapshot.waiting.value_or(0) > 0)
        facts.append(tr("%1 waiting").arg(countText(*snapshot.waiting)));
    if (snapshot.failed.value_or(0) > 0)
        facts.append(tr("%1 failed").arg(countText(*snapshot.failed)));
    const QString mark = snapshot.exact ? QString() : u"~"_s;
    m_pending->setValue(
        snapshot.pending ? std::optional(mark + countText(*snapshot.pending)) : std::nullopt,
        facts.isEmpty() && snapshot.locked ? tr("none locked") : facts.join(u", "_s));
    showMargin();
}

void OverviewView::setQueues(const QList<QueueSnapshot> &queues)
{
    qint64 depth = 0;
    qint64 dead = 0;
    qint64 active = 0;
    for (const QueueSnapshot &queue : queues) {
        active += queue.active;
        dead += queue.archived;
        depth += queue.pending + queue.active + queue.scheduled + queue.retry
            + queue.aggregating.value_or(0);
    }
    m_depth->setValue(countText(depth),
                      dead > 0 ? tr("%1 active, %2 dead").arg(countText(active), countText(dead))
                               : tr("%1 active").arg(countText(active)));
}

void OverviewView::setRetention(qint64 seconds)
{
    m_retention = static_cast<double>(seconds);
    showMargin();
}

void OverviewView::forget()
{
    m_oldest.reset();
    setHealth({});
    m_banner->setReport(HealthLevel::Unknown, tr("Nothing was read yet."));
    m_promise->setText(tr("Not known until Redis has answered."));
    for (MetricCard *card : {m_lag, m_pending, m_depth, m_throughput}) {
        card->setValue(std::nullopt, {});
        card->setStale(std::nullopt);
    }
    m_gauge->setStale(false);
    showHistory(QDateTime::currentDateTimeUtc());
}

void OverviewView::setStale(Source source, const std::optional<QDateTime> &asOf,
                            const QString &reason)
{
    if (source == Source::Database) {
        m_lag->setStale(asOf, reason);
        m_pending->setStale(asOf, reason);
        m_gauge->setStale(asOf.has_value());
    } else {
        m_depth->setStale(asOf, reason);
        m_throughput->setStale(asOf, reason);
    }
}

void OverviewView::showMargin()
{
    const DedupMargin margin = dedupMargin(m_retention, m_history->worstDelay(), m_oldest);
    m_gauge->setBars(margin.bars);
    m_margin->setText(margin.sentence);
}

void OverviewView::showThroughput()
{
    const std::optional<double> in = m_history->series(Measure::In).latest();
    const std::optional<double> out = m_history->series(Measure::Out).latest();
    const std::optional<double> pending = m_history->series(Measure::Backlog).latest();
    QString fact = in ? tr("out; in %1").arg(perSecondText(*in)) : tr("out");
    if (in && out && pending) {
        const double spare = *out - *in;
        if (*in - *out > std::max(0.5, 0.05 * *out))
            fact += tr("; growing by %1").arg(perSecondText(*in - *out));
        else if (spare > std::max(0.5, 0.05 * *out) && *pending > 0)
            fact += tr("; empty in %1").arg(spanText(std::max(1.0, *pending / spare)));
    }
    m_throughput->setValue(out ? std::optional(perSecondText(*out)) : std::nullopt, fact);
}

void OverviewView::showHistory(const QDateTime &now)
{
    const QDateTime recent = now.addSecs(-300);
    const auto spark = [&](Measure measure, const QColor &color) {
        return Sparkline::Line{m_history->series(measure).segments(recent, now, 120), color};
    };
    m_lag->setLines(recent, now, {spark(Measure::Lag, theme::series(Series::Lag))});
    m_pending->setLines(recent, now, {spark(Measure::Pending, theme::series(Series::Backlog))});
    m_depth->setLines(recent, now,
                      {spark(Measure::QueueDepth, theme::look(TaskState::Pending).color)});
    m_throughput->setLines(recent, now,
                           {spark(Measure::In, theme::series(Series::In)),
                            spark(Measure::Out, theme::series(Series::Out))});
    m_charts->show(*m_history, now);
    showThroughput();
    showMargin();
}

} // namespace outbox
