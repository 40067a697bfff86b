// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What one look at everything `status` speaks of answers: outbox, queue, dedup, Redis, judged.
#pragma once

#include "app/system/sources/queuereading.h"
#include "app/system/sources/target.h"
#include "connectors/redis/endpoint.h"
#include "connectors/sql/driver/storesettings.h"
#include "models/health/health.h"
#include "models/shape/outboxshape.h"
#include "models/system/failureshare.h"
#include "models/system/systemhistory.h"

#include <QDateTime>

#include <optional>

namespace outbox {

/// Each source fails alone; `report` judges what is there.
struct SystemReading
{
    QDateTime at;
    Result<OutboxSnapshot> outbox;
    Result<QueueReading> queue; ///< every one that exists, the profile's first
    HealthReport report;
    std::optional<double> outPerSecond{}; ///< rows that leave; one look alone knows of none

    /// The profile's queue, or its shards as one. Not without `queue`.
    [[nodiscard]] QueueSnapshot ownQueue() const;
};

/// Judges the readings of one system, each beside those before it.
class ReadingJudge
{
public:
    explicit ReadingJudge(const Profile &profile);

    /// The shape of its outbox, as its sessions know it; nullopt: it is not known, or is to be
    /// taken anew.
    void setShape(const std::optional<OutboxShape> &shape) { m_shape = shape; }
    [[nodiscard]] const std::optional<OutboxShape> &shape() const { return m_shape; }
    /// Takes a reading in and fills its report.
    void take(SystemReading &look);
    /// Judges it anew, after its numbers were made exact.
    void judge(SystemReading &look) const;

private:
    void remember(const SystemReading &look);

    Profile m_profile;
    std::optional<OutboxShape> m_shape;
    FailureShare m_attempts; ///< one look alone knows of none
    SystemHistory m_history; ///< what one look alone cannot tell, `watch` can
};

/// How `program` looks at the database of a system.
/// Errors: Unsupported where its profile names none, and those of `storeSettingsOf`.
[[nodiscard]] Result<StoreSettings> databaseSettingsOf(const Target &target,
                                                       const QString &program);

/// Every queue that exists, `Profile::ownQueue` first, with what is kept in that one, and the facts
/// of the Redis. Blocking; the inspector is open.
/// Errors: those of `AsynqInspector`.
[[nodiscard]] Result<QueueReading> readEveryQueue(AsynqInspector &inspector,
                                                  const Profile &profile);

} // namespace outbox
