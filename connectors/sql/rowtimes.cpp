// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a time tells of its row, by what rows have it and when: points for each part it may play.
#include "connectors/sql/rowcasting.h"
#include "connectors/sql/schemawords.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr double clearlyOlder = 0.25; ///< of the span of all rows
constexpr qsizetype enoughForEnds = 12; ///< rows
constexpr qint64 oneHour = 3'600'000;

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

/// What it holds is not later than the creation of its row.
bool RowCasting::isLikeCreated(const ColumnFacts &time) const
{
    if (!m_created || m_created->at.size() != time.at.size())
        return false;
    qsizetype past = 0;
    qsizetype same = 0;
    for (qsizetype row = 0; row < time.at.size(); ++row) {
        const qint64 at = time.at.at(row);
        if (at == noTime || m_created->at.at(row) == noTime || at > m_facts.now())
            continue;
        ++past;
        same += std::llabs(at - m_created->at.at(row)) <= 1000 ? 1 : 0;
    }
    return past >= 2 && same * 10 >= past * 9;
}

/// It was known when the row was written: always as long after its creation. Rows that all came at
/// once, and were all delivered at once, do not show that.
bool RowCasting::isComputed(const ColumnFacts &time) const
{
    if (!m_created || m_created->at.size() != time.at.size())
        return false;
    constexpr qint64 atOnce = 60'000;
    QList<qint64> distances;
    std::pair<qint64, qint64> creations{std::numeric_limits<qint64>::max(),
                                        std::numeric_limits<qint64>::min()};
    for (qsizetype row = 0; row < time.at.size(); ++row) {
        const qint64 created = m_created->at.at(row);
        if (time.at.at(row) == noTime || created == noTime)
            continue;
        creations = {qMin(creations.first, created), qMax(creations.second, created)};
        distances += time.at.at(row) - created;
    }
    if (distances.size() < 3 || creations.second - creations.first <= atOnce)
        return false;
    std::sort(distances.begin(), distances.end());
    const qint64 usual = distances.at(distances.size() / 2);
    const auto alike
        = std::count_if(distances.cbegin(), distances.cend(),
                        [usual](qint64 distance) { return std::llabs(distance - usual) <= 2000; });
    // What is held now, or was held last, may have another time; no lease is of seconds only.
    constexpr qint64 shortestLease = 30'000;
    return alike == distances.size()
        ? usual > 5000
        : usual >= shortestLease && alike * 20 >= distances.size() * 17;
}

/// It tells of what goes on now, or stopped a short while ago, in rows of every age: who took such
/// a row took it now.
bool RowCasting::isOfLately(const ColumnFacts &time) const
{
    constexpr qint64 aWhile = 6 * oneHour;
    const auto isOfBefore = [&](const ColumnFacts &other) {
        const auto before = std::count_if(other.at.cbegin(), other.at.cend(), [&](qint64 at) {
            return at != noTime && at < m_facts.now() - 2 * aWhile;
        });
        return other.isTime && other.place != time.place && before * 2 > m_facts.rows();
    };
    const auto &columns = m_facts.columns();
    const bool isLate = m_created ? isLongAfterCreation(time)
                                  : std::any_of(columns.cbegin(), columns.cend(), isOfBefore);
    return time.set > 0 && time.set * 3 < m_facts.rows() && isLate
        && std::all_of(time.at.cbegin(), time.at.cend(), [this](qint64 at) {
               return at == noTime || std::llabs(at - m_facts.now()) <= aWhile;
           });
}

/// A flag marks some of its rows and no others: what the flag says happened to fewer.
bool RowCasting::isOfMoreThanAFlag(const ColumnFacts &time) const
{
    const RowMask set = m_facts.setIn(time);
    for (const ColumnFacts &one : m_facts.columns()) {
        if (!isFree(one) || one.column->typeClass != TypeClass::Flag)
            continue;
        const RowMask yes = m_facts.trueIn(one);
        if (countOf(yes) >= 2 && isWithin(yes, set) && countOf(yes) + 2 <= time.set)
            return true;
    }
    return false;
}

