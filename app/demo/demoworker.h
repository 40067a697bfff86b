// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A stand-in for an asynq worker: what one does to Redis, step by step, for the demo and the tests.
#pragma once

#include "connectors/redis/endpoint.h"
#include "models/message/task.h"
#include "models/result.h"

#include <QDateTime>
#include <QMap>

#include <chrono>
#include <memory>
#include <optional>

namespace outbox {

/// Every method is one synchronous step; there is no loop and no thread inside. Whoever owns it
/// decides the pace: heartbeat, forward each 5 s, expire each 8 s, as asynq does. Lives in one
/// thread.
/// Errors: those of `RedisConnection`.
class DemoWorker
{
public:
    DemoWorker();
    ~DemoWorker();

    /// Connects as a server of `queues` (name → priority) with so many workers.
    [[nodiscard]] Result<void> open(const RedisEndpoint &endpoint, const QMap<QString, int> &queues,
                                    int concurrency = 10,
                                    std::chrono::milliseconds timeout = std::chrono::seconds(3));

    /// The next task of a queue, under a lease of 30 s; nullopt when nothing waits or the queue is
    /// paused. Fails with Protocol when its message cannot be decoded: it stays active then.
    [[nodiscard]] Result<std::optional<Task>> dequeue(const QueueName &queue);
    /// The task went well: kept for its retention, or gone at once without one. `result` is what a
    /// handler writes; nothing is written when it is empty.
    [[nodiscard]] Result<void> complete(const Task &task, const QByteArray &result = {});
    /// The task failed and is to be tried again at `at`.
    [[nodiscard]] Result<void> retryLater(const Task &task, const QString &error,
                                          const QDateTime &at);
    /// The task failed for good.
    [[nodiscard]] Result<void> archive(const Task &task, const QString &error);

    /// Makes scheduled and retry tasks that are due by `now` pending; answers how many.
    [[nodiscard]] Result<qint64> forward(const QDateTime &now);
    /// Forgets completed tasks whose retention is over by `now`; answers how many.
    [[nodiscard]] Result<qint64> expire(const QDateTime &now);
    /// Says that this server lives and what it runs, and extends the leases of that.
    [[nodiscard]] Result<void> heartbeat();
    /// Takes the server's name off the list, as a clean shutdown does.
    [[nodiscard]] Result<void> leave();

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace outbox
