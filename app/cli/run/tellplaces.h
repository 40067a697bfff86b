// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a relay says at its start of where it keeps things.
#pragma once

#include "app/cli/output/printer.h"
#include "app/relay/relaysession.h"

namespace outbox {

/// The events "parking", "memory" and, where nobody remembers what was delivered,
/// "memory_unknown".
void tellPlaces(const Printer &printer, const RelayPlaces &places);

} // namespace outbox
