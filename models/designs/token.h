// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The right to execute one outgoing message once, the attempt that made it, and what still refers
// to it: a garbage token and the token of a message that is stuck look the same, and only
// reachability tells them apart.
#pragma once

#include <QDateTime>
#include <QHash>
#include <QList>
#include <QSet>
#include <QString>
#include <QStringList>

#include <optional>

namespace outbox {

struct Token
{
    QString id; ///< never used twice
    QString attempt; ///< the registered attempt; empty: made by hand, or by nobody we know
    QString incoming; ///< the incoming message that the attempt was about
    std::optional<QDateTime> made; ///< UTC

    bool operator==(const Token &) const = default;
};

/// What a scan of all documents and queues has found.
struct TokenReferences
{
    QHash<QString, QString> entries; ///< token to "document / incoming message"
    /// Incoming messages whose entry is there, with the tokens of its messages; none: their
    /// attempt has not come to its checkpoint.
    QHash<QString, QStringList> unfinished;
    QSet<QString> carried; ///< tokens that a task of a queue has, in any state
    bool isComplete = true; ///< false: a part was not read, so what was not found proves nothing

    bool operator==(const TokenReferences &) const = default;
};

enum class TokenReach {
    Held, ///< an entry names it: its message will be sent
    Carried, ///< a message in a queue carries it
    Attempt, ///< its attempt is registered and undecided
    Losing, ///< its attempt is registered, and another one's tokens are in the entry
    Garbage, ///< nothing refers to it; one scan is no proof
    Unknown, ///< not everything was read
};

[[nodiscard]] QString word(TokenReach reach);
[[nodiscard]] QString label(TokenReach reach);

[[nodiscard]] TokenReach reachOf(const Token &token, const TokenReferences &references);

/// One sentence for people: what refers to it, and what follows from that.
[[nodiscard]] QString reachText(const Token &token, TokenReach reach,
                                const TokenReferences &references);

} // namespace outbox
