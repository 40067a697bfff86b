// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/relay/brokenqueues.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

std::optional<Error> BrokenQueues::judge(const QList<EnqueueRequest> &batch,
                                         const QList<EnqueueAnswer> &answers, Time now)
{
    constexpr int longestRestMs = 60'000;
    const auto isBroken = [](const EnqueueAnswer &answer) {
        return answer.kind == EnqueueAnswer::Kind::QueueBroken;
    };
    const auto first = std::find_if(answers.begin(), answers.end(), isBroken);
    if (answers.size() != batch.size() || (m_rests.isEmpty() && first == answers.end()))
        return {};
    QStringList names;
    for (qsizetype i = 0; i < answers.size(); ++i) {
        const QueueName &queue = batch.at(i).queue;
        if (!isBroken(answers.at(i))) {
            m_rests.remove(queue);
            continue;
        }
        Rest &rest = m_rests[queue];
        if (names.contains(queue.text))
            continue;
        names += queue.text;
        if (now < rest.until) // the batch was claimed before it was known
            continue;
        rest.ms = rest.ms == 0 ? m_restMs : std::min(2 * rest.ms, longestRestMs);
        rest.until = now + std::chrono::milliseconds(rest.ms);
    }
    if (names.isEmpty())
        return {};
    return Error{Error::Kind::Constraint, u"enqueueing into queue "_s + names.join(u", "_s),
                 first->detail, first->code,
                 u"A key of the queue holds something else: is it used by another program?"
                 " Its rows wait, those of other queues go on"_s};
}

QStringList BrokenQueues::leftOut(Time now) const
{
    QStringList texts;
    for (auto rest = m_rests.cbegin(); rest != m_rests.cend(); ++rest) {
        if (now >= rest->until)
            continue;
        texts += rest.key().text;
        if (rest.key() == m_usual)
            texts += QString();
    }
    return texts;
}

} // namespace outbox
