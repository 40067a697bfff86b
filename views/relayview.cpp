// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/relayview.h"

#include "models/phrases.h"
#include "models/plaintext.h"
#include "views/card.h"
#include "views/metriccard.h"
#include "views/relaylogpane.h"
#include "views/theme.h"

#include <QBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QPushButton *button(const QString &text, const QString &icon, const QString &name)
{
    auto *made = new QPushButton(theme::icon(icon), text);
    made->setObjectName(name);
    made->setAccessibleName(text);
    return made;
}

MetricCard *card(const QString &title, const QString &name)
{
    auto *made = new MetricCard(title);
    made->setObjectName(name);
    made->setFocusPolicy(Qt::NoFocus);
    made->setEnabled(false);
    return made;
}

QString milliseconds(std::optional<double> value)
{
    return RelayView::tr("%1 ms").arg(QLocale().toString(value.value_or(0), 'f', 0));
}

} // namespace

RelayView::RelayView(QWidget *parent)
    : QWidget(parent), m_glyph(new QLabel), m_word(titleLabel({})), m_facts(plainLabel({}, true)),
      m_notice(plainLabel({})), m_start(button(tr("Start\u2026"), u"play"_s, u"openStart"_s)),
      m_pause(button(tr("Pause"), u"pause"_s, u"pauseRelay"_s)),
      m_drain(button(tr("Drain and stop"), u"drain"_s, u"drainRelay"_s)),
      m_stop(button(tr("Stop now"), u"stop"_s, u"stopRelay"_s)),
      m_out(card(tr("Out"), u"outCard"_s)), m_batch(card(tr("Batch"), u"batchCard"_s)),
      m_queue(card(tr("Queue"), u"queueCard"_s)),
      m_parked(card(tr("Parked rows"), u"parkedCard"_s)), m_totals(plainLabel({})),
      m_promise(plainLabel({}, true)), m_log(new RelayLogPane)
{
    setObjectName(u"relayPage"_s);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 14, 14, 14);
    layout->setSpacing(10);
    layout->addWidget(buildHead());
    layout->addWidget(buildCards());
    layout->addWidget(m_log, 1);

    connect(m_start, &QPushButton::clicked, this, &RelayView::openStartSheet);
    connect(m_pause, &QPushButton::clicked, this, [this] {
        if (m_state == RelayState::Paused)
            emit resumeAsked();
        else
            emit pauseAsked();
    });
    connect(m_drain, &QPushButton::clicked, this, &RelayView::drainAsked);
    connect(m_stop, &QPushButton::clicked, this, &RelayView::stopAsked);
    connect(m_parked, &MetricCard::clicked, this, &RelayView::parkedAsked);
    setTotals({});
    tick(QDateTime::currentDateTimeUtc());
    showState();
}

QWidget *RelayView::buildHead()
{
    auto *head = new Card({});
    auto *row = new QHBoxLayout;
    row->setSpacing(10);
    m_word->setFont(theme::scaledFont(m_word->font(), 1.5, QFont::Bold));
    m_word->setObjectName(u"relayState"_s);
    m_facts->setObjectName(u"relayFacts"_s);
    m_notice->setObjectName(u"relayNotice"_s);
    m_notice->setWordWrap(true);
    m_notice->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_totals->setObjectName(u"relayTotals"_s);
    m_totals->setWordWrap(true);
    m_promise->setWordWrap(true);
    row->addWidget(m_glyph);
    row->addWidget(m_word);
    row->addWidget(m_facts, 1);
    for (QPushButton *one : {m_start, m_pause, m_drain, m_stop})
        row->addWidget(one);
    head->body()->addLayout(row);
    head->body()->addWidget(m_notice);
    head->body()->addWidget(m_totals);
    head->body()->addWidget(m_promise);
    return head;
}

QWidget *RelayView::buildCards()
{
    auto *row = new QWidget;
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    for (MetricCard *one : {m_out, m_batch, m_queue, m_parked})
        layout->addWidget(one);
    m_parked->setEnabled(true);
    m_parked->setFocusPolicy(Qt::TabFocus);
    m_parked->setToolTip(plainTooltip(tr("Show the rows that were set aside")));
    return row;
}

void RelayView::openStartSheet()
{
    if (!m_start->isEnabled())
        return;
    if (!m_sheet) {
        m_sheet = new RelayStartDialog(this);
        m_sheet->setAttribute(Qt::WA_DeleteOnClose);
        connect(m_sheet, &RelayStartDialog::startAsked, this, &RelayView::startAsked);
        m_sheet->setStart(m_settings);
        m_sheet->setOutlook(m_outlook);
    }
    m_sheet->show();
    m_sheet->raise();
    m_sheet->activateWindow();
}