bool RowCasting::isOfMoreThanAMark(const ColumnFacts &time) const
{
    constexpr qsizetype enoughRows = 5;
    constexpr qsizetype mostValues = 8;
    const RowMask set = m_facts.setIn(time);
    if (m_facts.rows() - time.set < enoughRows)
        return false; // chance would have it so
    for (const ColumnFacts &one : m_facts.columns()) {
        const bool mayMark = isFree(one) && !one.isTime && one.counts.size() >= 2
            && one.counts.size() <= mostValues;
        if (!mayMark || one.set < m_facts.rows())
            continue;
        for (const RowMask &marked : marksIn(m_facts, one, set)) {
            const qsizetype rows = countOf(marked);
            const bool isMostOfIt = rows * 10 >= time.set * 6; // less may be chance
            if (isMostOfIt && rows >= enoughRows && m_facts.isOlder(marked)
                && time.set - bothIn(marked, set) >= 2)
                return true;
        }
    }
    return false;
}

/// It ends a long time, days, that every row has from its creation on: how long rows are kept.
bool RowCasting::isOfRetention(const ColumnFacts &time) const
{
    constexpr qint64 days = 3 * 24 * oneHour;
    if (time.set * 10 < m_facts.rows() * 9 || m_facts.rows() < enoughForEnds || !isComputed(time))
        return false;
    qsizetype row = 0;
    while (time.at.at(row) == noTime || m_created->at.at(row) == noTime)
        ++row;
    return time.at.at(row) - m_created->at.at(row) >= days;
}

/// It is set in just the rows that were tried.
bool RowCasting::isOfTried(const ColumnFacts &time) const
{
    if (!m_attempts || m_facts.rows() == 0)
        return false;
    RowMask tried = m_facts.holding(*m_attempts, u"0"_s);
    tried.flip();
    const RowMask set = m_facts.setIn(time);
    return countOf(tried) > 0 && tried == set && countOf(givenUp()) < countOf(tried);
}

/// What it tells has nothing to do with how old its row is.
bool RowCasting::isLongAfterCreation(const ColumnFacts &time) const
{
    constexpr qint64 tenMinutes = 600'000;
    if (!m_created || m_created->at.size() != time.at.size())
        return false;
    qsizetype late = 0;
    for (qsizetype row = 0; row < time.at.size(); ++row)
        late += time.at.at(row) != noTime && time.at.at(row) > m_created->at.at(row) + tenMinutes;
    return late * 5 >= time.set * 4 && late > 0;
}

/// Somebody is named in just these rows, and not in the old ones.
bool RowCasting::hasHolder(const ColumnFacts &time) const
{
    const RowMask set = m_facts.setIn(time);
    for (const ColumnFacts &one : m_facts.columns()) {
        if (!isFree(one) || !one.startsEmpty() || one.column->typeClass != TypeClass::Text
            || one.isTime || one.set == 0 || one.set * 2 > m_facts.rows())
            continue;
        const RowMask named = m_facts.setIn(one);
        if (m_facts.olderBy(named) < 0.1 && isWithin(named, set))
            return true;
    }
    return false;
}

int RowCasting::duePoints(const ColumnFacts &one) const
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

int RowCasting::leasePoints(const ColumnFacts &one) const
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
    if (isComputed(one)) {
        qsizetype first = 0; // there are some, or it were not computed
        while (one.at.at(first) == noTime || m_created->at.at(first) == noTime)
            ++first;
        points += one.at.at(first) - m_created->at.at(first) <= oneHour ? 30 : -40;
    }
    return points;
}

