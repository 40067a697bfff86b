// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/fleet/fleetpace.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int wellIntervalMs = 5000;
constexpr int troubleIntervalMs = 2000;
constexpr int longestIntervalMs = 120'000;
constexpr double timesOfLook = 5; ///< so long is the interval, at least, as a look takes

} // namespace

int fleetIntervalMs(HealthLevel level, double tookMs)
{
    const int wanted = level == HealthLevel::Ok ? wellIntervalMs : troubleIntervalMs;
    const double least = std::min(tookMs * timesOfLook, double(longestIntervalMs));
    return std::max(wanted, static_cast<int>(least));
}

const AwayServers::Away *AwayServers::closed(const QString &server, qint64 nowMs) const
{
    const auto away = m_away.constFind(server);
    return away != m_away.cend() && nowMs < away->againMs ? &*away : nullptr;
}

void AwayServers::trying(const QString &server, qint64 nowMs)
{
    if (const auto away = m_away.find(server); away != m_away.end())
        away->againMs = nowMs + retryMs;
}

void AwayServers::failed(const QString &server, const Error &error, qint64 nowMs)
{
    m_away.insert(server, {error, nowMs, nowMs + retryMs});
}

bool AwayServers::isOfServer(const Error &error)
{
    // Of MariaDB: this user has no connection left, others may have.
    const bool isOfUser = error.code == u"1203" || error.code == u"1226";
    return !isOfUser
        && (error.kind == Error::Kind::Unreachable || error.kind == Error::Kind::Timeout);
}

void FleetMeter::start(qint64 nowMs)
{
    m_startMs = nowMs;
    m_samples.clear();
}

void FleetMeter::add(qint64 nowMs, double processorMs, const Traffic &traffic)
{
    while (!m_samples.isEmpty() && m_samples.constFirst().atMs <= nowMs - windowMs)
        m_samples.removeFirst();
    m_samples += Sample{nowMs, processorMs, traffic.bytes};
}

FleetCost FleetMeter::cost(qint64 nowMs) const
{
    FleetCost cost;
    double processorMs = 0;
    qint64 bytes = 0;
    qsizetype looks = 0;
    for (const Sample &one : m_samples) {
        if (one.atMs <= nowMs - windowMs)
            continue;
        ++looks;
        processorMs += one.processorMs;
        bytes += one.bytes;
    }
    const double ms = static_cast<double>(std::clamp<qint64>(nowMs - m_startMs, 1000, windowMs));
    cost.looksPerSecond = static_cast<double>(looks) * 1000 / ms;
    cost.bytesPerSecond = static_cast<qint64>(static_cast<double>(bytes) * 1000 / ms);
    cost.processorShare = processorMs / ms;
    return cost;
}

} // namespace outbox
