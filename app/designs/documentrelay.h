// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The relay of documents: sends the messages that a handler left behind in an entry, and cleans the
// entry up.
#pragma once

#include "app/designs/dispatch.h"
#include "connectors/dedupstore.h"
#include "connectors/sql/documentstore.h"
#include "connectors/taskqueue.h"
#include "connectors/tokenstore.h"
#include "models/designs/nextstep.h"

#include <functional>

namespace outbox {

/// What became of one entry.
struct EntryOutcome
{
    enum class Kind {
        Dispatched, ///< its messages are out, and the entry is null or gone
        Removed, ///< a leftover went (K15)
        Nothing, ///< there was nothing to do any more
        Left, ///< nobody may touch it, or the queue does not take it: `reason`
        Changed, ///< others wrote the document again and again; what was sent is sent
    };
    Kind kind = Kind::Nothing;
    int stored = 0; ///< messages that the queue had not
    int alreadyThere = 0;
    QString reason;

    bool operator==(const EntryOutcome &) const = default;
};

/// A policy between the document and the queue, with no thread of its own. Order of correctness.md
/// 5 and 6: read the document → ask the dedup store → make durable → enqueue all messages → add the
/// id to the store → null or remove the entry, where the document is still as it was read. Several
/// relays, and the handlers themselves, may work on one document. Blocking.
class DocumentRelay
{
public:
    /// What it works with; all of it outlives the relay.
    struct Tools
    {
        DocumentStore *documents = nullptr; ///< open with Relay or Act access
        TaskQueue *queue = nullptr;
        DedupStore *done = nullptr; ///< only for `Design::DedupStore`
        TokenStore *tokens = nullptr; ///< only for `Design::Tokens`
        /// Told every point where a crash would leave another state behind; may be empty.
        std::function<void(const char *point)> passed;
    };

    DocumentRelay(Tools tools, Design design, DispatchRules rules);

    /// Does what is safe next for one entry. An error means that the outcome is unknown, or that
    /// nothing happened: again is safe.
    [[nodiscard]] Result<EntryOutcome> settle(const QString &document, const QString &incoming);

private:
    /// What one try comes to; nullopt: the document was written meanwhile.
    [[nodiscard]] Result<std::optional<EntryOutcome>> tryOnce(const QString &document,
                                                              const QString &incoming);
    [[nodiscard]] Result<NextStep> stepFor(const OutboxEntry &entry);
    [[nodiscard]] Result<Dispatch> send(const OutboxEntry &entry);
    void pass(const char *point) const;

    Tools m_tools;
    Design m_design;
    DispatchRules m_rules;
    /// What was sent already in this call: a document written meanwhile needs no second sending.
    QList<OutgoingMessage> m_sent;
    Dispatch m_report;
};

} // namespace outbox
