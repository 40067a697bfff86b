// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/answerdroppingqueue.h"

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

void AnswerDroppingQueue::setQueue(TaskQueue &queue)
{
    m_queue = &queue;
    m_isDropping = false;
    m_cutOff = {};
}

Result<QList<EnqueueAnswer>> AnswerDroppingQueue::enqueue(const QList<EnqueueRequest> &batch)
{
    auto answers = m_queue->enqueue(batch);
    if (!answers)
        return answers;
    const QString doing = u"enqueueing %1 rows"_s.arg(batch.size());
    if (m_cutOff) {
        std::exchange(m_cutOff, {})(Error{Error::Kind::Cancelled,
                                          u"delivering a batch"_s,
                                          u"it was killed in mid-batch (asked for by the demo)"_s,
                                          {},
                                          u"Start it again"_s});
        return fail(Error::Kind::Unreachable, doing,
                    u"the relay was killed (asked for by the demo)"_s);
    }
    if (std::exchange(m_isDropping, false))
        return fail(Error::Kind::Timeout, doing,
                    u"the answer was lost on the way (asked for by the demo)"_s);
    return answers;
}

} // namespace outbox
