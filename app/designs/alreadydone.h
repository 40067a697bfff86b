// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the store beside the documents knows of their entries.
// Errors: those of the store that is asked.
#pragma once

#include "connectors/dedupstore.h"
#include "connectors/tokenstore.h"
#include "models/designs/outboxstate.h"

#include <QHash>

namespace outbox {

/// Whether the incoming messages of these entries are done; those of which nothing is known are
/// left out. One store, or none. Ask after their document was read (correctness.md 6).
[[nodiscard]] Result<QHash<QString, bool>> areDone(const QList<const OutboxEntry *> &entries,
                                                   DedupStore *done, TokenStore *tokens);

} // namespace outbox