void RelayView::setState(RelayState state)
{
    m_state = state;
    showState();
}

void RelayView::setRunning(const RelayStart &start, const QDateTime &since)
{
    m_settings = start;
    m_since = since;
    showState();
}

void RelayView::setNotice(const QString &text)
{
    m_notice->setText(plainText(text));
    showState();
}

void RelayView::addSteps(const QList<RelayStep> &steps)
{
    for (const RelayStep &step : steps) {
        if (step.claimed == 0)
            continue;
        m_delivered += step.committed ? step.delivered() : 0;
        m_batchMs.add(step.at, step.claimMs + step.enqueueMs + step.commitMs);
        m_queueMs.add(step.at, step.enqueueMs);
    }
    m_log->add(steps);
}

void RelayView::setTotals(const RelayTotals &totals)
{
    m_parked->setValue(countText(totals.parked),
                       totals.parked > 0 ? tr("set aside, with reasons") : tr("none set aside"));
    m_parked->setValueColor(totals.parked > 0 ? theme::look(MessageState::Parked).color : QColor());
    const QStringList parts{tr("enqueued %1").arg(countText(totals.enqueued)),
                            tr("already in queue %1").arg(countText(totals.alreadyQueued)),
                            tr("already processed %1").arg(countText(totals.alreadyDone)),
                            tr("dead in queue %1").arg(countText(totals.deadInQueue)),
                            tr("batches %1").arg(countText(totals.batches)),
                            tr("rolled back %1").arg(countText(totals.rollbacks))};
    m_totals->setText(parts.join(u"   \u00b7   "_s));
}

void RelayView::setOutlook(const RelayOutlook &outlook)
{
    m_outlook = outlook;
    m_promise->setText(tr("Promise: %1").arg(plainText(outlook.promise)));
    m_promise->setVisible(!outlook.promise.isEmpty());
    if (m_sheet)
        m_sheet->setOutlook(outlook);
}

void RelayView::setStart(const RelayStart &start)
{
    m_settings = start;
}

void RelayView::setForbidden(const QString &reason)
{
    m_forbidden = reason;
    showState();
}

void RelayView::tick(const QDateTime &now)
{
    const bool running = m_state != RelayState::Stopped && m_state != RelayState::Failed;
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
    m_batch->setValue(batch ? std::optional(milliseconds(batch)) : std::nullopt,
                      tr("claim to commit"));
    m_batch->setLines(from, now, lines(m_batchMs, theme::series(theme::Series::Backlog)));
    m_queue->setValue(queue ? std::optional(milliseconds(queue)) : std::nullopt,
                      tr("answer of Redis"));
    m_queue->setLines(from, now, lines(m_queueMs, theme::series(theme::Series::In)));
    if (running && m_since.isValid()) {
        m_facts->setText(tr("for %1   \u00b7   batch %2   \u00b7   poll %3 ms")
                             .arg(spanText(static_cast<double>(m_since.msecsTo(now)) / 1000),
                                  countText(m_settings.batch), countText(m_settings.pollMs)));
    } else {
        m_facts->setText(tr("No relay runs in this window."));
    }
}

void RelayView::enable(QPushButton *button, bool fits, const QString &otherwise)
{
    button->setEnabled(fits);
    button->setToolTip(fits ? QString() : plainTooltip(otherwise));
}

void RelayView::showState()
{
    const Look look = theme::look(m_state);
    m_glyph->setPixmap(theme::glyph(look.glyph, look.color, 22, devicePixelRatioF()));
    m_glyph->setAccessibleName(look.word);
    m_word->setText(look.word);
    QPalette colors = m_word->palette();
    colors.setColor(QPalette::WindowText, look.color);
    m_word->setPalette(colors);
    m_notice->setVisible(!m_notice->text().isEmpty());

    const bool off = m_state == RelayState::Stopped || m_state == RelayState::Failed;
    const bool paused = m_state == RelayState::Paused;
    const bool working = m_state == RelayState::Running || m_state == RelayState::BackingOff;
    const QString none = tr("No relay runs here.");
    enable(m_start, off && m_forbidden.isEmpty(),
           m_forbidden.isEmpty() ? tr("A relay already runs here.") : m_forbidden);
    m_pause->setText(paused ? tr("Resume") : tr("Pause"));
    m_pause->setAccessibleName(m_pause->text());
    m_pause->setIcon(theme::icon(paused ? u"play"_s : u"pause"_s));
    enable(m_pause, paused || working, off ? none : tr("The relay is on its way to stop."));
    enable(m_drain, paused || working, off ? none : tr("The relay is on its way to stop."));
    enable(m_stop, !off, none);
}

} // namespace outbox
