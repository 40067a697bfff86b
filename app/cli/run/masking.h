// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which masks a command prints payloads through, and the record of one that prints without them.
#pragma once

#include "app/cli/output/printer.h"
#include "app/system/sources/target.h"
#include "models/payload/payloadmasks.h"

class QCommandLineParser;

namespace outbox {

/// --unmasked
void addUnmaskedOption(QCommandLineParser &parser);

/// Those of the profile, which a note tells of; none with --unmasked: that it is asked for stands
/// in the record before. `what` is what is printed: "row 42". Blocking.
/// Errors: those of `AuditTrail::append`; nothing may be printed then.
[[nodiscard]] Result<PayloadMasks> masksFor(const QCommandLineParser &parser, const Target &target,
                                            const Printer &printer, const QString &what);

} // namespace outbox
