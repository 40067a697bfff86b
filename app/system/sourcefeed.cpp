// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/sourcefeed.h"

namespace outbox {

SourceFeed::SourceFeed(Profile profile, ProfilePasswords secrets, int overdueMs, QObject *parent)
    : QObject(parent), m_profile(std::move(profile)), m_secrets(std::move(secrets)),
      m_figures(m_profile.refreshMs, overdueMs, this)
{
    connect(&m_figures, &Poller::due, this, [this] { askFigures(); });
    connect(&m_figures, &Poller::intervalChanged, this, &SourceFeed::intervalChanged);
}

void SourceFeed::setRunning(bool running)
{
    m_isRunning = running;
    if (!running)
        return m_figures.stop();
    if (m_health.state == SourceHealth::State::NotConnected) {
        m_health.state = SourceHealth::State::Connecting;
        emit healthChanged(m_health);
    }
    m_figures.start();
}

void SourceFeed::refreshNow()
{
    if (m_figures.kick())
        askFigures();
}

void SourceFeed::addCost(double tookMs, const Traffic &traffic)
{
    m_meter.add(tookMs, traffic);
    emit costChanged(m_meter.cost());
}

void SourceFeed::live(double tookMs)
{
    m_isTurnedAway = false;
    m_figures.answered(tookMs);
    m_meter.addRegular(&PollCost::figures, m_figures);
    m_health
        = {SourceHealth::State::Live, QDateTime::currentDateTimeUtc(), tookMs, std::nullopt, 0, {}};
    emit healthChanged(m_health);
}

void SourceFeed::absent()
{
    m_health.state = SourceHealth::State::Absent;
    emit healthChanged(m_health);
}

void SourceFeed::lost(const Error &error, bool isRefused)
{
    m_isTurnedAway = m_isTurnedAway || isRefused;
    if (isRefused)
        m_figures.refused();
    else
        m_figures.failed();
    m_health.state = SourceHealth::State::Failing;
    m_health.error = error;
    m_health.retryInMs = m_figures.nextInMs();
    emit healthChanged(m_health);
}

} // namespace outbox
