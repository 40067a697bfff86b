// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/relay/indoubtbatches.h"

#include <QSet>

#include <algorithm>

namespace outbox {

namespace {

RelayStep settledStep(const InDoubtBatch &batch)
{
    RelayStep step = batch.step;
    step.doubt = RelayStep::Doubt::Settled;
    step.error.reset();
    step.parked.clear(); // told when the batch failed
    step.failed.clear();
    step.waiting.clear();
    return step;
}

} // namespace

void InDoubtBatches::add(InDoubtBatch batch)
{
    constexpr qsizetype most = 16; // those of the lanes, and those that nobody could ask about
    if (m_batches.size() < most)
        m_batches += std::move(batch);
}

QList<InDoubtBatch> InDoubtBatches::settle(const Ask &fateOf)
{
    QList<InDoubtBatch> ended;
    for (InDoubtBatch &batch : std::exchange(m_batches, {})) {
        const auto fate = fateOf(batch.ids);
        if (!fate || *fate == OutboxStore::Fate::Held) {
            m_batches += std::move(batch);
            continue;
        }
        batch.step = settledStep(batch);
        batch.step.committed = *fate == OutboxStore::Fate::Gone;
        ended += std::move(batch);
    }
    return ended;
}

QList<RelayStep> InDoubtBatches::comeBack(const QList<MessageId> &ids)
{
    QList<RelayStep> steps;
    const QSet<MessageId> back(ids.cbegin(), ids.cend());
    m_batches.removeIf([&](const InDoubtBatch &batch) {
        const bool isBack = std::any_of(batch.ids.cbegin(), batch.ids.cend(),
                                        [&back](const MessageId &id) { return back.contains(id); });
        if (isBack)
            steps += settledStep(batch);
        return isBack;
    });
    return steps;
}

} // namespace outbox
