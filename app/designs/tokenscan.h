// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds what refers to each token: entries of documents, messages in queues, undecided attempts.
#pragma once

#include "app/designs/documentstores.h"
#include "connectors/asynq/observe/inspector.h"
#include "models/designs/designview.h"

#include <stop_token>

namespace outbox {

/// Blocking; looks only. A token goes from an entry into a queue and never back, so the tokens are
/// read first, `mostTokens` of them, then all documents, then the queues; what seems garbage is
/// asked for once more, since it may have been consumed meanwhile. Nothing is ever deleted by this.
/// `queues` is open, or null: then nothing is called garbage. So it is where a queue of a Cluster
/// cannot be read; a note says which.
/// Errors: those of the stores and of the queue.
[[nodiscard]] Result<TokenReport> scanTokens(DocumentStores &stores, AsynqInspector *queues,
                                             qsizetype mostTokens,
                                             const std::stop_token &stop = {});

} // namespace outbox
