// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/system/failureshare.h"

namespace outbox {

namespace {

constexpr qsizetype looksKept
    = 6; // few, so that what was done long before does not hide what fails now
constexpr qint64 fewestAttempts = 10;

} // namespace

void FailureShare::add(const QList<QueueSnapshot> &queues)
{
    Counts total;
    for (const QueueSnapshot &queue : queues) {
        if (!queue.processedTotal || !queue.failedTotal)
            return forget();
        total.attempts += *queue.processedTotal;
        total.failed += *queue.failedTotal;
    }
    // Counters that went back are those of another Redis, or a queue is gone.
    if (!m_totals.isEmpty()
        && (total.attempts < m_totals.last().attempts || total.failed < m_totals.last().failed))
        forget();
    m_totals += total;
    if (m_totals.size() > looksKept)
        m_totals.removeFirst();
}

std::optional<FailureShare::Counts> FailureShare::counts() const
{
    if (m_totals.isEmpty())
        return std::nullopt;
    const Counts seen{m_totals.last().attempts - m_totals.first().attempts,
                      m_totals.last().failed - m_totals.first().failed};
    return seen.attempts < fewestAttempts ? std::nullopt : std::optional(seen);
}

} // namespace outbox
