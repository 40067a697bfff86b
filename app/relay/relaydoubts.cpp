// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A COMMIT whose answer is lost: the database is asked by key what became of it, and the batch
// counts as what it was.
#include "app/relay/relay.h"

#include <algorithm>

namespace outbox {

bool Relay::haveOthersClaimed(const Batch &batch) const
{
    QSet<MessageId> claimed;
    for (const Lane &lane : m_lanes) {
        for (const MessageId &id : lane.committing ? lane.committing->ids : lane.left)
            claimed += id;
    }
    return std::any_of(batch.ids.cbegin(), batch.ids.cend(),
                       [&claimed](const MessageId &id) { return claimed.contains(id); });
}

void Relay::doubt(const Batch &batch)
{
    constexpr qsizetype mostDoubtful = 16; // the lanes' own, and those that nobody could ask about
    if (m_doubtful.size() < mostDoubtful)
        m_doubtful += batch;
}

void Relay::settleDoubts(QList<RelayStep> &ended)
{
    const auto lane = std::find_if(m_lanes.begin(), m_lanes.end(), [](const Lane &one) {
        return !one.claimSent && !one.committing;
    });
    if (m_doubtful.isEmpty() || lane == m_lanes.end())
        return;
    QList<Batch> open;
    for (Batch &batch : std::exchange(m_doubtful, {})) {
        const auto fate = lane->store->fateOf(batch.ids);
        if (!fate || *fate == OutboxStore::Fate::Held) {
            open += std::move(batch);
            continue;
        }
        if (*fate == OutboxStore::Fate::Gone)
            tookLeave(batch);
        ended += settled(batch);
    }
    m_doubtful = std::move(open);
}

void Relay::comeBack(const QList<ClaimedMessage> &rows, QList<RelayStep> &ended)
{
    if (m_doubtful.isEmpty())
        return;
    QSet<MessageId> claimed;
    for (const ClaimedMessage &row : rows)
        claimed += row.id;
    m_doubtful.removeIf([&](const Batch &batch) {
        const bool isBack = std::any_of(batch.ids.cbegin(), batch.ids.cend(),
                                        [&](const MessageId &id) { return claimed.contains(id); });
        if (isBack)
            ended += settled(batch);
        return isBack;
    });
}

RelayStep Relay::settled(const Batch &batch)
{
    RelayStep step = batch.step;
    step.doubt = RelayStep::Doubt::Settled;
    step.error.reset();
    step.parked.clear(); // told when the batch failed
    step.failed.clear();
    return step;
}

void Relay::tookLeave(Batch &batch)
{
    batch.step.committed = true;
    m_tools.queue->committed(batch.queueBatch, static_cast<int>(batch.ids.size()));
    ++m_commits;
    m_lostInSeries = 0;
    m_refusedInSeries = 0;
    m_lateInSeries = 0;
    const bool isOfTrials = !m_trials.isEmpty();
    if (!m_storedUncommitted.isEmpty() || isOfTrials) {
        for (const MessageId &id : std::as_const(batch.ids)) {
            m_storedUncommitted.remove(id);
            m_trials.remove(id);
        }
    }
    if (isOfTrials)
        refreshLeftOut();
    tell(RelayStage::Committed, batch.ids);
}

} // namespace outbox
