// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/overview/overviewview.h"

#include "models/plaintext.h"
#include "views/charts/gauge.h"
#include "views/overview/attentionlist.h"
#include "views/overview/healthbanner.h"
#include "views/overview/overviewcards.h"
#include "views/overview/overviewcharts.h"
#include "views/widgets/card.h"

#include <QBoxLayout>
#include <QLabel>
#include <QScrollArea>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

OverviewView::OverviewView(const SystemHistory *history, QWidget *parent)
    : QWidget(parent), m_history(history), m_banner(new HealthBanner),
      m_cards(new OverviewCards(history)), m_charts(new OverviewCharts), m_gauge(new Gauge),
      m_margin(plainLabel({}, true)), m_attention(new AttentionList),
      m_promise(plainLabel({}, true))
{
    setObjectName(u"overviewPage"_s);
    m_banner->setObjectName(u"healthBanner"_s);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 14, 14, 14);
    layout->setSpacing(10);
    layout->addWidget(m_banner);
    layout->addWidget(m_cards);
    auto *lower = new QHBoxLayout;
    lower->setSpacing(10);
    lower->addWidget(m_charts, 7);
    lower->addWidget(buildSide(), 3);
    layout->addLayout(lower, 1);
    connect(m_cards, &OverviewCards::showAsked, this, &OverviewView::showAsked);
    showMargin();
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
    wrapLines(m_margin);
    window->body()->addWidget(m_gauge);
    window->body()->addWidget(m_margin);
    auto *attention = new Card(tr("Needs attention"));
    m_attention->setObjectName(u"attentionList"_s);
    attention->body()->addWidget(m_attention, 1);
    connect(m_attention, &AttentionList::showAsked, this, &OverviewView::showAsked);
    auto *promise = new Card(tr("Promise"));
    m_promise->setObjectName(u"promiseLine"_s);
    wrapLines(m_promise);
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

void OverviewView::setOutbox(const OutboxSnapshot &snapshot)
{
    m_oldest = lagOf(snapshot);
    m_charts->setExact(snapshot.isExact(u"pending"_s));
    m_cards->setOutbox(snapshot);
    showMargin();
}

void OverviewView::setQueues(const QList<QueueSnapshot> &queues)
{
    m_cards->setQueues(queues);
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
    m_cards->forget();
    m_gauge->setStale(false);
    showHistory(QDateTime::currentDateTimeUtc());
}

void OverviewView::setStale(Source source, const std::optional<QDateTime> &asOf,
                            const QString &reason)
{
    m_cards->setStale(source, asOf, reason);
    if (source == Source::Database)
        m_gauge->setStale(asOf.has_value());
}

void OverviewView::showMargin()
{
    const DedupMargin margin
        = dedupMargin(m_retention, m_history->worstDelay(), m_oldest, m_history->delaysSeenSince());
    m_gauge->setBars(margin.bars);
    m_margin->setText(margin.sentence);
}

void OverviewView::showHistory(const QDateTime &now)
{
    m_cards->showHistory(now);
    m_charts->show(*m_history, now);
    showMargin();
}

MetricCard *OverviewView::pendingCard() const
{
    return m_cards->pendingCard();
}

} // namespace outbox
