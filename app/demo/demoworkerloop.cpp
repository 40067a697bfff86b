// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/demoworkerloop.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int concurrency = 16;
constexpr std::chrono::seconds shiftPatience(15);
constexpr int shortestWorkMs = 15;
constexpr int longestWorkMs = 120;
constexpr int workerHeartbeatMs = 5'000;
constexpr int forwardMs = 1'000; ///< asynq looks each 5 s; a person who watches waits less
constexpr int expireMs = 8'000;
constexpr int mishapsPerThousand = 15;
constexpr int mostTriesOfTask = 3; ///< a failing type shows dead tasks within seconds
constexpr qint64 retryStepSeconds = 3;

} // namespace

Result<void> DemoWorkerLoop::open(const RedisEndpoint &endpoint, const QString &queue)
{
    m_queue.text = queue;
    m_inHand.clear();
    m_nextHeartbeat = m_nextForward = m_nextExpire = QDateTime::currentDateTimeUtc();
    return m_worker.open(endpoint, {{queue, 1}}, concurrency, shiftPatience);
}

Result<int> DemoWorkerLoop::step()
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    TRY(chores(now));
    int ended = 0;
    while (!m_inHand.isEmpty() && m_inHand.firstKey() <= now) {
        if (auto done = end(m_inHand.first(), now); !done) {
            // What never arrived is tried again; what Redis refuses is not ours any more.
            if (done.error().kind != Error::Kind::Unreachable
                && done.error().kind != Error::Kind::Timeout)
                m_inHand.erase(m_inHand.cbegin());
            return passOn(done);
        }
        m_inHand.erase(m_inHand.cbegin());
        ++ended;
    }
    TRY(take(now));
    return ended;
}

Result<void> DemoWorkerLoop::chores(const QDateTime &now)
{
    if (now >= m_nextHeartbeat) {
        TRY(m_worker.heartbeat());
        m_nextHeartbeat = now.addMSecs(workerHeartbeatMs);
    }
    if (now >= m_nextForward) {
        TRY(m_worker.forward(now));
        m_nextForward = now.addMSecs(forwardMs);
    }
    if (now >= m_nextExpire) {
        TRY(m_worker.expire(now));
        m_nextExpire = now.addMSecs(expireMs);
    }
    return {};
}

Result<void> DemoWorkerLoop::take(const QDateTime &now)
{
    while (m_inHand.size() < concurrency) {
        const auto task = TRY(m_worker.dequeue(m_queue));
        if (!task)
            return {};
        const int workMs = m_random.bounded(shortestWorkMs, longestWorkMs);
        m_inHand.insert(now.addMSecs(workMs), *task);
    }
    return {};
}

Result<void> DemoWorkerLoop::end(const Task &task, const QDateTime &now)
{
    if (task.type == m_failing)
        return failTask(task, u"550 5.1.1 recipient refused by mx.example.org"_s, now);
    if (m_random.bounded(1000) < mishapsPerThousand && task.retried == 0)
        return failTask(task, u"dial tcp 192.0.2.17:443: i/o timeout"_s, now);
    return m_worker.complete(task, task.type == "webhook:call"_L1 ? "{\"status\":204}" : "");
}

Result<void> DemoWorkerLoop::failTask(const Task &task, const QString &why, const QDateTime &now)
{
    if (task.retried + 1 >= std::min(mostTriesOfTask, task.maxRetry))
        return m_worker.archive(task, why);
    return m_worker.retryLater(task, why, now.addSecs(retryStepSeconds * (task.retried + 1)));
}

} // namespace outbox
