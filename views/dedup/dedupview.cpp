// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dedup/dedupview.h"

#include "models/phrases.h"
#include "models/plaintext.h"
#include "views/charts/gauge.h"
#include "views/dedup/expiryhistogram.h"
#include "views/dedup/retainedtable.h"
#include "views/message/idquestion.h"
#include "views/reconcile/reconcilepane.h"
#include "views/widgets/card.h"
#include "views/widgets/metriccard.h"
#include "views/widgets/sourcenotice.h"

#include <QBoxLayout>
#include <QLabel>
#include <QTabWidget>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

MetricCard *fact(const QString &title, const QString &name, const QString &tip)
{
    auto *card = new MetricCard(title);
    card->setObjectName(name);
    card->setToolTip(plainTooltip(tip));
    // These four only tell; there is nothing behind them that is not on this page.
    card->setFocusPolicy(Qt::NoFocus);
    card->setEnabled(false);
    return card;
}

} // namespace

DedupView::DedupView(QWidget *parent)
    : QWidget(parent), m_source(new SourceNotice(u"dedupSource"_s, tr("Redis"))),
      m_tabs(new QTabWidget), m_reconcile(new ReconcilePane),
      m_kept(fact(tr("Ids kept"), u"keptCard"_s,
                  tr("Completed tasks that Redis keeps: their ids are refused"))),
      m_soonest(fact(tr("Soonest expiry"), u"soonestCard"_s,
                     tr("When the first kept id frees itself; the janitor's clock decides"))),
      m_latest(
          fact(tr("Latest expiry"), u"latestCard"_s, tr("When the last kept id frees itself"))),
      m_memory(fact(tr("Memory of kept ids"), u"memoryCard"_s,
                    tr("Estimate: the average of a sample times the number of ids"))),
      m_histogram(new ExpiryHistogram),
      m_histogramCard(new Card(tr("Expiry over the next 24 hours"))), m_gauge(new Gauge),
      m_margin(plainLabel({}, true)), m_question(new IdQuestion), m_table(new RetainedTable)
{
    setObjectName(u"dedupPage"_s);
    m_tabs->setObjectName(u"dedupTabs"_s);
    m_tabs->setAccessibleName(tr("Dedup window and inconsistencies"));
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(buildWindow(), tr("Window"));
    m_tabs->addTab(m_reconcile, tr("Reconcile"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 10, 14, 14);
    layout->addWidget(m_source);
    layout->addWidget(m_tabs);
    connect(m_source, &SourceNotice::retryAsked, this, &DedupView::retryAsked);
    connect(m_question, &IdQuestion::idAsked, this, &DedupView::idAsked);
    connect(m_table, &RetainedTable::idChosen, m_question, &IdQuestion::setId);
    setMargin(std::nullopt, std::nullopt, std::nullopt);
}

QWidget *DedupView::buildWindow()
{
    auto *page = new QWidget;
    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 10, 0, 0);
    layout->setSpacing(10);
    layout->addWidget(buildFacts());
    layout->addWidget(buildMiddle(), 2);
    layout->addWidget(m_table, 3);
    return page;
}

void DedupView::showReconcile()
{
    m_tabs->setCurrentWidget(m_reconcile);
}

QWidget *DedupView::buildFacts()
{
    auto *row = new QWidget;
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    for (MetricCard *card : {m_kept, m_soonest, m_latest, m_memory})
        layout->addWidget(card);
    return row;
}

QWidget *DedupView::buildMiddle()
{
    auto *row = new QWidget;
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    m_histogramCard->body()->addWidget(m_histogram);
    layout->addWidget(m_histogramCard, 5);
    auto *margin = new Card(tr("Safe margin"));
    m_gauge->setObjectName(u"marginGauge"_s);
    m_gauge->setAccessibleName(tr("Safe margin"));
    m_margin->setObjectName(u"marginSentence"_s);
    wrapLines(m_margin);
    margin->body()->addWidget(m_gauge);
    margin->body()->addWidget(m_margin);
    margin->body()->addStretch();
    layout->addWidget(margin, 3);
    auto *question = new Card(tr("Would this id be refused?"));
    question->body()->addWidget(m_question);
    layout->addWidget(question, 4);
    return row;
}

void DedupView::setDedup(const DedupSnapshot &snapshot)
{
    m_snapshot = snapshot;
    m_kept->setValue(countText(snapshot.retained),
                     snapshot.expired > 0
                         ? tr("%1 expired, still refused").arg(countText(snapshot.expired))
                         : tr("in queue %1").arg(shownText(snapshot.name.text)));
    const auto expiry = [&](MetricCard *card, const std::optional<QDateTime> &at) {
        if (at)
            card->setValue(tr("in %1").arg(spanText(std::max(
                               0.0, static_cast<double>(snapshot.at.msecsTo(*at)) / 1000))),
                           aboutMomentText(*at, snapshot.at));
        else
            card->setValue(std::nullopt, tr("no id is kept"));
    };
    expiry(m_soonest, snapshot.soonestExpiry);
    expiry(m_latest, snapshot.latestExpiry);
    QString memory = tr("sampled %n", nullptr, snapshot.sampled);
    if (snapshot.bytes && m_maxMemory > 0)
        memory += tr("; %1 % of maxmemory").arg(100 * *snapshot.bytes / m_maxMemory);
    m_memory->setValue(
        snapshot.bytes ? std::optional(u"~"_s + bytesText(*snapshot.bytes)) : std::nullopt, memory);
    m_histogram->setHours(snapshot.at, snapshot.expiryPerHour);
}

void DedupView::setRedisFacts(const RedisFacts &facts)
{
    m_maxMemory = facts.maxMemory;
    if (m_snapshot)
        setDedup(*m_snapshot);
}

void DedupView::setMargin(std::optional<double> retentionSeconds,
                          std::optional<double> worstDelaySeconds,
                          std::optional<double> oldestPendingSeconds,
                          const std::optional<QDateTime> &seenSince)
{
    const DedupMargin margin
        = dedupMargin(retentionSeconds, worstDelaySeconds, oldestPendingSeconds, seenSince);
    m_gauge->setBars(margin.bars);
    m_margin->setText(margin.sentence);
}

void DedupView::setRetained(const TaskPage &page)
{
    m_table->setPage(page);
}

void DedupView::setVerdict(const IdVerdict &verdict)
{
    m_question->setVerdict(verdict);
}

void DedupView::setStale(Source source, const std::optional<QDateTime> &asOf)
{
    if (source == Source::Database) {
        m_gauge->setStale(asOf.has_value());
        return;
    }
    for (MetricCard *card : {m_kept, m_soonest, m_latest, m_memory})
        card->setStale(asOf);
    m_histogram->setStale(asOf.has_value());
    m_histogramCard->setNote(asOf ? asOfText(*asOf) : QString());
    m_table->setStale(asOf);
}

void DedupView::setHealth(const SourceHealth &redis)
{
    m_source->setHealth(redis);
}

void DedupView::forget()
{
    setHealth({});
    m_snapshot.reset();
    m_maxMemory = 0;
    for (MetricCard *card : {m_kept, m_soonest, m_latest, m_memory})
        card->setValue(std::nullopt, {});
    m_histogram->setHours({}, {});
    setMargin(std::nullopt, std::nullopt, std::nullopt);
    setRetained({});
    m_question->forget();
    m_reconcile->forget();
    setStale(Source::Database, std::nullopt);
    setStale(Source::Queue, std::nullopt);
}

void DedupView::focusFilter()
{
    m_tabs->setCurrentIndex(0);
    m_question->focusField();
}

} // namespace outbox
