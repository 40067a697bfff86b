// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/relay/checkedtaskqueue.h"

namespace outbox {

Result<QList<EnqueueAnswer>> CheckedTaskQueue::enqueue(const QList<EnqueueRequest> &batch)
{
    if (const auto checked = m_before(); !checked)
        return passOn(checked);
    m_queues.clear();
    for (const EnqueueRequest &request : batch)
        m_queues += request.queue;
    auto answers = m_queue.enqueue(batch);
    if (!answers)
        return answers;
    if (const auto same = m_behind(); !same)
        return passOn(same);
    return answers;
}

} // namespace outbox
