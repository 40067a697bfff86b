// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The relay of documents: sends the messages that a handler left behind in an entry, and cleans the
// entry up.
#pragma once

#include "app/designs/dispatch.h"
#include "app/designs/messagehandler.h"
#include "connectors/sql/documents/documentstore.h"
#include "models/designs/nextstep.h"

#include <QHash>

namespace outbox {

/// What became of one entry.
struct EntryOutcome
{
    enum class Kind {
        Dispatched, ///< its messages are out, and the entry is null or gone
        Removed, ///< a leftover went (K15)
        Nothing, ///< there was nothing to do any more
        Left, ///< nobody may touch it, or the queue does not take it: `reason`
        Changed, ///< others came between: `reason`; what was sent is sent
    };
    Kind kind = Kind::Nothing;
    int stored = 0; ///< messages that the queue had not
    int alreadyThere = 0;
    QString reason;

    bool operator==(const EntryOutcome &) const = default;
};

/// A policy between the document and the queue, with no thread of its own. Order of correctness.md
/// 5 and 6: read the document → ask the dedup store → make durable → enqueue all messages → add the
/// id to the store → null or remove the entry, where the document is still as it was read. With
/// tokens it takes the steps of the receiver (7). Several relays, and the handlers themselves, may
/// work on one document. Blocking.
/// Errors: those of the stores and of the queue; of unknown effect where messages are out.
class DocumentRelay
{
public:
    DocumentRelay(DocumentTools tools, Design design, DispatchRules rules);

    /// Does what is safe next for these entries of one document, all in one write; an answer for
    /// each, in their order. An error means that the outcome is unknown, or that nothing happened:
    /// again is safe. An entry that stands in `meant` and asks for another act now is Changed.
    [[nodiscard]] Result<QList<EntryOutcome>>
    settle(const QString &document, const QStringList &incoming,
           const QHash<QString, NextStep::Act> &meant = {});

private:
    /// What one try comes to; nullopt: the document was written meanwhile.
    using Outcomes = std::optional<QList<EntryOutcome>>;
    [[nodiscard]] Result<Outcomes> tryOnce(const QString &document, const QStringList &incoming);
    /// Sends what was not sent in this call yet: a document that was written meanwhile needs no
    /// second sending.
    [[nodiscard]] Result<void> send(const QList<const OutboxEntry *> &entries);
    /// Goes on with a message that still has its token, as its receiver would.
    /// Whether an entry asks for what was meant for it, or for what follows from what was sent.
    [[nodiscard]] bool isAsMeant(const QString &incoming, NextStep::Act act) const;
    [[nodiscard]] Result<EntryOutcome> receive(const IncomingMessage &incoming);
    [[nodiscard]] Result<void> markDone(const QStringList &incoming);
    /// True when the document was as it was seen, and has no longer these entries, or null there.
    [[nodiscard]] Result<bool> write(const StoredDocument &seen, OutboxState state,
                                     const QStringList &cleaned);
    void pass(const char *point) const;
    [[nodiscard]] Result<void> mayCommit() const;

    struct Sent
    {
        QList<OutgoingMessage> messages;
        EntryOutcome outcome; ///< Dispatched, or Left with the reason
    };
    DocumentTools m_tools;
    Design m_design;
    DispatchRules m_rules;
    QHash<QString, NextStep::Act> m_meant; ///< by incoming message
    QHash<QString, Sent> m_sent; ///< by incoming message
    QHash<QString, QString> m_unreceived; ///< its token, by incoming message
};

} // namespace outbox
