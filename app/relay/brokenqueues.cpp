// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/relay/brokenqueues.h"

#include <QMap>
#include <QSet>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Rows that wait for a queue are met so soon when it has rested.
constexpr auto metWithin = std::chrono::seconds(5);

bool takesRows(const EnqueueAnswer &answer)
{
    return answer.kind != EnqueueAnswer::Kind::QueueBroken
        && answer.kind != EnqueueAnswer::Kind::QueueAway;
}

QString enqueueingInto(const QStringList &queues)
{
    return u"enqueueing into queue "_s + queues.join(u", "_s);
}

Error errorOfBroken(const QStringList &queues, const EnqueueAnswer &why)
{
    return {Error::Kind::Constraint, enqueueingInto(queues), why.detail, why.code,
            u"A key of the queue holds something else: is it used by another program?"
            " Its rows wait, those of other queues go on"_s};
}

Error errorOfAway(const QStringList &queues, const EnqueueAnswer &why)
{
    const QString text = why.node.isEmpty() ? why.detail : u"%1: %2"_s.arg(why.node, why.detail);
    const QString hint = why.isOfAll
        ? u"Every queue needs the node of the Cluster that has the list of all queues."
          " All rows wait"_s
        : u"The node of the Cluster that has it cannot take tasks now."
          " Its rows wait, those of other queues go on"_s;
    return {Error::Kind::Unreachable, enqueueingInto(queues), text, why.code, hint};
}

/// The queues of one node that are away.
struct AwayQueues
{
    QStringList names;
    int rows = 0;
    EnqueueAnswer why; ///< the first one, or one that concerns all queues
};

} // namespace

QueueTrouble BrokenQueues::judge(const QList<EnqueueRequest> &batch,
                                 const QList<EnqueueAnswer> &answers, Time now,
                                 std::chrono::milliseconds took)
{
    const bool areAllTaken = std::all_of(answers.cbegin(), answers.cend(), takesRows);
    if (answers.size() != batch.size() || (m_rests.isEmpty() && areAllTaken))
        return {};
    QSet<QueueName> troubled; // while a slot is moved some calls go through, and others do not
    for (qsizetype i = 0; i < answers.size(); ++i) {
        if (!takesRows(answers.at(i)))
            troubled += batch.at(i).queue;
    }
    // Queues that are tried one after the other, each for long, leave time for those that are well.
    qint64 tries = 1;
    for (auto rest = m_rests.cbegin(); rest != m_rests.cend(); ++rest) {
        if (rest->isAway && now < rest->until + metWithin && !troubled.contains(rest.key()))
            ++tries;
    }
    const std::chrono::milliseconds least = 2 * tries * took;
    QStringList broken;
    std::optional<EnqueueAnswer> whyBroken;
    QMap<QString, AwayQueues> away; // by node
    QSet<QueueName> rested;
    for (qsizetype i = 0; i < answers.size(); ++i) {
        const QueueName &queue = batch.at(i).queue;
        const EnqueueAnswer &answer = answers.at(i);
        if (!troubled.contains(queue)) {
            m_rests.remove(queue);
            continue;
        }
        if (takesRows(answer))
            continue;
        const bool isAway = answer.kind == EnqueueAnswer::Kind::QueueAway;
        if (isAway) {
            AwayQueues &there = away[answer.node];
            if (there.rows++ == 0 || (answer.isOfAll && !there.why.isOfAll))
                there.why = answer;
            if (!there.names.contains(queue.text))
                there.names += queue.text;
        } else if (!broken.contains(queue.text)) {
            broken += queue.text;
            whyBroken = whyBroken.value_or(answer);
        }
        if (rested.contains(queue))
            continue;
        rested += queue;
        putToRest(queue, isAway, now, least);
    }
    QueueTrouble trouble;
    if (whyBroken)
        trouble.broken = errorOfBroken(broken, *whyBroken);
    for (auto there = away.cbegin(); there != away.cend(); ++there)
        trouble.away
            += WaitingRows{there.key(), there->rows, errorOfAway(there->names, there->why)};
    return trouble;
}

void BrokenQueues::putToRest(const QueueName &queue, bool isAway, Time now,
                             std::chrono::milliseconds least)
{
    constexpr int longestRestMs = 60'000;
    constexpr int awayRestMs = 50;
    constexpr int longestAwayRestMs = 1000;
    Rest &rest = m_rests[queue];
    if (now < rest.until) // the batch was claimed before it was known
        return;
    const int usual = isAway ? awayRestMs : m_restMs;
    const int longest = isAway ? longestAwayRestMs : longestRestMs;
    rest.ms = rest.ms == 0 ? usual : std::min(2 * rest.ms, longest);
    std::chrono::milliseconds length(rest.ms);
    if (isAway)
        length = std::max(length, std::min(least, std::chrono::milliseconds(longestRestMs)));
    rest.until = now + length;
    rest.isAway = isAway;
}

bool BrokenQueues::isAnyAway() const
{
    return std::any_of(m_rests.cbegin(), m_rests.cend(),
                       [](const Rest &rest) { return rest.isAway; });
}

bool BrokenQueues::isAnyDue(Time now) const
{
    return std::any_of(m_rests.cbegin(), m_rests.cend(), [now](const Rest &rest) {
        return rest.isAway && now >= rest.until && now < rest.until + metWithin;
    });
}

std::optional<qint64> BrokenQueues::leftMs(Time before, Time now) const
{
    std::optional<Time> first;
    for (const Rest &rest : m_rests) {
        if (rest.isAway && rest.until > before)
            first = std::min(first.value_or(rest.until), rest.until);
    }
    if (!first)
        return {};
    using std::chrono::ceil, std::chrono::milliseconds;
    return std::max<qint64>(0, ceil<milliseconds>(*first - now).count());
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

bool BrokenQueues::letWait(const QueueName &queue, const MessageId &row, Time now)
{
    const auto rest = m_rests.find(queue);
    if (rest == m_rests.end() || now >= rest->until)
        return false;
    if (countWaiting(now) < mostRows)
        rest->rows += row;
    return true;
}

qsizetype BrokenQueues::countWaiting(Time now) const
{
    qsizetype rows = 0;
    for (const Rest &rest : m_rests)
        rows += now < rest.until ? rest.rows.size() : 0;
    return rows;
}

QList<MessageId> BrokenQueues::rowsLeftOut(Time now) const
{
    QList<MessageId> rows;
    for (const Rest &rest : m_rests) {
        if (now < rest.until)
            rows += rest.rows.values();
    }
    return rows;
}

std::optional<Error> BrokenQueues::tooManyRows(Time now) const
{
    const qsizetype rows = countWaiting(now);
    if (rows < mostRows)
        return {};
    QStringList names;
    for (auto rest = m_rests.cbegin(); rest != m_rests.cend(); ++rest) {
        if (now < rest->until && !rest->rows.isEmpty())
            names += rest.key().text;
    }
    names.sort();
    return Error{Error::Kind::Unreachable,
                 u"claiming rows"_s,
                 u"%1 rows wait for queue %2"_s.arg(QString::number(rows), names.join(u", "_s)),
                 {},
                 u"No more are left out: the others wait until some of these can go"_s};
}

} // namespace outbox
