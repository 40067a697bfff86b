// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the designs ask of a store of tokens: one for each outgoing message, until it is consumed.
#pragma once

#include "models/designs/donestore.h"
#include "models/designs/token.h"
#include "models/result.h"

#include <QSet>
#include <QString>
#include <QStringList>

#include <optional>

namespace outbox {

/// Absence means done. As with a DedupStore, a read after a read must not be stale. Lives in one
/// thread, that of its room.
/// Errors: those of its database or of Redis; after Timeout, Unreachable or Protocol a write may
/// have happened.
class TokenStore
{
public:
    virtual ~TokenStore() = default;

    /// Those of `tokens` that are in the store.
    [[nodiscard]] virtual Result<QSet<QString>> have(const QStringList &tokens) = 0;
    /// Puts tokens in, each with the attempt it was made by; all of them or, in doubt, some.
    [[nodiscard]] virtual Result<void> create(const QList<Token> &tokens) = 0;
    /// True where it was there: whoever hears true has consumed the message.
    [[nodiscard]] virtual Result<bool> consume(const QString &token) = 0;
    /// As found when it was opened.
    [[nodiscard]] virtual StoreDurability trust() const = 0;
    /// Tokens in the order of the store. `cursor` is empty at first, and again after the last page;
    /// an error leaves it as it was.
    [[nodiscard]] virtual Result<QList<Token>> page(QString &cursor, int limit) = 0;
};

} // namespace outbox
