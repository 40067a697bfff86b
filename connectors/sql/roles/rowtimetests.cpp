// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Questions about one time of a table that its rows answer with yes or no.
#include "connectors/sql/names/schemawords.h"
#include "connectors/sql/roles/rowroleassignment.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype enoughForEnds = 12; ///< rows

} // namespace

/// What it holds is not later than the creation of its row.
bool RowRoleAssignment::isLikeCreated(const ColumnFacts &time) const
{
    if (!m_parts.created || m_parts.created->at.size() != time.at.size())
        return false;
    qsizetype past = 0;
    qsizetype same = 0;
    for (qsizetype row = 0; row < time.at.size(); ++row) {
        const qint64 at = time.at.at(row);
        if (at == noTime || m_parts.created->at.at(row) == noTime || at > m_facts.now())
            continue;
        ++past;
        same += std::llabs(at - m_parts.created->at.at(row)) <= 1000 ? 1 : 0;
    }
    return past >= 2 && same * 10 >= past * 9;
}

std::optional<qint64> RowRoleAssignment::usualDistance(const ColumnFacts &time) const
{
    if (!m_parts.created || m_parts.created->at.size() != time.at.size())
        return {};
    constexpr qint64 atOnce = 60'000;
    QList<qint64> distances;
    std::pair<qint64, qint64> creations{std::numeric_limits<qint64>::max(),
                                        std::numeric_limits<qint64>::min()};
    for (qsizetype row = 0; row < time.at.size(); ++row) {
        const qint64 created = m_parts.created->at.at(row);
        if (time.at.at(row) == noTime || created == noTime)
            continue;
        creations = {qMin(creations.first, created), qMax(creations.second, created)};
        distances += time.at.at(row) - created;
    }
    if (distances.size() < 3 || creations.second - creations.first <= atOnce)
        return {};
    std::sort(distances.begin(), distances.end());
    const qint64 usual = distances.at(distances.size() / 2);
    const auto alike
        = std::count_if(distances.cbegin(), distances.cend(),
                        [usual](qint64 distance) { return std::llabs(distance - usual) <= 2000; });
    // What is held now, or was held last, may have another time; no lease is of seconds only.
    constexpr qint64 shortestLease = 30'000;
    const bool isUsual = alike == distances.size()
        ? usual > 5000
        : usual >= shortestLease && alike * 20 >= distances.size() * 17;
    return isUsual ? std::optional(usual) : std::nullopt;
}

/// It tells of what goes on now, or stopped a short while ago, in rows of every age: who took such
/// a row took it now.
bool RowRoleAssignment::isOfLately(const ColumnFacts &time) const
{
    constexpr qint64 aWhile = 6 * oneHour;
    const auto isOfBefore = [&](const ColumnFacts &other) {
        const auto before = std::count_if(other.at.cbegin(), other.at.cend(), [&](qint64 at) {
            return at != noTime && at < m_facts.now() - 2 * aWhile;
        });
        return other.isTime && other.place != time.place && before * 2 > m_facts.rows();
    };
    const auto &columns = m_facts.columns();
    const bool isLate = m_parts.created ? isLongAfterCreation(time)
                                        : std::any_of(columns.cbegin(), columns.cend(), isOfBefore);
    return time.set > 0 && time.set * 3 < m_facts.rows() && isLate
        && std::all_of(time.at.cbegin(), time.at.cend(), [this](qint64 at) {
               return at == noTime || std::llabs(at - m_facts.now()) <= aWhile;
           });
}

/// A flag marks some of its rows and no others: what the flag says happened to fewer.
bool RowRoleAssignment::isOfMoreThanAFlag(const ColumnFacts &time) const
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

bool RowRoleAssignment::isOfMoreThanAMark(const ColumnFacts &time) const
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
bool RowRoleAssignment::isOfRetention(const ColumnFacts &time) const
{
    constexpr qint64 days = qint64{3} * 24 * oneHour;
    if (time.set * 10 < m_facts.rows() * 9 || m_facts.rows() < enoughForEnds)
        return false;
    return usualDistance(time).value_or(0) >= days;
}

/// It is set in just the rows that were tried.
bool RowRoleAssignment::isOfTried(const ColumnFacts &time) const
{
    if (!m_parts.attempts || m_facts.rows() == 0)
        return false;
    RowMask tried = m_facts.holding(*m_parts.attempts, u"0"_s);
    tried.flip();
    const RowMask set = m_facts.setIn(time);
    return countOf(tried) > 0 && tried == set && countOf(m_givenUp) < countOf(tried);
}

/// What it tells has nothing to do with how old its row is.
bool RowRoleAssignment::isLongAfterCreation(const ColumnFacts &time) const
{
    constexpr qint64 tenMinutes = 600'000;
    if (!m_parts.created || m_parts.created->at.size() != time.at.size())
        return false;
    qsizetype late = 0;
    for (qsizetype row = 0; row < time.at.size(); ++row)
        late += time.at.at(row) != noTime
            && time.at.at(row) > m_parts.created->at.at(row) + tenMinutes;
    return late * 5 >= time.set * 4 && late > 0;
}

/// Somebody is named in just these rows, and not in the old ones.
bool RowRoleAssignment::hasHolder(const ColumnFacts &time) const
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

/// Nothing else of the table tells which rows are through.
bool RowRoleAssignment::isOnlyEnd(const ColumnFacts &time) const
{
    if (m_facts.rows() < enoughForEnds || !m_byNames.status.isEmpty())
        return false;
    constexpr int mostOf = 85;
    const auto isEnd = [this](const RowMask &mask) {
        return countOf(mask) * 100 >= m_facts.rows() * mostOf || m_facts.isOlder(mask, m_givenUp);
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
                || &other == m_parts.created)
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

} // namespace outbox
