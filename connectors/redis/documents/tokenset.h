// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A Redis set of tokens, and a hash beside it with the attempts that made them.
#pragma once

#include "connectors/redis/cluster/clusterlink.h"
#include "connectors/tokenstore.h"

namespace outbox {

/// Lives in one thread, that of its room. A token and its attempt come and go in one transaction.
/// Of a Cluster both keys must lie in one slot for that, so the set's name needs a part in braces:
/// else the store is opened for looking alone. While the slot is being moved a token that was not
/// found there is not called consumed, and a transaction is done whole or not at all.
/// Errors: those of `ClusterLink`; Invalid for a token without a name.
class TokenSet : public TokenStore
{
public:
    /// `keys.prefix` is the set; the hash is that with ":attempts" behind it. Refused with Act
    /// access where a Cluster has these in two slots.
    [[nodiscard]] Result<void> open(const RedisEndpoint &endpoint, RedisConnection::Access access,
                                    const QString &clientName, const DoneKeys &keys);

    [[nodiscard]] Result<QSet<QString>> have(const QStringList &tokens) override;
    [[nodiscard]] Result<void> create(const QList<Token> &tokens) override;
    [[nodiscard]] Result<bool> consume(const QString &token) override;
    [[nodiscard]] StoreDurability trust() const override { return m_trust; }
    /// In the order of a scan: tokens that come or go meanwhile may be missing, or stand twice.
    /// Unreachable where a Cluster has moved the set to another node since the page before.
    [[nodiscard]] Result<QList<Token>> page(QString &cursor, int limit) override;

private:
    /// All of them are about `key`, or about keys of its slot. The first error fails the whole.
    [[nodiscard]] Result<QList<RedisReply>>
    ask(const QByteArray &key, const QList<RedisCommand> &commands, const QString &doing);
    /// What stands before a cursor: of a Cluster the node that has the set.
    [[nodiscard]] Result<QByteArray> placeOfSet();
    /// The replies of the commands in one transaction.
    [[nodiscard]] Result<QList<RedisReply>> together(QList<RedisCommand> commands,
                                                     const QString &doing);

    ClusterLink m_link;
    QByteArray m_set;
    QByteArray m_attempts;
    StoreDurability m_trust;
};

} // namespace outbox
