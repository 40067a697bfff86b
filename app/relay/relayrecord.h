// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What goes on record of a relay: who started, paused and stopped it, why it ended and what it did.
#pragma once

#include "models/operations/auditentry.h"
#include "models/relay/relaystep.h"

namespace outbox {

/// "Relay started (process 4711): batches of up to 1,000"; nothing follows where `detail` is empty.
/// `about` is `entryAbout` of the relay.
[[nodiscard]] AuditEntry relayEntry(const AuditEntry &about, const QString &act,
                                    const QString &detail = {});
/// The same of its end, with the totals. `how` is what `RelayDriver::finished` says, `why` who or
/// what asked for it.
[[nodiscard]] AuditEntry relayEnd(const AuditEntry &about, const QString &how, const QString &why,
                                  const RelayTotals &totals,
                                  const std::optional<Error> &error = {});

} // namespace outbox
