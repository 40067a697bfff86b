// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/relay/relayview.h"

#include "models/phrases.h"
#include "models/plaintext.h"
#include "views/relay/relaylogpane.h"
#include "views/relay/relaymeters.h"
#include "views/theme/theme.h"
#include "views/widgets/card.h"
#include "views/widgets/sourcenotice.h"

#include <QBoxLayout>
#include <QLabel>
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

} // namespace

RelayView::RelayView(QWidget *parent)
    : QWidget(parent), m_database(new SourceNotice(u"relayDatabase"_s, tr("the database"))),
      m_redis(new SourceNotice(u"relayRedis"_s, tr("Redis"))), m_glyph(new QLabel),
      m_word(titleLabel({})), m_facts(plainLabel({}, true)), m_notice(plainLabel({})),
      m_start(button(tr("Start\u2026"), u"play"_s, u"openStart"_s)),
      m_pause(button(tr("Pause"), u"pause"_s, u"pauseRelay"_s)),
      m_drain(button(tr("Drain and stop"), u"drain"_s, u"drainRelay"_s)),
      m_stop(button(tr("Stop now"), u"stop"_s, u"stopRelay"_s)), m_meters(new RelayMeters),
      m_totals(plainLabel({})), m_promise(plainLabel({}, true)), m_log(new RelayLogPane)
{
    setObjectName(u"relayPage"_s);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 14, 14, 14);
    layout->setSpacing(10);
    layout->addWidget(buildHead());
    for (SourceNotice *source : {m_database, m_redis}) {
        layout->addWidget(source);
        connect(source, &SourceNotice::retryAsked, this, &RelayView::retryAsked);
    }
    layout->addWidget(m_meters);
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
    connect(m_meters, &RelayMeters::parkedAsked, this, &RelayView::parkedAsked);
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
    wrapLines(m_notice);
    m_notice->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_totals->setObjectName(u"relayTotals"_s);
    wrapLines(m_totals);
    wrapLines(m_promise);
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
    m_notice->setText(shownText(text));
    showState();
}

void RelayView::addSteps(const QList<RelayStep> &steps)
{
    m_meters->add(steps);
    m_log->add(steps);
}

void RelayView::setTotals(const RelayTotals &totals)
{
    m_meters->setParked(totals.parked);
    QStringList parts{tr("enqueued %1").arg(countText(totals.enqueued)),
                      tr("already in queue %1").arg(countText(totals.alreadyQueued)),
                      tr("already processed %1").arg(countText(totals.alreadyDone)),
                      tr("dead in queue %1").arg(countText(totals.deadInQueue)),
                      tr("batches %1").arg(countText(totals.batches)),
                      tr("rolled back %1").arg(countText(totals.rollbacks))};
    if (totals.inDoubt > 0)
        parts += tr("in doubt %1").arg(countText(totals.inDoubt));
    m_totals->setText(parts.join(u"   \u00b7   "_s));
}

void RelayView::setOutlook(const RelayOutlook &outlook)
{
    m_outlook = outlook;
    m_promise->setText(tr("Promise: %1").arg(shownText(outlook.promise)));
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

void RelayView::setHealth(Source source, const SourceHealth &health)
{
    (source == Source::Database ? m_database : m_redis)->setHealth(health);
}

void RelayView::forget()
{
    for (const Source source : {Source::Database, Source::Queue})
        setHealth(source, {});
    if (m_sheet)
        m_sheet->close();
    m_since = {};
    m_log->clear();
    m_meters->clear();
    setTotals({});
    setOutlook({});
    setNotice({});
    setForbidden({});
    setState(RelayState::Stopped);
    tick(QDateTime::currentDateTimeUtc());
}

void RelayView::tick(const QDateTime &now)
{
    const bool running = m_state != RelayState::Stopped && m_state != RelayState::Failed;
    m_meters->tick(now, running);
    if (running && m_since.isValid()) {
        const QString pace = m_settings.schedule.isEmpty()
            ? tr("poll %1 ms").arg(countText(m_settings.pollMs))
            : tr("by schedule: %1").arg(shownText(m_settings.schedule));
        m_facts->setText(tr("for %1   \u00b7   batch %2   \u00b7   %3")
                             .arg(spanText(static_cast<double>(m_since.msecsTo(now)) / 1000),
                                  countText(m_settings.batch), pace));
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
    const Appearance appearance = theme::appearance(m_state);
    m_glyph->setPixmap(theme::glyph(appearance.glyph, appearance.color, 22, devicePixelRatioF()));
    m_glyph->setAccessibleName(appearance.word);
    m_word->setText(appearance.word);
    QPalette colors = m_word->palette();
    colors.setColor(QPalette::WindowText, appearance.color);
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
