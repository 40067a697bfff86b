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

Result<void> RelayPair::open(const RelayTarget &target)
{
    m_relay.reset();
    if (auto opened = m_store.open(target.store); !opened)
        return opened;
    if (auto used = m_store.use(target.shape); !used)
        return used;
    if (!target.notifyChannel.isEmpty()) {
        if (auto listening = m_store.listen(target.notifyChannel); !listening)
            return listening;
    }
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

    m_relay.emplace(m_store, m_forgetful, target.rules);
    return {};
}

Result<void> RelayPair::ensureOpen()
{
    if (auto store = m_store.ensureOpen(); !store)
        return store;
    return m_queue.connection().ensureOpen();
}

RelayBurst RelayPair::work(int rows, qint64 mostRows, int budgetMs, bool draining,
                           const std::stop_token &stop)
{
    RelayBurst burst;
    QElapsedTimer clock;
    clock.start();
    qint64 claimed = 0;
    while (true) {
        if (stop.stop_requested()) {
            burst.end = RelayBurst::End::Stopped;
            return burst;
        }
        if (clock.elapsed() >= budgetMs || claimed >= mostRows) {
            burst.end = RelayBurst::End::BudgetSpent;
            return burst;
        }
        const RelayStep step
            = m_relay->step(static_cast<int>(std::min<qint64>(rows, mostRows - claimed)));
        claimed += step.claimed;
        if (step.error) {
            burst.steps += step;
            burst.end = RelayBurst::End::Failed;
            return burst;
        }
        if (step.claimed == 0)
            break;
        burst.steps += step;
    }
    burst.end = RelayBurst::End::NothingToClaim;
    if (draining) {
        const auto drained = m_relay->isDrained();
        if (!drained) {
            RelayStep step;
            step.at = QDateTime::currentDateTimeUtc();
            step.error = drained.error();
            burst.steps += step;
            burst.end = RelayBurst::End::Failed;
        } else if (*drained) {
            burst.end = RelayBurst::End::Drained;
        }
    }
    return burst;
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
        auto changed = m_store.waitForChange(static_cast<int>(std::min<qint64>(left, sliceMs)));
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
    m_store.close();
}

void RelayPair::interrupt() noexcept
{
    m_store.interrupt();
}

} // namespace outbox
