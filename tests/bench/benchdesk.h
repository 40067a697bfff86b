// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The two servers of a measurement, durable as they are by default, and fresh rows for each leg.
#pragma once

#include "app/demo/privateserver.h"
#include "connectors/redis/connection.h"
#include "connectors/sql/outboxstore.h"

#include <libpq-fe.h>

#include <memory>

namespace outbox {

struct FreeResult
{
    void operator()(PGresult *result) const { PQclear(result); }
};
using PgResult = std::unique_ptr<PGresult, FreeResult>;

/// A bare libpq session, with nothing of ours between.
class PlainPostgres
{
public:
    [[nodiscard]] Result<void> open(const PrivatePostgres &server);
    /// One statement or several; the result of the last one.
    [[nodiscard]] Result<PgResult> run(const QByteArray &sql);
    [[nodiscard]] Result<void> prepare(const char *name, const QByteArray &sql);
    /// With one number as parameter; binary results.
    [[nodiscard]] Result<PgResult> runPrepared(const char *name, qint64 number);
    [[nodiscard]] Result<qint64> number(const QByteArray &sql);

private:
    struct Finish
    {
        void operator()(PGconn *connection) const { PQfinish(connection); }
    };
    [[nodiscard]] Result<PgResult> checked(PGresult *raw, const QByteArray &what) const;

    std::unique_ptr<PGconn, Finish> m_connection;
};

enum class KeyOrder { ByTime, Random };

/// CPU in seconds.
struct CpuSpent
{
    double postgres = 0;
    double redis = 0;
    double ours = 0;
};

class BenchDesk
{
public:
    /// Starts both servers and makes `rows` rows of each kind to copy from.
    [[nodiscard]] Result<void> start(qint64 rows);
    /// An outbox with all rows inserted anew, an empty Redis.
    [[nodiscard]] Result<void> lay(KeyOrder order);
    /// The same with no rows.
    [[nodiscard]] Result<void> layEmpty();
    /// Fails unless just `gone` rows have left the outbox.
    [[nodiscard]] Result<void> expectGone(qint64 gone);
    /// Fails unless just `waiting` tasks wait.
    [[nodiscard]] Result<void> expectWaiting(qint64 waiting);
    [[nodiscard]] CpuSpent cpu() const;

    [[nodiscard]] const PrivatePostgres &postgres() const { return m_postgres; }
    [[nodiscard]] RedisEndpoint redis() const { return *RedisEndpoint::fromUrl(m_redis.url()); }
    [[nodiscard]] StoreSettings settings(StoreAccess access) const;
    [[nodiscard]] qint64 rows() const { return m_rows; }

private:
    PrivatePostgres m_postgres;
    PrivateRedis m_redis;
    PlainPostgres m_hand;
    RedisConnection m_redisHand;
    qint64 m_rows = 0;
};

} // namespace outbox
