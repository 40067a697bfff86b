// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/sourcenotice.h"

#include "models/phrases.h"
#include "models/plaintext.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

SourceNotice::SourceNotice(const QString &name, const QString &source, QWidget *parent)
    : NoticeBar(name, parent), m_source(source)
{
    m_look.setInterval(1000);
    connect(&m_look, &QTimer::timeout, this, &SourceNotice::judge);
    connect(this, &NoticeBar::actionAsked, this, &SourceNotice::retryAsked);
}

void SourceNotice::setHealth(const SourceHealth &health)
{
    if (health.lastGood && health.lastGood != m_health.lastGood)
        m_sinceGood.start();
    m_health = health;
    m_look.start();
    judge();
}

void SourceNotice::judge()
{
    const bool hasAnswer = m_health.lastGood.has_value();
    const bool late = hasAnswer && m_sinceGood.isValid() && m_sinceGood.hasExpired(m_staleAfterMs);
    const bool failing = m_health.state == SourceHealth::State::Failing;
    const bool stale = hasAnswer && (late || m_health.state != SourceHealth::State::Live);
    QString asOf;
    if (hasAnswer) {
        asOf = tr("What is shown is from %1.")
                   .arg(momentText(*m_health.lastGood, QDateTime::currentDateTimeUtc()));
    }
    if (failing) {
        QString text = capital(m_health.error ? shownText(oneLine(*m_health.error))
                                              : tr("No answer from %1").arg(m_source));
        if (!text.endsWith(u'.'))
            text += u'.';
        if (!asOf.isEmpty())
            text += u' ' + asOf;
        if (m_health.retryInMs > 0)
            text += u' ' + tr("Trying again in %1.").arg(spanText(m_health.retryInMs / 1000.0));
        else
            text += u' ' + tr("Not retrying.");
        say(Tone::Problem, text, m_health.retryInMs > 0 ? tr("Now") : tr("Try again"));
    } else if (stale) {
        say(Tone::Warning, tr("No answer from %1. %2").arg(m_source, asOf), tr("Now"));
    } else {
        clear();
    }
    if (stale != m_stale) {
        m_stale = stale;
        emit staleChanged(stale);
    }
}

} // namespace outbox
