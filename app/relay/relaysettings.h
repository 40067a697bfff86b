// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a relay is to run, and what of it is refused before a connection is opened.
#pragma once

#include "app/relay/relay.h"
#include "connectors/sql/outbox/outboxstore.h"
#include "models/relay/schedule.h"
#include "models/result.h"

#include <QString>

#include <optional>

namespace outbox {

/// How long a batch may take to be on Redis's disk where nobody says it. Redis writes its file
/// there once a second (everysec), and up to a second late where the disk is slow.
constexpr int usualDiskTimeoutMs = 3000;

struct RelaySettings
{
    int batch = 1000; ///< the largest one; small ones while there is little to do
    int pollMs = 500; ///< how long an idle relay waits without a NOTIFY
    double ratePerSecond = 0; ///< 0 = no limit
    qint64 retentionSeconds = 86'400;
    bool allowDuplicates = false; ///< permits a retention below one second
    bool anyEvictionPolicy = false; ///< permits a Redis that may evict keys
    bool idsNeverReturn = false; ///< the operator's word for what the table does not tell
    bool shardsChanged = false; ///< the same for rows that have no task in a queue of before
    QString queue = QStringLiteral("default");
    QString notifyChannel; ///< empty = polling only
    /// It works at these times instead of all the time, and never twice at once.
    std::optional<Schedule> schedule;
    qint64 deepestQueue = 0; ///< no claims while so many tasks wait in the queue; 0 = no limit
    bool barrier = false; ///< nothing is sent before its row is on the database's disk
    int replicas = 0; ///< copies of Redis that must have a batch before its rows are given up
    bool onDisk = false; ///< Redis has a batch on its disk before its rows are given up
    int replicaTimeoutMs = 1000; ///< for each of the two
    int graceMs = 5000;
    qint64 mostPayloadBytes = largestPayloadBytes; ///< rows with larger ones are parked
    QString stateFolder; ///< for parked rows where no table keeps them; empty = the user's
    int worker = 1; ///< which one of this process, from 1; for others to see

    bool operator==(const RelaySettings &) const = default;
};

/// Why a relay must not start like this: a shape that is not ours to relay, no retention, a barrier
/// where the database has none, a name that no queue can have.
[[nodiscard]] std::optional<Error> refusalOf(const RelaySettings &settings,
                                             const StoreSettings &store, const OutboxShape &shape);
[[nodiscard]] RelayRules rulesOf(const RelaySettings &settings);

} // namespace outbox
