// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One look at everything `status` speaks of: outbox, queue, dedup, Redis, judged.
#pragma once

#include "app/system/sources/outboxsource.h"
#include "app/system/sources/queuereading.h"
#include "app/system/sources/target.h"
#include "connectors/room.h"
#include "connectors/sql/driver/storesettings.h"
#include "models/health/health.h"
#include "models/shape/outboxshape.h"
#include "models/system/systemhistory.h"

#include <QElapsedTimer>
#include <QJsonObject>

#include <memory>
#include <optional>

namespace outbox {

/// Each source fails alone; `report` judges what is there.
struct SystemReading
{
    QDateTime at;
    Result<OutboxSnapshot> outbox;
    Result<QueueReading> queue; ///< every one that exists, the profile's first
    HealthReport report;
};

/// Judges the readings of one system, each beside those before it.
class ReadingJudge
{
public:
    explicit ReadingJudge(const Profile &profile);

    /// Takes a reading in and fills its report. `shape` is that of its outbox, where it is known.
    void take(SystemReading &look, const std::optional<OutboxShape> &shape);
    /// Judges it anew, after its numbers were made exact.
    void judge(SystemReading &look, const std::optional<OutboxShape> &shape) const;

private:
    void remember(const SystemReading &look);

    Profile m_profile;
    FailureShare m_attempts; ///< one look alone knows of none
    SystemHistory m_history; ///< what one look alone cannot tell, `watch` can
};

/// How the database of a system is looked at.
/// Errors: Unsupported where its profile names none, and those of `storeSettingsOf`.
[[nodiscard]] Result<StoreSettings> databaseSettingsOf(const Target &target);

/// Where the queue of a system is.
/// Errors: Invalid where its profile names no Redis, and those of `redisOf`.
[[nodiscard]] Result<RedisEndpoint> queueEndpointOf(const Target &target);

/// Every queue that exists, `own` first, with what is kept in that one, and the facts of the Redis.
/// Blocking; the inspector is open.
/// Errors: those of `AsynqInspector`.
[[nodiscard]] Result<QueueReading> readEveryQueue(AsynqInspector &inspector, const QueueName &own);

/// Keeps both connections between looks. A profile without a Redis URL is looked at without a
/// queue.
/// Errors: those of the store and of the inspector; Unsupported for a part that the profile does
/// not name.
class SystemReader
{
public:
    explicit SystemReader(const Target &target);

    /// Opens what is not open and looks once. The shape that was recognized is told by `shape()`.
    [[nodiscard]] SystemReading look();
    /// Judges it anew, after its numbers were made exact.
    void judge(SystemReading &look) const { m_judge.judge(look, m_shape); }
    [[nodiscard]] const std::optional<OutboxShape> &shape() const { return m_shape; }
    /// Opens the database and takes the shape; for the commands that speak of rows only.
    [[nodiscard]] Result<OutboxShape> openDatabase();
    [[nodiscard]] Result<void> openQueue();
    [[nodiscard]] Room<OutboxSource> &database() { return m_database; }
    [[nodiscard]] Room<AsynqInspector> &queue() { return m_queue; }

private:
    Target m_target;
    std::optional<OutboxShape> m_shape;
    ReadingJudge m_judge;
    Room<OutboxSource> m_database;
    Room<AsynqInspector> m_queue;
};

/// One queue, as `status --json` and `queues --json` tell it.
[[nodiscard]] QJsonObject queueJson(const QueueSnapshot &queue);
/// The object of `status --json` (cli.md).
[[nodiscard]] QJsonObject toJson(const SystemReading &look);
/// The same for people, a few lines.
[[nodiscard]] QString toText(const SystemReading &look);

} // namespace outbox
