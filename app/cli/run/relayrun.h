// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A run of one or more relays on the command line: signals, log lines, the service manager, the
// totals at the end.
#pragma once

#include "app/cli/output/printer.h"
#include "app/relay/relaydriver.h"
#include "app/relay/relayrecord.h"
#include "app/service/metricsserver.h"

#include <optional>

namespace outbox {

struct RelayOrder
{
    StoreSettings store;
    OutboxShape shape;
    RedisEndpoint redis;
    RelaySettings settings;
    bool drain = false;
    std::optional<MetricsAddress> metrics; ///< nullopt: nobody collects
    StoreSettings look; ///< with ReadOnly access, for the metrics
    AuditEntry entry; ///< what all that goes on record begins with
};

/// Starts so many relays and answers when all have ended. SIGTERM and SIGINT stop, a second one
/// rolls back at once; SIGUSR1 pauses and resumes; SIGUSR2 drains and ends. Prints its errors: that
/// of the server of the metrics, for an address that cannot be listened on.
[[nodiscard]] ExitCode runRelays(const Printer &printer, const RelayOrder &order, int workers);

} // namespace outbox
