// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What goes on record of a relay: who started, paused and stopped it, why it ended and what it did.
#pragma once

#include "models/operations/auditentry.h"
#include "models/relay/relaystep.h"

namespace outbox {

/// Where a relay runs and who runs it.
struct RelayPlace
{
    QString who; ///< "ana@desk"
    QString face; ///< "outboxdeck" or "outboxctl"
    QString profile;
    Environment environment = Environment::Unsaid;
    QString target; ///< `recordTarget` of it
};

/// "Relay started (process 4711): batches of up to 1,000"; nothing follows where `detail` is empty.
[[nodiscard]] AuditEntry relayEntry(const RelayPlace &place, const QString &act,
                                    const QString &detail = {});
/// The same of its end, with the totals. `how` is what `RelayDriver::finished` says, `why` who or
/// what asked for it.
[[nodiscard]] AuditEntry relayEnd(const RelayPlace &place, const QString &how, const QString &why,
                                  const RelayTotals &totals,
                                  const std::optional<Error> &error = {});

} // namespace outbox
