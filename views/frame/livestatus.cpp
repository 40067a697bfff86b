// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/frame/livestatus.h"

#include "models/phrases.h"
#include "models/plaintext.h"
#include "models/system/login.h"
#include "views/frame/sourcedetails.h"
#include "views/theme/theme.h"
#include "views/widgets/card.h"

#include <QEvent>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QToolButton>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QString nameOf(Source source)
{
    return source == Source::Database ? LiveStatus::tr("Database") : LiveStatus::tr("Redis");
}

HealthLevel levelOf(const SourceHealth &health, bool stale)
{
    switch (health.state) {
    case SourceHealth::State::Live:
        return stale ? HealthLevel::Unknown : HealthLevel::Ok;
    case SourceHealth::State::Failing:
        return HealthLevel::Broken;
    case SourceHealth::State::NotConnected:
    case SourceHealth::State::Connecting:
    case SourceHealth::State::Absent:
        break;
    }
    return HealthLevel::Unknown;
}

QString failureWords(const SourceHealth &health)
{
    if (health.retryInMs > 0) {
        return LiveStatus::tr("does not answer, next try in %1")
            .arg(spanText(health.retryInMs / 1000.0));
    }
    return health.error && isLogInRefused(*health.error)
        ? LiveStatus::tr("log-in refused; not retrying")
        : LiveStatus::tr("does not answer; not retrying");
}

} // namespace

LiveStatus::LiveStatus(QWidget *parent)
    : QStatusBar(parent), m_notify(plainLabel({}, true)), m_interval(plainLabel({}, true)),
      m_pause(new QToolButton), m_selection(plainLabel({}, true)), m_operation(new QToolButton),
      m_progress(new QProgressBar), m_now(QDateTime::currentDateTimeUtc())
{
    setObjectName(u"liveStatus"_s);
    setSizeGripEnabled(false);
    setContentsMargins(6, 0, 8, 0);
    for (const Source source : {Source::Database, Source::Queue}) {
        auto *button = new QToolButton;
        button->setAutoRaise(true);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setObjectName(source == Source::Database ? u"databaseStatus"_s : u"queueStatus"_s);
        button->setFont(theme::numberFont(button->font()));
        auto *details = new SourceDetails(source, this);
        connect(button, &QToolButton::clicked, details,
                [button, details] { details->openAbove(button); });
        m_sources.at(static_cast<size_t>(source)) = button;
        m_details.at(static_cast<size_t>(source)) = details;
        addWidget(button);
    }
    m_pause->setObjectName(u"pauseRefresh"_s);
    m_pause->setAutoRaise(true);
    m_pause->setCheckable(true);
    connect(m_pause, &QToolButton::clicked, this, &LiveStatus::pauseAsked);
    m_operation->setObjectName(u"operationStatus"_s);
    m_operation->setAutoRaise(true);
    m_operation->setFocusPolicy(Qt::StrongFocus);
    m_operation->setFont(theme::numberFont(m_operation->font()));
    m_operation->setToolTip(plainTooltip(tr("Shows the operation that is under way")));
    m_progress->setTextVisible(false);
    m_progress->setFixedSize(90, 6);
    connect(m_operation, &QToolButton::clicked, this, &LiveStatus::operationAsked);
    addPermanentWidget(m_operation);
    addPermanentWidget(m_progress);
    setOperation({});
    addPermanentWidget(m_selection);
    addPermanentWidget(m_notify);
    addPermanentWidget(m_interval);
    addPermanentWidget(m_pause);
    m_notify->setVisible(false);
    tick(m_now);
    setPaused(false);
}

void LiveStatus::setOperation(const QString &words, const OperationProgress &progress)
{
    const QString numbers = progress.total > 0
        ? u' ' + countText(progress.done) + u'/' + countText(progress.total)
        : QString();
    m_operation->setText(buttonText(words) + numbers);
    m_operation->setAccessibleName(shownText(words) + numbers);
    m_progress->setRange(0, static_cast<int>(progress.total));
    m_progress->setValue(static_cast<int>(progress.done));
    m_operation->setVisible(!words.isEmpty());
    m_progress->setVisible(!words.isEmpty());
}

