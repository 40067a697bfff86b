// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/relay/relaypair.h"

#include "connectors/asynq/inspector.h"
#include "models/promise.h"

#include <QElapsedTimer>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

Result<QList<EnqueueAnswer>> ForgetfulQueue::enqueue(const QList<EnqueueRequest> &batch)
{
    auto answers = m_queue.enqueue(batch);
    if (!std::exchange(m_forget, false))
        return answers;
    return fail(Error::Kind::Timeout, u"enqueueing %1 rows"_s.arg(batch.size()),
                u"the answer was lost on the way (asked for by the demo)"_s);
}

Result<void> RelayPair::openStores(const RelayTarget &target)
{
    const auto openOne = [&target](OutboxStore &store) {
        auto opened = store.open(target.store);
        return opened ? store.use(target.shape) : opened;
    };
    if (auto opened = openOne(m_lanes.front()); !opened)
        return opened;
    if (!target.notifyChannel.isEmpty()) {
        if (auto listening = m_lanes.front().listen(target.notifyChannel); !listening)
            return listening;
    }
    if (m_lanes.front().mayOverlap()) {
        if (auto opened = openOne(m_lanes.back()); !opened)
            return opened;
    }
    return target.rules.barrier ? openOne(m_barrier) : Result<void>();
}

Result<void> RelayPair::open(const RelayTarget &target)
{
    m_relay.reset();
    m_target = target;
    if (auto opened = openStores(target); !opened)
        return opened;
    if (auto opened = m_queue.open(target.redis, target.clientName); !opened)
        return opened;

    AsynqInspector inspector;
    if (auto opened = inspector.open(target.redis, target.clientName); !opened)
        return opened;
    const auto facts = inspector.facts();
    if (!facts)
        return passOn(facts);
    const QString refusal = whyRelayMustNotStart(*facts);
    if (!refusal.isEmpty() && !target.anyEvictionPolicy)
        return fail(Error::Kind::Refused, u"starting the relay"_s, refusal);

    Relay::Tools tools{{&m_lanes.front()}, &m_barrier, &m_forgetful, &m_parking, target.witness};
    if (m_lanes.back().isOpen())
        tools.lanes += &m_lanes.back();
    m_relay.emplace(std::move(tools), target.rules);
    return {};
}

Result<void> RelayPair::ensureOpen()
{
    for (OutboxStore *store : {&m_lanes.front(), &m_lanes.back(), &m_barrier}) {
        const bool isUsed = store == &m_lanes.front()
            || (store == &m_barrier ? m_target.rules.barrier : m_lanes.front().mayOverlap());
        if (!isUsed)
            continue;
        if (auto open = store->ensureOpen(); !open)
            return open;
    }
    return m_queue.connection().ensureOpen();
}

RelayBurst RelayPair::work(int rows, qint64 mostRows, int budgetMs, bool draining,
                           const std::stop_token &stop)
{
    using End = RelayBurst::End;
    RelayBurst burst;
    QElapsedTimer clock;
    clock.start();
    m_size.setMost(rows);
    qint64 claimed = 0;
    const auto take = [&](const QList<RelayStep> &steps) {
        for (const RelayStep &step : steps) {
            if (step.error)
                burst.end = End::Failed;
            if (step.claimed > 0 || step.error)
                burst.steps += step;
        }
    };
    const auto failed = [&](const Error &error) {
        RelayStep step;
        step.at = QDateTime::currentDateTimeUtc();
        step.error = error;
        take({step});
    };
    std::optional<End> end;
    while (!end) {
        const bool isOver = clock.elapsed() >= budgetMs || claimed >= mostRows;
        if (stop.stop_requested()) {
            end = End::Stopped;
        } else if (isOver && !m_relay->isUnderWay()) {
            end = End::BudgetSpent;
        } else if (const auto full = isQueueFull(); !full || *full) {
            if (!full)
                failed(full.error());
            end = full ? End::QueueFull : End::Failed;
        } else {
            const int most
                = static_cast<int>(std::clamp<qint64>(mostRows - claimed, 1, m_size.next()));
            const QList<RelayStep> steps
                = m_relay->turn(most, isOver || claimed + most >= mostRows);
            take(steps);
            for (const RelayStep &step : steps) {
                claimed += step.claimed;
                if (step.error)
                    end = End::Failed;
                else if (step.claimed == 0)
                    end = End::NothingToClaim;
            }
            m_size.tookOf(most, m_relay->lastClaimed());
        }
    }
    burst.end = *end;
    take(m_relay->settle());
    if (burst.end == End::NothingToClaim && draining) {
        const auto drained = m_relay->isDrained();
        if (!drained)
            failed(drained.error());
        else if (*drained)
            burst.end = End::Drained;
    }
    return burst;
}

Result<bool> RelayPair::isQueueFull()
{
    constexpr int everyMs = 100;
    if (m_target.deepestQueue <= 0
        || (m_sinceBacklog.isValid() && !m_sinceBacklog.hasExpired(everyMs)))
        return false;
    const auto waiting = m_forgetful.backlog(m_target.rules.queue);
    if (!waiting)
        return passOn(waiting);
    if (*waiting >= m_target.deepestQueue)
        return true;
    m_sinceBacklog.start();
    return false;
}

Result<bool> RelayPair::waitForWork(int milliseconds, const std::stop_token &stop)
{
    constexpr int sliceMs = 50;
    QElapsedTimer clock;
    clock.start();
    while (!stop.stop_requested()) {
        const qint64 left = milliseconds - clock.elapsed();
        if (left <= 0)
            return false;
        auto changed
            = m_lanes.front().waitForChange(static_cast<int>(std::min<qint64>(left, sliceMs)));
        if (!changed || *changed)
            return changed;
    }
    return false;
}

void RelayPair::forgetNextAnswer()
{
    m_forgetful.forgetNextAnswer();
}

void RelayPair::close()
{
    m_relay.reset();
    m_queue.close();
    for (OutboxStore *store : {&m_lanes.front(), &m_lanes.back(), &m_barrier})
        store->close();
}

void RelayPair::interrupt() noexcept
{
    for (OutboxStore *store : {&m_lanes.front(), &m_lanes.back(), &m_barrier})
        store->interrupt();
}

} // namespace outbox