int RowCasting::lockTimePoints(const ColumnFacts &one) const
{
    if (!one.isTime || !one.column->nullable)
        return 0;
    const TimeHint hint = timeHint(one.words);
    if (hint == TimeHint::LockTime && one.set > 0 && isOnlyEnd(one))
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

/// Nothing else of the table tells which rows are through.
bool RowCasting::isOnlyEnd(const ColumnFacts &time) const
{
    if (m_facts.rows() < enoughForEnds || !m_byNames.status.isEmpty())
        return false;
    constexpr int mostOf = 85;
    const auto isEnd = [this](const RowMask &mask) {
        return countOf(mask) * 100 >= m_facts.rows() * mostOf || m_facts.isOlder(mask, givenUp());
    };
    const RowMask set = m_facts.setIn(time);
    if (!isEnd(set))
        return false;
    // Written at the same moments and at others: that of the last change.
    const auto isChange = [&](const ColumnFacts &other) {
        return saysChange(other.words)
            || (other.set > time.set && isWithin(set, m_facts.setIn(other)));
    };
    return std::none_of(
        m_facts.columns().cbegin(), m_facts.columns().cend(), [&](const ColumnFacts &other) {
            if (other.place == time.place || !isFree(other) || other.set == 0
                || &other == m_created)
                return false;
            const bool isMark = other.column->hasDefault && other.isTruth && !other.isTime;
            const bool isTime = other.isTime && other.startsEmpty() && !isComputed(other)
                && countOf(m_facts.future(other)) == 0 && !isChange(other);
            const bool isNamed = other.isTime && timeHint(other.words) == TimeHint::Sent;
            return isNamed || (isMark && isEnd(m_facts.trueIn(other)))
                || (isTime && isEnd(m_facts.setIn(other)))
                || (isStatusHint(other.words) && !other.isTime);
        });
}

int RowCasting::sentPoints(const ColumnFacts &one) const
{
    if (!one.isTime || !one.startsEmpty())
        return 0;
    const TimeHint hint = timeHint(one.words);
    // "archived at", "taken out at": what only old rows have, and nothing else tells of them.
    const bool isOtherEnd = one.set > 0 && !saysChange(one.words)
        && (hint == TimeHint::Other || hint == TimeHint::LockTime) && isOnlyEnd(one);
    int points = isOtherEnd ? 0 : forHint(one.words, hint, TimeHint::Sent);
    points += one.name() == m_byNames.processedTime ? byOldRules : 0;
    if (one.set == 0)
        return points;
    const RowMask set = m_facts.setIn(one);
    if (countOf(m_facts.future(one)) > 0 || isComputed(one))
        return 0;
    const double share = shareOf(set);
    const RowMask &done = m_witness.done;
    if (isSame(set, done) || m_facts.isOlder(set, givenUp()))
        points += 30;
    else if (share >= 0.7 || (!m_facts.isOrdered() && share > 0.1))
        points += 26;
    else
        points -= 20;
    points -= isLikeCreated(one) ? 20 : 0;
    const bool isOfOthers = !done.empty() && isWithin(done, set) && !isSame(set, done);
    points -= isOfOthers || bothIn(set, m_witness.openByWord) * 20 > one.set ? 60 : 0;
    points -= isOfMoreThanAMark(one) ? 40 : 0;
    points -= bothIn(set, givenUp()) * 2 > countOf(givenUp()) && countOf(givenUp()) > 0 ? 40 : 0;
    for (const ColumnFacts &other : m_facts.columns()) {
        if (!other.isTime || !other.startsEmpty() || !isFree(other) || other.place == one.place
            || other.set * 2 < one.set || other.set >= one.set || isComputed(other))
            continue; // written at the same moments and at others: the last time of something
        points
            -= isWithin(m_facts.setIn(other), set) && countOf(m_facts.future(other)) == 0 ? 30 : 0;
    }
    return points;
}

int RowCasting::failedPoints(const ColumnFacts &one) const
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
    const RowMask ended = givenUp();
    points += countOf(ended) > 0 && isWithin(set, ended) ? 25 : 0;
    points -= countOf(ended) > 0 && bothIn(set, ended) * 2 <= one.set && !isNamed ? 30 : 0;
    points -= isOfMoreThanAFlag(one) && !isNamed ? 40 : 0;
    points -= isOfTried(one) && timeHint(one.words) != TimeHint::Failed ? 60 : 0;
    // What went wrong is written at each try: in just these rows, it tells of tries.
    const bool isOfWrong = m_error && m_error->set > 0 && isWithin(set, m_facts.setIn(*m_error));
    points += isOfWrong && (isNamed || one.set + 2 <= m_error->set) ? 15 : 0;
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
