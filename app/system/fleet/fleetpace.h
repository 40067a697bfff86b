// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How often the systems of a fleet are looked at, when a server that is away is tried again, and
// what all of it costs. Pure: the caller says what time it is.
#pragma once

#include "models/result.h"
#include "models/system/fleetcost.h"
#include "models/system/healthreport.h"
#include "models/system/pollcost.h"

#include <QHash>
#include <QList>
#include <QString>

#include <optional>

namespace outbox {

/// So many systems are asked at a time.
inline constexpr qsizetype mostRoomsOfFleet = 8;
/// So many sessions with databases stay open between looks.
inline constexpr qsizetype mostSessionsOfFleet = 64;

/// Milliseconds from the beginning of a look to that of the next one, without jitter: 5 s, 2 s in
/// trouble, and more where a look takes longer than a fifth of that.
[[nodiscard]] int fleetIntervalMs(HealthLevel level, double tookMs);

/// Servers to which no session could be opened, by their addresses. Each is tried once in 15 s,
/// however many systems are there: meanwhile all of them are told what the last try met.
class AwayServers
{
public:
    static constexpr qint64 retryMs = 15'000;

    struct Away
    {
        Error error;
        qint64 sinceMs = 0; ///< of the last try
        qint64 againMs = 0; ///< when it may be tried again
    };

    /// What is known of a server that may not be tried now; nullptr: it may.
    [[nodiscard]] const Away *closed(const QString &server, qint64 nowMs) const;
    /// It is tried now; who asks for it meanwhile is told the last error.
    void trying(const QString &server, qint64 nowMs);
    void failed(const QString &server, const Error &error, qint64 nowMs);
    void answered(const QString &server) { m_away.remove(server); }

    /// Whether this is an error of the server, and so of everybody who wants a session with it.
    [[nodiscard]] static bool isOfServer(const Error &error);

private:
    QHash<QString, Away> m_away;
};

/// Adds up what the looks of the last seconds cost.
class FleetMeter
{
public:
    static constexpr qint64 windowMs = 10'000;

    void start(qint64 nowMs);
    void add(qint64 nowMs, double processorMs, const Traffic &traffic);
    /// Without `sessions`, which it does not know.
    [[nodiscard]] FleetCost cost(qint64 nowMs) const;

private:
    struct Sample
    {
        qint64 atMs = 0;
        double processorMs = 0;
        qint64 bytes = 0;
    };

    qint64 m_startMs = 0;
    QList<Sample> m_samples; ///< the oldest first
};

} // namespace outbox
