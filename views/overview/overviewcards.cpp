// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/overview/overviewcards.h"

#include "models/phrases.h"
#include "models/plaintext.h"
#include "models/system/exactcount.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"
#include "views/widgets/metriccard.h"

#include <QBoxLayout>

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

QString throughputTip(const QString &whyNoIn)
{
    const QString tip = OverviewCards::tr("Messages that came into the queue, and rows that came "
                                          "into the outbox, over the last ten seconds");
    return whyNoIn.isEmpty() ? tip
                             : tip + u'\n'
            + OverviewCards::tr("What comes in is not known: %1.").arg(shownText(whyNoIn));
}

} // namespace

std::optional<double> lagOf(const OutboxSnapshot &snapshot)
{
    return snapshot.pending == 0 ? std::optional(0.0) : snapshot.oldestPendingSeconds;
}

OverviewCards::OverviewCards(const SystemHistory *history, QWidget *parent)
    : QWidget(parent), m_history(history),
      m_lag(metricCard(tr("Lag (oldest pending)"), u"lagCard"_s,
                       tr("Age of the oldest row that could go now, by the database's clock"))),
      m_pending(metricCard(tr("Pending rows"), u"pendingCard"_s,
                           tr("Rows that are due and that nobody holds"))),
      m_depth(metricCard(tr("Queue depth"), u"depthCard"_s,
                         tr("Tasks in all queues that are not done: pending, active, scheduled, "
                            "retry and grouped; the dead ones apart"))),
      m_throughput(metricCard(tr("Throughput"), u"throughputCard"_s, throughputTip({})))
{
    auto *layout = boxOn<QHBoxLayout>(this, 10);
    const QList<std::pair<MetricCard *, QString>> ways{
        {m_lag, u"lag"_s},
        {m_pending, u"state:pending"_s},
        {m_depth, u"task:pending,active,scheduled,retry,aggregating"_s},
        {m_throughput, u"relay"_s}};
    for (const auto &[card, filter] : ways) {
        layout->addWidget(card);
        connect(card, &MetricCard::clicked, this,
                [this, filter = filter] { emit showAsked(filter); });
    }
}

void OverviewCards::setOutbox(const OutboxSnapshot &snapshot)
{
    const std::optional<double> lag = lagOf(snapshot);
    const std::optional<double> worst = m_history->worstDelay();
    QStringList facts(snapshot.guess ? 1 : 0, tr("by a guess"));
    const QString lagFact = snapshot.guess ? facts.first()
        : snapshot.pending == 0            ? tr("nothing waits")
        : !lag                             ? shownText(snapshot.notes.value(u"oldest_pending_s"_s))
        : worst                            ? tr("worst seen %1").arg(spanText(*worst))
                                           : QString();
    m_lag->setValue(lag ? std::optional(spanText(*lag)) : std::nullopt, lagFact);
    const auto add
        = [&](const QString &text, const QString &member, const std::optional<qint64> &count) {
              if (count.value_or(0) > 0)
                  facts.append(text.arg(countText(*count, snapshot.isExact(member))));
          };
    add(tr("%1 locked"), u"locked"_s, snapshot.locked);
    add(tr("%1 waiting"), u"waiting"_s, snapshot.waiting);
    add(tr("%1 failed"), u"failed"_s, snapshot.failed);
    if (snapshot.standby) {
        const std::optional<double> behind = snapshot.standby->lagSeconds;
        facts.append(behind ? tr("a standby, %1 behind").arg(spanText(*behind))
                            : tr("a standby, how far behind is not known"));
    }
    m_pending->setValue(
        snapshot.pending
            ? std::optional(countText(*snapshot.pending, snapshot.isExact(u"pending"_s)))
            : std::nullopt,
        facts.isEmpty() && snapshot.locked ? tr("none locked") : facts.join(u", "_s));
    m_whyNoIn = snapshot.notes.value(u"in_per_s"_s);
}

void OverviewCards::setQueues(const QList<QueueSnapshot> &queues)
{
    const QueueSums sums(queues);
    QStringList parts;
    const auto add = [&parts](qint64 count, const QString &text) {
        if (count > 0)
            parts += text.arg(countText(count));
    };
    add(sums.pending, tr("%1 pending"));
    add(sums.active, tr("%1 active"));
    add(sums.retry, tr("%1 to retry"));
    add(sums.scheduled, tr("%1 scheduled"));
    add(sums.aggregating, tr("%1 grouped"));
    QString fact = parts.isEmpty() ? tr("nothing to do") : parts.join(u", "_s);
    if (sums.archived > 0)
        fact += tr("; %1 dead apart").arg(countText(sums.archived));
    m_depth->setValue(countText(sums.depth(), sums.exact), fact);
}

void OverviewCards::setStale(Source source, const std::optional<QDateTime> &asOf,
                             const QString &reason)
{
    const QList<MetricCard *> cards = source == Source::Database
        ? QList<MetricCard *>{m_lag, m_pending}
        : QList<MetricCard *>{m_depth, m_throughput};
    for (MetricCard *card : cards)
        card->setStale(asOf, reason);
}

void OverviewCards::forget()
{
    m_whyNoIn.clear();
    for (MetricCard *card : {m_lag, m_pending, m_depth, m_throughput}) {
        card->setValue(std::nullopt, {});
        card->setStale(std::nullopt);
    }
}

void OverviewCards::showThroughput()
{
    const std::optional<double> in = m_history->series(Measure::In).latest();
    const std::optional<double> out = m_history->series(Measure::Out).latest();
    const std::optional<double> growth = m_history->growthPerSecond();
    const std::optional<double> backlog = m_history->series(Measure::Backlog).latest();
    QString fact = tr("out");
    if (in)
        fact = tr("out; in %1").arg(perSecondText(*in));
    else if (!m_whyNoIn.isEmpty())
        fact = tr("out; in not known");
    const double worthAWord = std::max(0.5, 0.05 * out.value_or(0));
    if (growth.value_or(0) > worthAWord)
        fact += tr("; growing by %1").arg(perSecondText(*growth));
    else if (-growth.value_or(0) > worthAWord && backlog.value_or(0) > 0)
        fact += tr("; empty in %1").arg(spanText(std::max(1.0, *backlog / -*growth)));
    m_throughput->setValue(out ? std::optional(perSecondText(*out)) : std::nullopt, fact);
    if (!m_throughput->isStale())
        m_throughput->setToolTip(plainTooltip(throughputTip(m_whyNoIn)));
}

void OverviewCards::showHistory(const QDateTime &now)
{
    const QDateTime recent = now.addSecs(-300);
    const auto spark = [&](Measure measure, const LineStyle &style) {
        return Sparkline::Line{m_history->series(measure).segments(recent, now, 120), style};
    };
    m_lag->setLines(recent, now, {spark(Measure::Lag, theme::lineStyle(Series::Lag))});
    m_pending->setLines(recent, now, {spark(Measure::Pending, theme::lineStyle(Series::Backlog))});
    m_depth->setLines(recent, now,
                      {spark(Measure::QueueDepth, theme::lineStyle(TaskState::Pending))});
    m_throughput->setLines(recent, now,
                           {spark(Measure::In, theme::lineStyle(Series::In)),
                            spark(Measure::Out, theme::lineStyle(Series::Out))});
    showThroughput();
}

} // namespace outbox
