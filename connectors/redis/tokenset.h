// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A Redis set of tokens, and a hash beside it with the attempts that made them.
#pragma once

#include "connectors/redis/connection.h"
#include "connectors/tokenstore.h"

namespace outbox {

/// Lives in one thread, that of its room. A token and its attempt come and go in one transaction.
/// Errors: those of `RedisConnection`; Invalid for a token without a name.
class TokenSet : public TokenStore
{
public:
    /// `keys.prefix` is the set; the hash is that with ":attempts" behind it.
    [[nodiscard]] Result<void> open(const RedisEndpoint &endpoint, RedisConnection::Access access,
                                    const QString &clientName, const DoneKeys &keys);

    [[nodiscard]] Result<QSet<QString>> have(const QStringList &tokens) override;
    [[nodiscard]] Result<void> create(const QList<Token> &tokens) override;
    [[nodiscard]] Result<bool> consume(const QString &token) override;
    [[nodiscard]] StoreDurability trust() const override { return m_trust; }
    /// In the order of a scan: tokens that come or go meanwhile may be missing, or stand twice.
    [[nodiscard]] Result<QList<Token>> page(QString &cursor, int limit) override;

private:
    [[nodiscard]] Result<QList<RedisReply>> ask(const QList<RedisCommand> &commands,
                                                const QString &doing);
    /// The replies of the commands in one transaction.
    [[nodiscard]] Result<QList<RedisReply>> together(QList<RedisCommand> commands,
                                                     const QString &doing);

    RedisConnection m_connection;
    QByteArray m_set;
    QByteArray m_attempts;
    StoreDurability m_trust;
};

} // namespace outbox
