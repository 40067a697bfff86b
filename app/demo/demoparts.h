// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a Demo is made of; for its own sources alone.
#pragma once

#include "app/demo/demo.h"
#include "app/demo/demodamage.h"
#include "app/demo/demoshop.h"
#include "app/demo/demoworkerloop.h"
#include "app/demo/privateserver.h"
#include "connectors/room.h"

#include <QSet>
#include <QTimer>

namespace outbox {

namespace demoparts {

/// What an enqueue was answered must survive a killed Redis.
inline QStringList redisOptions()
{
    return {QStringLiteral("--appendonly"), QStringLiteral("yes"),
            QStringLiteral("--maxmemory-policy"), QStringLiteral("noeviction")};
}

} // namespace demoparts

/// Errors: Unsupported for a server that is not installed, Unreachable for one that does not
/// start.
struct Demo::Private
{
    explicit Private(Demo *demo) : q(demo) { }

    Demo *q;
    Kind kind = Kind::Sqlite;
    DemoDesign design = DemoDesign::RedisRelay;
    PrivateRedis redis;
    PrivatePostgres postgres;
    StoreSettings store;
    RedisEndpoint endpoint;
    std::unique_ptr<Room<DemoShopRoom>> writer; ///< after the servers: rooms close before they end
    std::unique_ptr<Room<DemoWorkerLoop>> worker;
    std::unique_ptr<Room<DemoDamage>> damage; ///< where messages are rows
    QTimer writeTimer;
    QTimer workTimer;
    QTimer settleTimer; ///< documents alone
    QTimer damageTimer; ///< asks whether somebody has put right what was damaged
    QTimer redisTimer; ///< brings Redis back from the dead or from the ice
    bool redisComesUp = false; ///< it was started again and has not answered yet
    QSet<QString> broken;
    qint64 written = 0;
    qint64 workedOff = 0;
    int burstLeft = 0;

    [[nodiscard]] Result<void> startDatabase();
    [[nodiscard]] Result<void> openShop();
    void writeSome();
    void workSome();
    void settleSome();
    void setBroken(const QString &id, bool isBroken);
    void bringRedisBack();
    void setFailing(const QString &type);
    void damageSomething(const QString &id);
    void undoDamage(const QString &id);
    void lookAfterDamage();
};

} // namespace outbox
