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

void Relay::settleDoubts(QList<RelayStep> &ended)
{
    const auto lane = std::find_if(m_lanes.begin(), m_lanes.end(), [](const Lane &one) {
        return !one.claimSent && !one.committing;
    });
    if (m_inDoubt.isEmpty() || lane == m_lanes.end())
        return;
    ended += m_inDoubt.settle(
        [lane](const QList<MessageId> &ids) { return lane->store->fateOf(ids); },
        [this](InDoubtBatch &batch) {
            batch.step.committed = true;
            tookLeave(batch.ids, batch.queueBatch);
        });
}

void Relay::comeBack(const QList<ClaimedMessage> &rows, QList<RelayStep> &ended)
{
    if (m_inDoubt.isEmpty())
        return;
    QList<MessageId> claimed;
    for (const ClaimedMessage &row : rows)
        claimed += row.id;
    ended += m_inDoubt.comeBack(claimed);
}

void Relay::tookLeave(const QList<MessageId> &ids, qint64 queueBatch)
{
    m_tools.queue->committed(queueBatch, static_cast<int>(ids.size()));
    m_trials.committed(ids);
    if (!m_storedUncommitted.isEmpty()) {
        for (const MessageId &id : ids)
            m_storedUncommitted.remove(id);
    }
    tell(RelayStage::Committed, ids);
}

} // namespace outbox
