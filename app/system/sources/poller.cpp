// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/sources/poller.h"

#include <QRandomGenerator>

#include <algorithm>

namespace outbox {

namespace {

constexpr int firstBackOffMs = 500;
constexpr int mostBackOffMs = 8000;
constexpr int slowestFactor = 16;

} // namespace

Poller::Poller(int intervalMs, int deadlineMs, QObject *parent)
    : QObject(parent), m_baseMs(intervalMs), m_intervalMs(intervalMs)
{
    m_timer.setSingleShot(true);
    m_deadline.setSingleShot(true);
    m_deadline.setInterval(deadlineMs);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        if (kick())
            emit due();
    });
    connect(&m_deadline, &QTimer::timeout, this, &Poller::overdue);
}

void Poller::start()
{
    if (m_running)
        return;
    m_running = true;
    if (!m_underWay)
        scheduleIn(0);
}

void Poller::stop()
{
    m_running = false;
    m_kicked = false; // whoever stops wants no answer to that either
    m_timer.stop();
}

bool Poller::kick()
{
    m_kicked = m_underWay;
    if (m_underWay)
        return false;
    m_timer.stop();
    m_underWay = true;
    m_deadline.start();
    return true;
}

void Poller::answered(double tookMs)
{
    m_underWay = false;
    m_deadline.stop();
    m_backOffMs = 0;
    int wanted = m_intervalMs;
    if (tookMs > m_intervalMs / 5.0)
        wanted = std::min(m_intervalMs * 2, m_baseMs * slowestFactor);
    else if (m_intervalMs > m_baseMs && tookMs < m_intervalMs / 20.0)
        wanted = std::max(m_baseMs, m_intervalMs / 2);
    if (wanted != m_intervalMs) {
        m_intervalMs = wanted;
        emit intervalChanged(m_intervalMs, isSlowed());
    }
    if (m_running || m_kicked)
        scheduleIn(m_kicked ? 0 : m_intervalMs);
}

void Poller::failed()
{
    m_underWay = false;
    m_deadline.stop();
    m_backOffMs = m_backOffMs == 0 ? firstBackOffMs : std::min(m_backOffMs * 2, mostBackOffMs);
    if (m_running) // jitter: many consoles must not knock at the same moment
        scheduleIn(m_backOffMs / 2 + QRandomGenerator::global()->bounded(m_backOffMs / 2 + 1));
    else if (m_kicked)
        scheduleIn(0);
}

void Poller::refused()
{
    m_underWay = false;
    m_deadline.stop();
    m_backOffMs = 0;
    if (m_kicked)
        scheduleIn(0);
}

void CostMeter::add(double tookMs, const Traffic &traffic)
{
    if (!m_cost.since)
        m_cost.since = QDateTime::currentDateTimeUtc();
    ++m_cost.looks;
    m_cost.totalMs += tookMs;
    m_cost.traffic += traffic;
    m_lastMs = tookMs;
}

void CostMeter::addRegular(PollCost::Regular PollCost::*which, const Poller &poller)
{
    PollCost::Regular &regular = m_cost.*which;
    if (poller.intervalMs() > qMax(regular.intervalMs, poller.wantedMs()))
        regular.dearMs = m_lastMs;
    regular.at = QDateTime::currentDateTimeUtc();
    regular.tookMs = m_lastMs;
    regular.intervalMs = poller.intervalMs();
    regular.wantedMs = poller.wantedMs();
}

} // namespace outbox
