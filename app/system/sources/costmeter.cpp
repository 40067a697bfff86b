// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/sources/costmeter.h"

namespace outbox {

void CostMeter::add(double tookMs, const Traffic &traffic)
{
    if (!m_cost.since)
        m_cost.since = QDateTime::currentDateTimeUtc();
    ++m_cost.looks;
    m_cost.totalMs += tookMs;
    m_cost.traffic.statements += traffic.statements;
    m_cost.traffic.bytes += traffic.bytes;
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
