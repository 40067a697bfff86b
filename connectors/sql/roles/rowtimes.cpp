// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a time tells of its row, by what rows have it and when: points for each part it may play.
#include "connectors/sql/names/schemawords.h"
#include "connectors/sql/roles/rowroleassignment.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr double clearlyOlder = 0.25; ///< of the span of all rows

/// A word that has several meanings counts less than rows do.
int forHint(const QStringList &words, TimeHint hint, TimeHint wanted)
{
    constexpr int byUnclearName = 26;
    const bool isClear = saysClearly(words);
    if (hint == wanted)
        return isClear ? byClearName : byUnclearName;
    // "enqueued at" may be empty: then it is what was done with the row
    const bool isOpen
        = hint == TimeHint::None || (hint == TimeHint::Created && wanted == TimeHint::Sent);
    if (hint == TimeHint::Other)
        return isClear ? -40 : -20;
    return isOpen ? 0 : isClear ? -15 : -5;
}

} // namespace

int RowRoleAssignment::duePoints(const ColumnFacts &one) const
{
    if (!one.isTime)
        return 0;
    int points = forHint(one.words, timeHint(one.words), TimeHint::Due);
    points += one.name() == m_byNames.due ? byOldRules : 0;
    if (one.set == 0)
        return points;
    if (isComputed(one))
        return 0;
    const RowMask future = m_facts.future(one);
    if (shareOf(future) > 0.9 && !m_isThin)
        return points - 40; // how long rows are kept
    if (countOf(future) > 0) {
        const auto far = std::count_if(one.at.cbegin(), one.at.cend(),
                                       [this](qint64 at) { return at > m_facts.now() + oneHour; });
        points += far > 0 ? 30 : 0;
        points += m_facts.isOlder(future) ? -20 : 5;
    }
    points += isLikeCreated(one) ? 30 : 0;
    const bool isEnd = !isLikeCreated(one) && m_facts.isOlder(m_facts.setIn(one));
    return isEnd ? points - 40 : points;
}

int RowRoleAssignment::leasePoints(const ColumnFacts &one) const
{
    if (!one.isTime || !one.column->nullable)
        return 0;
    // "expires at" is the end of a lease or of the whole row: what it holds decides.
    const bool isAnyEnd = one.set > 0
        && hasAnyWord(one.words, {u"expires"_s, u"expiry"_s, u"expire"_s, u"expiration"_s});
    const TimeHint hint = timeHint(one.words);
    const auto far = std::count_if(one.at.cbegin(), one.at.cend(),
                                   [this](qint64 at) { return at > m_facts.now() + 6 * oneHour; });
    // "valid to" of a few rows, and soon: nothing is kept for so short a time.
    const bool isSoon = one.set > 0 && one.set * 3 < m_facts.rows() && far == 0
        && countOf(m_facts.future(one)) > 0 && !saysChange(one.words);
    const bool isOpen = hint == TimeHint::Other && (isAnyEnd || isSoon);
    int points = forHint(one.words, isOpen ? TimeHint::None : hint, TimeHint::LeaseEnd);
    points += one.name() == m_byNames.leaseEnd ? byOldRules : 0;
    if (one.set == 0)
        return points;
    points -= far > 0 ? 30 : 0;
    points += countOf(m_facts.future(one)) > 0 && far == 0 ? 40 : 0;
    points += hasHolder(one) ? 15 : 0;
    points -= isLikeCreated(one) ? 30 : 0;
    points += isOfLately(one) && countOf(m_facts.future(one)) == 0 ? 30 : 0; // it has run out
    if (const auto distance = usualDistance(one))
        points += *distance <= oneHour ? 30 : -40;
    return points;
}

int RowRoleAssignment::lockTimePoints(const ColumnFacts &one) const
{
    if (!one.isTime || !one.column->nullable)
        return 0;
    const TimeHint hint = timeHint(one.words);
    if (hint == TimeHint::LockTime && m_onlyEnds.contains(one.place))
        return 0; // nobody holds what is through
    int points = forHint(one.words, hint, TimeHint::LockTime);
    points += one.name() == m_byNames.lockTime ? byOldRules : 0;
    if (one.set == 0)
        return points;
    const RowMask set = m_facts.setIn(one);
    if (countOf(m_facts.future(one)) > 0 || m_facts.olderBy(set) > clearlyOlder)
        return 0;
    const auto recent = std::count_if(one.at.cbegin(), one.at.cend(), [this](qint64 at) {
        return at != noTime && at > m_facts.now() - oneHour;
    });
    const bool isOfNow = recent == one.set && one.set * 2 < m_facts.rows() && !isLikeCreated(one);
    points += isOfNow ? (isLongAfterCreation(one) ? 40 : 27) : 0;
    points -= isOfTried(one) && timeHint(one.words) != TimeHint::LockTime ? 40 : 0;
    points += hasHolder(one) ? 15 : 0;
    return points;
}

