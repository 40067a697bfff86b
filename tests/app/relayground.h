// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a relay of a test works on: tables in any database, one Redis, and a state folder.
#pragma once

#include "app/relay/relaysession.h"
#include "connectors/redis/connection.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/newlife.h"

#include <QTemporaryDir>
#include <QTest>

namespace outbox {

class RelayGround
{
protected:
    Databases m_databases;
    PrivateRedis m_redis;
    QTemporaryDir m_state;

    [[nodiscard]] RedisEndpoint redis() const
    {
        return RedisEndpoint::fromUrl(m_redis.url()).value();
    }
    /// Into the queue "default".
    [[nodiscard]] RelayTarget relayTarget(const DatabaseUrl &url, const OutboxShape &shape) const
    {
        RelayTarget target;
        target.store = settingsFor(url, StoreAccess::Relay);
        target.shape = shape;
        target.idsNeverReturn = true;
        target.redis = redis();
        target.rules.queue.text = QStringLiteral("default");
        target.clientName = QStringLiteral("relay");
        target.stateFolder = m_state.path();
        return target;
    }
    void command(const RedisCommand &words) const
    {
        RedisConnection connection;
        QVERIFY_RESULT(
            connection.open(redis(), RedisConnection::Access::Act, QStringLiteral("test")));
        QVERIFY_RESULT(connection.command(words, QStringLiteral("preparing")));
    }
    /// No task is left, and no relay remembers that there were some.
    void emptyRedis() const
    {
        command({"FLUSHALL"});
        QVERIFY(forgetLives(m_state.path()));
    }
};

/// `bytesShape` with a column that names the queue of a row.
inline OutboxShape queuesShape()
{
    OutboxShape shape = bytesShape();
    shape.queueColumn = QStringLiteral("queue");
    return shape;
}

} // namespace outbox
