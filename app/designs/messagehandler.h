// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a receiver of messages does with one of them, so that copies and crashes change its document
// once and send its output at least once, every time the same.
#pragma once

#include "app/designs/dispatch.h"
#include "connectors/dedupstore.h"
#include "connectors/sql/documents/documentstore.h"
#include "connectors/taskqueue.h"
#include "connectors/tokenstore.h"
#include "models/designs/handlersteps.h"

#include <functional>

namespace outbox {

/// One copy of an incoming message.
struct IncomingMessage
{
    QString id; ///< the same for all copies
    QString document; ///< whose state it changes
    QString token; ///< Design::Tokens: the right to execute it

    bool operator==(const IncomingMessage &) const = default;
};

/// What a handler and a relay of documents work with; all of it outlives them.
struct DocumentTools
{
    DocumentStore *documents = nullptr; ///< open with Relay or Act access
    TaskQueue *queue = nullptr;
    DedupStore *done = nullptr; ///< only for `Design::DedupStore`
    TokenStore *tokens = nullptr; ///< only for `Design::Tokens`
    /// Told every point where a crash would leave another state behind; may be empty.
    std::function<void(const char *point)> passed;
    /// Asked behind what was written to Redis, before anything is given up for it; an error says
    /// that it may be lost. Empty: it never is.
    std::function<Result<void>()> mayCommit{};
};

/// What the business logic makes of a document.
struct BusinessResult
{
    QByteArray document; ///< with its new state; the map of messages as it was
    QByteArray messages; ///< a JSON list of outgoing messages, each with an id of its own

    bool operator==(const BusinessResult &) const = default;
};

/// A policy with no thread of its own: the steps of the three articles, over the stores that the
/// console looks at. It is the reference that the console's rules are tested against, and serves a
/// receiver written in C++. Blocking; one message at a time.
/// Errors: those of the stores and of the queue; Conflict where others wrote the document.
class MessageHandler
{
public:
    /// May run more than once for a message; only one result is written.
    using Business = std::function<Result<BusinessResult>(const QByteArray &document)>;
    enum class Handled {
        Done, ///< acknowledge it
        Duplicate, ///< it was done before: acknowledge it
        Conflict, ///< another copy was quicker: back to the queue with it
    };

    /// `steps` is for those who want to see what another order breaks (`faultOf`).
    MessageHandler(DocumentTools tools, Business business, Design design, DispatchRules rules,
                   QList<HandlerStep> steps = {});

    /// An error means: back to the queue with it.
    [[nodiscard]] Result<Handled> handle(const IncomingMessage &incoming);

private:
    /// nullopt: go on with the next step.
    using Ended = std::optional<Handled>;
    [[nodiscard]] Result<Ended> run(HandlerStep step);
    [[nodiscard]] Result<Ended> load();
    [[nodiscard]] Result<Ended> check();
    [[nodiscard]] Result<Ended> persist();
    [[nodiscard]] Result<Ended> createTokens();
    [[nodiscard]] Result<Ended> checkpoint();
    [[nodiscard]] Result<Ended> send();
    [[nodiscard]] Result<Ended> markDone();
    [[nodiscard]] Result<Ended> cleanUp();
    [[nodiscard]] Result<void> read();
    [[nodiscard]] const OutboxEntry *entry() const
    {
        return m_state ? m_state->entry(m_incoming.id) : nullptr;
    }
    void pass(const char *point) const;
    [[nodiscard]] Result<void> mayCommit() const;

    DocumentTools m_tools;
    Business m_business;
    Design m_design;
    DispatchRules m_rules;
    QList<HandlerStep> m_steps;
    IncomingMessage m_incoming;
    std::optional<StoredDocument> m_document; ///< nullopt: there is none yet
    std::optional<OutboxState> m_state; ///< of that document
    QStringList m_tokens; ///< made in this attempt
};

} // namespace outbox
