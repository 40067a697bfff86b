// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/relay/brokenqueues.h"

#include <QSet>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

std::optional<Error> BrokenQueues::judge(const QList<EnqueueRequest> &batch,
                                         const QList<EnqueueAnswer> &answers, Time now)
{
    constexpr int longestRestMs = 60'000;
    constexpr int awayRestMs = 50;
    constexpr int longestAwayRestMs = 1000;
    using Kind = EnqueueAnswer::Kind;
    const auto isWell = [](const EnqueueAnswer &answer) {
        return answer.kind != Kind::QueueBroken && answer.kind != Kind::QueueAway;
    };
    const auto first = std::find_if_not(answers.begin(), answers.end(), isWell);
    if (answers.size() != batch.size() || (m_rests.isEmpty() && first == answers.end()))
        return {};
    QStringList names;
    QSet<QueueName> troubled; // while a slot is moved some calls go through, and others do not
    for (qsizetype i = 0; i < answers.size(); ++i) {
        if (!isWell(answers.at(i)))
            troubled += batch.at(i).queue;
    }
    for (qsizetype i = 0; i < answers.size(); ++i) {
        const QueueName &queue = batch.at(i).queue;
        if (!troubled.contains(queue)) {
            m_rests.remove(queue);
            continue;
        }
        if (isWell(answers.at(i)) || names.contains(queue.text))
            continue;
        names += queue.text;
        Rest &rest = m_rests[queue];
        if (now < rest.until) // the batch was claimed before it was known
            continue;
        const bool isAway = answers.at(i).kind == Kind::QueueAway;
        const int usual = isAway ? awayRestMs : m_restMs;
        const int longest = isAway ? longestAwayRestMs : longestRestMs;
        rest.ms = rest.ms == 0 ? usual : std::min(2 * rest.ms, longest);
        rest.until = now + std::chrono::milliseconds(rest.ms);
    }
    if (names.isEmpty())
        return {};
    const QString doing = u"enqueueing into queue "_s + names.join(u", "_s);
    const auto ofAll = std::find_if(answers.begin(), answers.end(),
                                    [](const EnqueueAnswer &answer) { return answer.isOfAll; });
    if (ofAll != answers.end()) {
        return Error{Error::Kind::Unreachable, doing, ofAll->detail, ofAll->code,
                     u"Every queue needs the node of the Cluster that has the list of all queues."
                     " All rows wait"_s};
    }
    if (first->kind == Kind::QueueAway) {
        return Error{Error::Kind::Unreachable, doing, first->detail, first->code,
                     u"The node of the Cluster that has it cannot take tasks now."
                     " Its rows wait, those of other queues go on"_s};
    }
    return Error{Error::Kind::Constraint, doing, first->detail, first->code,
                 u"A key of the queue holds something else: is it used by another program?"
                 " Its rows wait, those of other queues go on"_s};
}

void BrokenQueues::foundNothing(Time sent)
{
    m_rests.removeIf(
        [sent](const QHash<QueueName, Rest>::iterator &rest) { return rest->until <= sent; });
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
