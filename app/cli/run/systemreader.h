// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One look at everything `status` speaks of: outbox, queue, dedup, Redis, judged.
#pragma once

#include "app/system/fleet/systemreading.h"
#include "app/system/sources/outboxsource.h"
#include "connectors/room.h"
#include "models/shape/outboxshape.h"

#include <QElapsedTimer>
#include <QJsonObject>

#include <memory>
#include <optional>

namespace outbox {

/// Keeps both connections between looks. A profile without a Redis URL is looked at without a
/// queue.
/// Errors: those of the store and of the inspector; Unsupported for a part that the profile does
/// not name.
class SystemReader
{
public:
    explicit SystemReader(const Target &target);

    /// Opens what is not open and looks once. The shape that was recognized is told by `shape()`.
    [[nodiscard]] SystemReading look(Arrivals arrivals = Arrivals::NotAsked);
    /// Judges it anew, after its numbers were made exact.
    void judge(SystemReading &look) const { m_judge.judge(look); }
    [[nodiscard]] const std::optional<OutboxShape> &shape() const { return m_judge.shape(); }
    /// Opens the database and takes the shape; for the commands that speak of rows only.
    [[nodiscard]] Result<OutboxShape> openDatabase();
    [[nodiscard]] Result<void> openQueue();
    [[nodiscard]] Room<OutboxSource> &database() { return m_database; }
    [[nodiscard]] Room<AsynqInspector> &queue() { return m_queue; }

private:
    Target m_target;
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
