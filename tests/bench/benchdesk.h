// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The two servers of a measurement, durable as they are by default, and fresh rows for each leg.
#pragma once

#include "app/demo/privateserver.h"
#include "connectors/redis/connection.h"
#include "connectors/sql/outbox/outboxstore.h"
#include "tests/bench/processload.h"
#include "tests/support/plainpostgres.h"

namespace outbox {

enum class KeyOrder { ByTime, Random };
/// How the servers are spoken to: by sockets of this machine, or by TCP as over a network.
enum class BenchLine { Socket, Tcp };

class BenchDesk
{
public:
    /// Starts both servers and makes `rows` rows of each kind to copy from.
    [[nodiscard]] Result<void> start(qint64 rows, BenchLine line = BenchLine::Socket);
    /// An outbox with all rows inserted anew, an empty Redis.
    [[nodiscard]] Result<void> lay(KeyOrder order);
    /// The same with no rows.
    [[nodiscard]] Result<void> layEmpty();
    /// Makes the table `outbox_fence`, which the next outbox does without.
    [[nodiscard]] Result<void> layFence();
    /// Fails unless `outbox_fence` has lines.
    [[nodiscard]] Result<void> expectFenced();
    /// The same with `rows` rows made on the spot, for an outbox that is laid once.
    [[nodiscard]] Result<void> fill(KeyOrder order, qint64 rows);
    /// Fails unless just `gone` rows have left the outbox.
    [[nodiscard]] Result<void> expectGone(qint64 gone);
    /// Fails unless just `waiting` tasks wait.
    [[nodiscard]] Result<void> expectWaiting(qint64 waiting);
    [[nodiscard]] CpuSpent cpu() const;

    [[nodiscard]] const PrivatePostgres &postgres() const { return m_postgres; }
    [[nodiscard]] QString databaseUrl() const;
    [[nodiscard]] RedisEndpoint redis() const;
    [[nodiscard]] StoreSettings settings(StoreAccess access) const;
    [[nodiscard]] qint64 rows() const { return m_rows; }
    /// Of relays; what they remember of a Redis goes when it is emptied.
    [[nodiscard]] QString stateFolder() const { return m_state.path(); }

    /// SQL for a key of this order; where keys go by time, of the row that was number `n`.
    [[nodiscard]] static QByteArray keySql(KeyOrder order);

private:
    [[nodiscard]] Result<void> settle();

    PrivatePostgres m_postgres;
    PrivateRedis m_redis;
    QTemporaryDir m_state;
    PlainPostgres m_hand;
    RedisConnection m_redisHand;
    qint64 m_rows = 0;
    BenchLine m_line = BenchLine::Socket;
};

} // namespace outbox
