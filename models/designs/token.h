// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The right to execute one outgoing message once, and the attempt that made it.
#pragma once

#include <QDateTime>
#include <QList>
#include <QString>

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

struct TokenPage
{
    QList<Token> tokens;
    QString next;

    bool operator==(const TokenPage &) const = default;
};

} // namespace outbox
