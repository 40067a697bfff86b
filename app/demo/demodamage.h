// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the demo does to its own database and Redis behind everybody's back, and how it is undone.
#pragma once

#include "app/demo/demomessages.h"
#include "connectors/asynq/asynqqueue.h"
#include "connectors/redis/endpoint.h"
#include "connectors/sql/outbox/outboxstore.h"
#include "connectors/sql/session/databasesession.h"
#include "models/result.h"
#include "models/shape/outboxshape.h"

namespace outbox {

/// Blocking; lives in its room, and connects when something is done. `id` is that of a Breakage.
/// Errors: those of the demo's servers.
class DemoDamage
{
public:
    void setPlace(const StoreSettings &store, const OutboxShape &shape, const RedisEndpoint &redis);
    /// Whether this is the one who does it.
    [[nodiscard]] static bool knows(const QString &id);
    [[nodiscard]] Result<void> make(const QString &id);
    /// False once somebody has put it right.
    [[nodiscard]] Result<bool> isThere(const QString &id);
    /// Takes it back, whatever is left of it.
    [[nodiscard]] Result<void> undo(const QString &id);

private:
    [[nodiscard]] Result<void> connectAll();
    [[nodiscard]] Result<SqlRows> query(const QString &text, const QStringList &values);
    [[nodiscard]] QString mark(int number) const; ///< a placeholder; the first one is the key's
    [[nodiscard]] Result<void> insert(const QString &key, const QString &type);
    [[nodiscard]] Result<bool> isRowOpen(const QString &key);
    [[nodiscard]] QByteArray taskOf(const QString &key) const;
    [[nodiscard]] Result<void> send(const QList<RedisCommand> &commands);
    [[nodiscard]] Result<qint64> number(const RedisCommand &command);

    [[nodiscard]] Result<void> writePoison();
    [[nodiscard]] Result<void> damageTask();
    [[nodiscard]] Result<void> takeId();
    [[nodiscard]] Result<void> fillArchive();
    [[nodiscard]] Result<void> holdRows();

    OutboxShape m_shape;
    RedisEndpoint m_endpoint;
    QueueName m_queue{QStringLiteral("default")};
    UuidSource m_ids;
    DatabaseSession m_session;
    DatabaseSession m_holding; ///< in a transaction
    AsynqQueue m_tasks;
    QString m_poison; ///< keys of the rows that were written for it
    QString m_damaged;
    QString m_taken;
    QByteArray m_archive; ///< prefix of the ids that were put there last
};

} // namespace outbox
