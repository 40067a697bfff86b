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
/// read first, then all documents, then the queues; what seems garbage is asked for once more,
/// since it may have been consumed meanwhile. Nothing is ever deleted by this.
/// Errors: those of the stores and of the queue.
class TokenScan
{
public:
    /// `queues` is open, or null: then nothing is called garbage.
    TokenScan(DocumentStores &stores, AsynqInspector *queues, std::stop_token stop = {});

    [[nodiscard]] Result<TokenReport> look(qsizetype mostTokens);

private:
    [[nodiscard]] Result<QList<Token>> tokens(qsizetype most, bool &isCut);
    [[nodiscard]] Result<void> readEntries(TokenReferences &references, QStringList &notes);
    [[nodiscard]] Result<void> readQueues(const QList<Token> &tokens, TokenReferences &references,
                                          QStringList &notes);

    DocumentStores &m_stores;
    AsynqInspector *m_queues;
    std::stop_token m_stop;
};

} // namespace outbox
