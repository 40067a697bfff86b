// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/relay/relaymeters.h"

#include "models/phrases.h"
#include "models/plaintext.h"
#include "views/theme/theme.h"
#include "views/widgets/metriccard.h"

#include <QBoxLayout>
#include <QLocale>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

MetricCard *card(const QString &title, const QString &name)
{
    auto *made = new MetricCard(title);
    made->setObjectName(name);
    made->setFocusPolicy(Qt::NoFocus);
    made->setEnabled(false);
    return made;
}

QString milliseconds(double value)
{
    return RelayMeters::tr("%1 ms").arg(QLocale().toString(value, 'f', 0));
}

} // namespace

RelayMeters::RelayMeters(QWidget *parent)
    : QWidget(parent), m_out(card(tr("Out"), u"outCard"_s)),
      m_batch(card(tr("Batch"), u"batchCard"_s)), m_queue(card(tr("Queue"), u"queueCard"_s)),
      m_parked(card(tr("Parked rows"), u"parkedCard"_s))
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    for (MetricCard *one : {m_out, m_batch, m_queue, m_parked})
        layout->addWidget(one);
    m_parked->setEnabled(true);
    m_parked->setFocusPolicy(Qt::TabFocus);
    m_parked->setToolTip(plainTooltip(tr("Show the rows that were set aside")));
    connect(m_parked, &MetricCard::clicked, this, &RelayMeters::parkedAsked);
}

void RelayMeters::add(const QList<RelayStep> &steps)
{
    for (const RelayStep &step : steps) {
        if (step.claimed == 0)
            continue;
        m_delivered += step.committed ? step.delivered() : 0;
        m_batchMs.add(step.at, step.claimMs + step.enqueueMs + step.commitMs);
        m_queueMs.add(step.at, step.enqueueMs);
    }
}

void RelayMeters::clear()
{
    for (TimeSeries *series : {&m_outRate, &m_batchMs, &m_queueMs})
        series->clear();
    m_rate = CounterRate(rateWindowMs);
    m_delivered = 0;
}

void RelayMeters::setParked(qint64 rows)
{
    m_parked->setValue(countText(rows),
                       rows > 0 ? tr("set aside, with reasons") : tr("none set aside"));
    m_parked->setValueColor(rows > 0 ? theme::appearance(MessageState::Parked).color : QColor());
}

void RelayMeters::tick(const QDateTime &now, bool running)
{
    const std::optional<double> out
        = m_rate.add(now, running ? std::optional(static_cast<double>(m_delivered)) : std::nullopt);
    m_outRate.add(now, out);
    const QDateTime from = now.addSecs(-300);
    const auto lines = [&](const TimeSeries &series, const QColor &color) {
        return QList<Sparkline::Line>{{series.segments(from, now, 200, 15'000), color}};
    };
    m_out->setValue(out ? std::optional(perSecondText(*out)) : std::nullopt,
                    tr("delivered messages"));
    m_out->setLines(from, now, lines(m_outRate, theme::series(theme::Series::Out)));
    const std::optional<double> batch = m_batchMs.latest();
    const std::optional<double> queue = m_queueMs.latest();
    m_batch->setValue(batch ? std::optional(milliseconds(*batch)) : std::nullopt,
                      tr("claim to commit"));
    m_batch->setLines(from, now, lines(m_batchMs, theme::series(theme::Series::Backlog)));
    m_queue->setValue(queue ? std::optional(milliseconds(*queue)) : std::nullopt,
                      tr("answer of Redis"));
    m_queue->setLines(from, now, lines(m_queueMs, theme::series(theme::Series::In)));
}

} // namespace outbox
