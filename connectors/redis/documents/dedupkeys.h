// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Redis keys that say which messages are done, each with the time it lasts.
#pragma once

#include "connectors/dedupstore.h"
#include "connectors/redis/cluster/clusterlink.h"

namespace outbox {

/// Lives in one thread, that of its room. A record that has expired was never there: a copy that
/// comes later runs again. Of a Cluster each key is in a slot of its own, and the node is asked
/// that has it; while a slot is being moved a record that was not found there is not called absent.
/// Errors: those of `ClusterLink`.
class DedupKeys : public DedupStore
{
public:
    [[nodiscard]] Result<void> open(const RedisEndpoint &endpoint, RedisConnection::Access access,
                                    const QString &clientName, const DoneKeys &keys);

    [[nodiscard]] Result<QSet<QString>> have(const QStringList &ids) override;
    /// Once more makes the record last longer.
    [[nodiscard]] Result<void> add(const QString &id) override;
    [[nodiscard]] StoreDurability trust() const override { return m_trust; }

private:
    [[nodiscard]] QByteArray key(const QString &id) const { return m_keys.prefix + id.toUtf8(); }

    [[nodiscard]] Result<RedisReply> askFor(const RedisCommand &command, const QString &doing);

    ClusterLink m_link;
    DoneKeys m_keys;
    StoreDurability m_trust;
};

} // namespace outbox
