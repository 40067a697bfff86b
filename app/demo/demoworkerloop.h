// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the demo's worker does with its time: takes tasks, ends them a little later, some of them
// badly.
#pragma once

#include "app/demo/demoworker.h"
#include "connectors/redis/endpoint.h"
#include "models/message/task.h"
#include "models/result.h"

#include <QDateTime>
#include <QMultiMap>
#include <QRandomGenerator>
#include <QString>

namespace outbox {

/// Blocking; lives in its room. Someone calls `step` every few milliseconds.
/// Errors: those of `RedisConnection`.
class DemoWorkerLoop
{
public:
    /// Serves `queue`. A server that stands still is waited for, as long as any freeze of the demo
    /// lasts: giving up would leave what it took meanwhile with nobody.
    [[nodiscard]] Result<void> open(const RedisEndpoint &endpoint, const QString &queue);
    /// Takes what it can carry, ends what is due, and does a server's chores; answers how many
    /// tasks it ended.
    [[nodiscard]] Result<int> step();
    /// Every task of this type fails from now on; empty = none does.
    void setFailing(const QString &type) { m_failing = type; }

private:
    [[nodiscard]] Result<void> chores(const QDateTime &now);
    [[nodiscard]] Result<void> take(const QDateTime &now);
    [[nodiscard]] Result<void> end(const Task &task, const QDateTime &now);
    [[nodiscard]] Result<void> failTask(const Task &task, const QString &why, const QDateTime &now);

    DemoWorker m_worker;
    QueueName m_queue;
    QString m_failing;
    QMultiMap<QDateTime, Task> m_inHand; ///< by when their work is done
    QDateTime m_nextHeartbeat;
    QDateTime m_nextForward;
    QDateTime m_nextExpire;
    QRandomGenerator m_random = QRandomGenerator::securelySeeded();
};

} // namespace outbox