void LiveStatus::setSource(Source source, const SourceHealth &health)
{
    m_health.at(static_cast<size_t>(source)) = health;
    m_details.at(static_cast<size_t>(source))->setHealth(health);
    show(source);
}

void LiveStatus::setAddress(Source source, const QString &address)
{
    m_details.at(static_cast<size_t>(source))->setAddress(address);
}

void LiveStatus::setCost(Source source, const PollCost &cost)
{
    m_details.at(static_cast<size_t>(source))->setCost(cost);
}

void LiveStatus::show(Source source)
{
    const SourceHealth &health = m_health.at(static_cast<size_t>(source));
    QToolButton *button = m_sources.at(static_cast<size_t>(source));
    const bool stale = staleSince(health, m_now, m_intervalMs).has_value() && !m_paused;
    QStringList words{nameOf(source)};
    if (health.lastGood) {
        const double age = static_cast<double>(health.lastGood->msecsTo(m_now)) / 1000;
        words.append(tr("%1 ago").arg(spanText(age)));
    }
    switch (health.state) {
    case SourceHealth::State::Live:
        words.append(tr("%1 ms").arg(QLocale().toString(health.latencyMs, 'f', 0)));
        break;
    case SourceHealth::State::Connecting:
        words.append(tr("connecting"));
        break;
    case SourceHealth::State::Failing:
        words.append(failureWords(health));
        break;
    case SourceHealth::State::NotConnected:
        words.append(tr("not connected"));
        break;
    case SourceHealth::State::Absent:
        words.append(tr("no address is set"));
        break;
    }
    const Appearance appearance = theme::appearance(levelOf(health, stale));
    const QString text = words.mid(1).join(u", "_s);
    button->setIcon(
        QIcon(theme::glyph(appearance.glyph, appearance.color, 16, devicePixelRatioF())));
    button->setText(u' ' + words.first() + u"  "_s + text);
    button->setAccessibleName(tr("%1: %2").arg(words.first(), text));
    QString tip = shownText(health.detail, Lines::Many);
    if (health.error)
        tip += (tip.isEmpty() ? u""_s : u"\n"_s) + oneLine(*health.error);
    tip += (tip.isEmpty() ? u""_s : u"\n"_s) + tr("Click to see the load this window causes");
    button->setToolTip(plainTooltip(tip));
}

void LiveStatus::setNotify(std::optional<bool> on)
{
    m_notify->setVisible(on.has_value());
    m_notify->setText(on.value_or(false) ? tr("NOTIFY on") : tr("NOTIFY off"));
}

void LiveStatus::setInterval(int milliseconds, bool slowed)
{
    m_intervalMs = milliseconds;
    m_slowed = slowed;
    showInterval();
}

void LiveStatus::setPaused(bool paused)
{
    if (paused && !m_paused)
        m_pausedSince.start();
    m_paused = paused;
    m_pause->setChecked(paused);
    m_pause->setIcon(theme::icon(paused ? u"play"_s : u"pause"_s));
    m_pause->setAccessibleName(paused ? tr("Resume live refresh") : tr("Pause live refresh"));
    m_pause->setToolTip(plainTooltip(m_pause->accessibleName() + u" (Ctrl+P)"_s));
    showInterval();
}

void LiveStatus::showInterval()
{
    const QString every = spanText(m_intervalMs / 1000.0);
    if (m_paused) {
        const qint64 seconds = m_pausedSince.elapsed() / 1000;
        m_interval->setText(tr("PAUSED %1:%2")
                                .arg(seconds / 60, 2, 10, QChar(u'0'))
                                .arg(seconds % 60, 2, 10, QChar(u'0')));
    } else {
        m_interval->setText(m_slowed ? tr("slowed to %1").arg(every) : tr("refresh %1").arg(every));
    }
}

void LiveStatus::setSelection(const QString &text)
{
    m_selection->setText(shownText(text));
}

void LiveStatus::tick(const QDateTime &now)
{
    m_now = now;
    show(Source::Database);
    show(Source::Queue);
    for (SourceDetails *details : m_details)
        details->tick(now);
    showInterval();
}

void LiveStatus::changeEvent(QEvent *event)
{
    QStatusBar::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        tick(m_now);
}

} // namespace outbox
