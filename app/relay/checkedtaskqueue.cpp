// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/relay/checkedtaskqueue.h"

namespace outbox {

Result<QList<EnqueueAnswer>> CheckedTaskQueue::enqueue(const QList<EnqueueRequest> &batch)
{
    TRY(m_before());
    m_queues.clear();
    for (const EnqueueRequest &request : batch)
        m_queues += request.queue;
    auto answers = m_queue.enqueue(batch);
    if (!answers)
        return answers;
    TRY(m_behind());
    return answers;
}

} // namespace outbox
