// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A Lua script of ours and the two ways to run it: by its hash, or whole when Redis forgot it.
#pragma once

#include "connectors/redis/connection.h"

#include <QByteArray>

namespace outbox {

/// Errors: those of `RedisConnection`; an error reply by its word.
class RedisScript
{
public:
    explicit RedisScript(QByteArray text);

    [[nodiscard]] const QByteArray &text() const { return m_text; }
    [[nodiscard]] const QByteArray &sha() const { return m_sha; }

    /// EVALSHA, and on NOSCRIPT (restart, failover, SCRIPT FLUSH) EVAL. An error reply becomes an
    /// Error with `doing` = `what`.
    [[nodiscard]] Result<RedisReply> run(RedisConnection &connection, const QByteArrayList &keys,
                                         const QByteArrayList &arguments,
                                         const QString &what) const;
    /// Makes Redis remember the script.
    [[nodiscard]] Result<void> load(RedisConnection &connection) const;

private:
    QByteArray m_text;
    QByteArray m_sha; ///< lower-case hex
};

} // namespace outbox
