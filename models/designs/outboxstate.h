// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The map of outgoing messages inside a business document: read from its bytes, and changed in them
// without touching anything else.
#pragma once

#include "models/designs/documentshape.h"
#include "models/payload/jsontokens.h"
#include "models/result.h"

#include <QByteArray>
#include <QDateTime>
#include <QList>
#include <QString>

#include <optional>

namespace outbox {

/// One message that waits inside an entry. A payload that is a JSON string is its text, any other
/// is the bytes of the document; so all copies that are ever sent are the same.
struct OutgoingMessage
{
    QString id;
    QString type;
    QByteArray payload;
    QString queue; ///< empty: the caller's
    QString token; ///< empty where the design has none, or none was made yet

    bool operator==(const OutgoingMessage &) const = default;
};

/// What became of one incoming message.
struct OutboxEntry
{
    enum class State {
        Undispatched, ///< its messages are inside
        Dispatched, ///< null: they are gone, the id alone is kept
        Malformed, ///< neither; `problem` says why, and nobody may touch it
    };
    QString incoming; ///< id of the incoming message
    State state = State::Malformed;
    QList<OutgoingMessage> messages; ///< Undispatched
    std::optional<QDateTime> made; ///< UTC
    QString token; ///< of the incoming message; empty where the design has none
    QString problem;
    QByteArray json; ///< its bytes in the document

    bool operator==(const OutboxEntry &) const = default;
};

[[nodiscard]] QString word(OutboxEntry::State state);

/// A time since 1970 in seconds, milliseconds, microseconds or nanoseconds, by its size. nullopt
/// where the number is too large for any of them.
[[nodiscard]] std::optional<QDateTime> timeOfNumber(double number);

/// Reads a document once; each change answers the bytes of a new document, in which everything but
/// the entry is as it was, byte for byte.
/// Errors: Invalid where the document is another one than the change needs.
class OutboxState
{
public:
    /// Fails with Invalid where the bytes are no JSON object, or the map is something else than an
    /// object; a document without the map has no entries.
    [[nodiscard]] static Result<OutboxState> read(const QByteArray &json,
                                                  const DocumentShape &shape);

    [[nodiscard]] const QList<OutboxEntry> &entries() const { return m_entries; }
    /// nullptr where the document knows nothing of `incoming`.
    [[nodiscard]] const OutboxEntry *entry(const QString &incoming) const;

    // These fail with Invalid where there is no such entry, or where it is malformed.

    /// The messages of the entry are null.
    [[nodiscard]] Result<QByteArray> withDispatched(const QString &incoming) const;
    /// The messages of the entry, in their order, have these tokens. Fails with Invalid for
    /// another number of them, or where one has a token already.
    [[nodiscard]] Result<QByteArray> withTokens(const QString &incoming,
                                                const QStringList &tokens) const;
    /// The entry is gone.
    [[nodiscard]] Result<QByteArray> without(const QString &incoming) const;
    /// The entry is new; the map is made where there is none. Fails with Invalid where it is there.
    [[nodiscard]] Result<QByteArray> withNew(const QString &incoming, const QByteArray &json) const;

private:
    [[nodiscard]] Result<void> findMap();
    void readEntries();
    [[nodiscard]] OutboxEntry entryOf(const JsonNode &node) const;
    void readMessages(const JsonNode &list, OutboxEntry &entry) const;
    [[nodiscard]] std::optional<OutgoingMessage> messageOf(const JsonNode &node,
                                                           QString &problem) const;
    [[nodiscard]] const JsonNode *member(const JsonNode &object, const QString &name) const;
    [[nodiscard]] Result<const JsonNode *> sound(const QString &incoming,
                                                 const QString &doing) const;
    /// The list of an entry's messages, or what stands in its place.
    [[nodiscard]] const JsonNode *messagesOf(const JsonNode &entry) const;
    [[nodiscard]] QByteArray spliced(qsizetype from, qsizetype to, const QByteArray &text) const;

    DocumentShape m_shape;
    JsonTree m_tree;
    int m_map = -1; ///< node; -1: there is none
    int m_deepest = 0; ///< the last node of the map's path that is there
    qsizetype m_found = 0; ///< how many names of the path are
    QList<OutboxEntry> m_entries;
};

} // namespace outbox
