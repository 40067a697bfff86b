// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The operation of each verb. Its class stands in the verb's own file.
#pragma once

#include "app/operations/core/operation.h"

namespace outbox {

#define OUTBOX_VERB_FACTORY(name) [[nodiscard]] std::unique_ptr<Operation> make##name();
OUTBOX_VERBS(OUTBOX_VERB_FACTORY) // makeReplay, makePurge …
#undef OUTBOX_VERB_FACTORY

} // namespace outbox