int RowRoleAssignment::sentPoints(const ColumnFacts &one) const
{
    if (!one.isTime || !one.startsEmpty())
        return 0;
    const TimeHint hint = timeHint(one.words);
    // "archived at", "taken out at": what only old rows have, and nothing else tells of them.
    const bool isOtherEnd = m_onlyEnds.contains(one.place) && !saysChange(one.words)
        && (hint == TimeHint::Other || hint == TimeHint::LockTime);
    int points = isOtherEnd ? 0 : forHint(one.words, hint, TimeHint::Sent);
    points += one.name() == m_byNames.processedTime ? byOldRules : 0;
    if (one.set == 0)
        return points;
    const RowMask set = m_facts.setIn(one);
    if (countOf(m_facts.future(one)) > 0 || isComputed(one))
        return 0;
    const double share = shareOf(set);
    const RowMask &done = m_done;
    if (isSame(set, done) || m_facts.isOlder(set, m_givenUp))
        points += 30;
    else if (share >= 0.7 || (!m_facts.isOrdered() && share > 0.1))
        points += 26;
    else
        points -= 20;
    points -= isLikeCreated(one) ? 20 : 0;
    const bool isOfOthers = !done.empty() && isWithin(done, set) && !isSame(set, done);
    points -= isOfOthers || bothIn(set, m_openByWord) * 20 > one.set ? 60 : 0;
    points -= isOfMoreThanAMark(one) ? 40 : 0;
    points -= bothIn(set, m_givenUp) * 2 > countOf(m_givenUp) && countOf(m_givenUp) > 0 ? 40 : 0;
    for (const ColumnFacts &other : m_facts.columns()) {
        if (!other.isTime || !other.startsEmpty() || !isFree(other) || other.place == one.place
            || other.set * 2 < one.set || other.set >= one.set || isComputed(other))
            continue; // written at the same moments and at others: the last time of something
        points
            -= isWithin(m_facts.setIn(other), set) && countOf(m_facts.future(other)) == 0 ? 30 : 0;
    }
    return points;
}

int RowRoleAssignment::failedPoints(const ColumnFacts &one) const
{
    if (!one.isTime || !one.startsEmpty())
        return 0;
    int points = forHint(one.words, timeHint(one.words), TimeHint::Failed);
    points += one.name() == m_byNames.failedTime ? byOldRules : 0;
    if (one.set == 0)
        return points;
    const RowMask set = m_facts.setIn(one);
    if (countOf(m_facts.future(one)) > 0 || isComputed(one) || isLikeCreated(one))
        return 0;
    if (isOfLately(one) && timeHint(one.words) != TimeHint::Failed)
        return 0;
    const auto recent = std::count_if(one.at.cbegin(), one.at.cend(), [this](qint64 at) {
        return at != noTime && at > m_facts.now() - oneHour;
    });
    if (recent == one.set && timeHint(one.words) != TimeHint::Failed)
        return 0; // what goes on now
    const bool isOfFew = shareOf(set) <= 0.35 && m_facts.olderBy(set) > -0.35;
    const bool isNamed = timeHint(one.words) != TimeHint::None;
    if (!isOfFew)
        points -= timeHint(one.words) == TimeHint::Failed ? 0 : 30;
    else // where nothing else is known, tries are as likely as failures
        points
            += !isNamed && one.set >= 3 && m_facts.rows() >= 24 && !m_facts.isOlder(set) ? 15 : 10;
    points += countOf(m_givenUp) > 0 && isWithin(set, m_givenUp) ? 25 : 0;
    points -= countOf(m_givenUp) > 0 && bothIn(set, m_givenUp) * 2 <= one.set && !isNamed ? 30 : 0;
    points -= isOfMoreThanAFlag(one) && !isNamed ? 40 : 0;
    points -= isOfTried(one) && timeHint(one.words) != TimeHint::Failed ? 60 : 0;
    // What went wrong is written at each try: in just these rows, it tells of tries.
    const bool isOfWrong
        = m_parts.error && m_parts.error->set > 0 && isWithin(set, m_facts.setIn(*m_parts.error));
    points += isOfWrong && (isNamed || one.set + 2 <= m_parts.error->set) ? 15 : 0;
    for (const ColumnFacts &other : m_facts.columns()) {
        if (other.place == one.place || !isFree(other))
            continue;
        const bool isTime = other.isTime && other.startsEmpty();
        const bool isMark = !isTime && canBeFlag(other);
        const RowMask rows = isTime ? m_facts.setIn(other)
            : isMark                ? m_facts.trueIn(other)
                                    : RowMask();
        const bool isRival = countOf(rows) > one.set && bothIn(set, rows) == 0;
        if (isRival && (isTime ? sentPoints(other) >= 25 : m_facts.isOlder(rows)))
            return points + 15;
    }
    return points;
}

} // namespace outbox
