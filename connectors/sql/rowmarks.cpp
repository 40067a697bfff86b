// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The times and flags that put a row into its state, by what rows have them.
#include "connectors/sql/rowcasting.h"

#include "connectors/sql/schemawords.h"

#include <algorithm>
#include <cmath>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int byOldRules = 8; ///< what catalog and names say together
constexpr int byName = 35;
constexpr double clearlyOlder = 0.25; ///< of the span of all rows
constexpr qint64 oneHour = 3'600'000;

int forHint(TimeHint hint, TimeHint wanted)
{
    if (hint == wanted)
        return byName;
    // "enqueued at" may be empty: then it is what was done with the row
    const bool isOpen
        = hint == TimeHint::None || (hint == TimeHint::Created && wanted == TimeHint::Sent);
    return hint == TimeHint::Other ? -40 : isOpen ? 0 : -15;
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
        if (at == noTime || at > m_facts.now())
            continue;
        ++past;
        same += std::llabs(at - m_created->at.at(row)) <= 1000 ? 1 : 0;
    }
    return past >= 2 && same * 10 >= past * 9;
}

/// It was known when the row was written: always as long after its creation.
bool RowCasting::isComputed(const ColumnFacts &time) const
{
    if (!m_created || m_created->at.size() != time.at.size())
        return false;
    qsizetype all = 0;
    qint64 least = std::numeric_limits<qint64>::max();
    qint64 most = std::numeric_limits<qint64>::min();
    for (qsizetype row = 0; row < time.at.size(); ++row) {
        if (time.at.at(row) == noTime)
            continue;
        const qint64 distance = time.at.at(row) - m_created->at.at(row);
        least = qMin(least, distance);
        most = qMax(most, distance);
        ++all;
    }
    return all >= 3 && least > 5000 && most - least <= 2000;
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
    int points = forHint(timeHint(one.words), TimeHint::Due);
    points += one.name() == m_byNames.due ? byOldRules : 0;
    if (one.set == 0)
        return points;
    if (isComputed(one))
        return 0;
    const RowMask future = m_facts.future(one);
    if (countOf(future) > 0) {
        const auto far = std::count_if(one.at.cbegin(), one.at.cend(),
                                       [this](qint64 at) { return at > m_facts.now() + oneHour; });
        points += far > 0 ? 30 : 0;
        points += m_facts.olderBy(future) < 0.1 ? 5 : -20;
    }
    points += isLikeCreated(one) ? 30 : 0;
    const bool isEnd = !isLikeCreated(one) && m_facts.isOlder(m_facts.setIn(one));
    return isEnd ? points - 40 : points;
}

int RowCasting::leasePoints(const ColumnFacts &one) const
{
    if (!one.isTime || !one.column->nullable)
        return 0;
    int points = forHint(timeHint(one.words), TimeHint::LeaseEnd);
    points += one.name() == m_byNames.leaseEnd ? byOldRules : 0;
    if (one.set == 0)
        return points;
    const auto far = std::count_if(one.at.cbegin(), one.at.cend(),
                                   [this](qint64 at) { return at > m_facts.now() + 6 * oneHour; });
    points -= far > 0 ? 30 : 0;
    points += countOf(m_facts.future(one)) > 0 && far == 0 ? 27 : 0;
    points += hasHolder(one) ? 15 : 0;
    points -= isLikeCreated(one) ? 30 : 0;
    if (isComputed(one)) {
        const qsizetype first = std::distance(
            one.at.cbegin(),
            std::find_if(one.at.cbegin(), one.at.cend(), [](qint64 at) { return at != noTime; }));
        points += one.at.at(first) - m_created->at.at(first) <= oneHour ? 30 : -40;
    }
    return points;
}

int RowCasting::lockTimePoints(const ColumnFacts &one) const
{
    if (!one.isTime || !one.column->nullable)
        return 0;
    int points = forHint(timeHint(one.words), TimeHint::LockTime);
    points += one.name() == m_byNames.lockTime ? byOldRules : 0;
    if (one.set == 0)
        return points;
    const RowMask set = m_facts.setIn(one);
    if (countOf(m_facts.future(one)) > 0 || m_facts.olderBy(set) > clearlyOlder)
        return 0;
    const auto recent = std::count_if(one.at.cbegin(), one.at.cend(), [this](qint64 at) {
        return at != noTime && at > m_facts.now() - oneHour;
    });
    points += recent == one.set && one.set * 2 < m_facts.rows() && !isLikeCreated(one) ? 27 : 0;
    points += hasHolder(one) ? 15 : 0;
    return points;
}

int RowCasting::sentPoints(const ColumnFacts &one) const
{
    if (!one.isTime || !one.startsEmpty())
        return 0;
    int points = forHint(timeHint(one.words), TimeHint::Sent);
    points += one.name() == m_byNames.processedTime ? byOldRules : 0;
    if (one.set == 0)
        return points;
    const RowMask set = m_facts.setIn(one);
    if (countOf(m_facts.future(one)) > 0 || isComputed(one))
        return 0;
    const double share = shareOf(set);
    if (m_facts.isOlder(set))
        points += 30;
    else if (share >= 0.7 || (!m_facts.isOrdered() && share > 0.1))
        points += 26;
    else
        points -= 20;
    points -= isLikeCreated(one) ? 20 : 0;
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
    int points = forHint(timeHint(one.words), TimeHint::Failed);
    points += one.name() == m_byNames.failedTime ? byOldRules : 0;
    if (one.set == 0)
        return points;
    const RowMask set = m_facts.setIn(one);
    if (countOf(m_facts.future(one)) > 0 || isComputed(one) || isLikeCreated(one))
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
    else // some rows of every age have it: nothing else happens like that
        points
            += !isNamed && one.set >= 3 && m_facts.rows() >= 40 && !m_facts.isOlder(set) ? 26 : 10;
    const RowMask ended = givenUp();
    points += countOf(ended) > 0 && isWithin(set, ended) ? 25 : 0;
    points += m_error && m_error->set > 0 && isWithin(set, m_facts.setIn(*m_error)) ? 15 : 0;
    for (const ColumnFacts &other : m_facts.columns()) {
        const bool isRival = other.isTime && other.startsEmpty() && other.place != one.place
            && other.set > one.set && bothIn(set, m_facts.setIn(other)) == 0;
        if (isRival && sentPoints(other) >= 25)
            return points + 15;
    }
    return points;
}

void RowCasting::castTimes()
{
    struct Part
    {
        const ColumnFacts *RowCasting::*place;
        int (RowCasting::*points)(const ColumnFacts &) const;
        QString ColumnRoles::*role;
        QString member;
    };
    static const QList<Part> parts{
        {&RowCasting::m_lease, &RowCasting::leasePoints, &ColumnRoles::leaseEnd, u"locked"_s},
        {&RowCasting::m_due, &RowCasting::duePoints, &ColumnRoles::due, u"due"_s},
        {&RowCasting::m_sent, &RowCasting::sentPoints, &ColumnRoles::processedTime, u"processed"_s},
        {&RowCasting::m_failed, &RowCasting::failedPoints, &ColumnRoles::failedTime, u"failed"_s},
        {&RowCasting::m_lockTime, &RowCasting::lockTimePoints, &ColumnRoles::lockTime,
         u"locked"_s}};
    struct Offer
    {
        int points;
        const Part *part;
        const ColumnFacts *column;
    };
    QList<Offer> offers;
    for (const Part &part : parts) {
        m_read.roles.*part.role = QString();
        for (const ColumnFacts &one : m_facts.columns()) {
            if (isFree(one))
                offers
                    += {weighed(one, m_byNames.*part.role, (this->*part.points)(one)), &part, &one};
        }
    }
    std::stable_sort(offers.begin(), offers.end(),
                     [](const Offer &a, const Offer &b) { return a.points > b.points; });
    constexpr int enough = 25;
    for (const Offer &offer : std::as_const(offers)) {
        if (offer.points < enough)
            break;
        if (this->*offer.part->place || !isFree(*offer.column))
            continue;
        this->*offer.part->place = offer.column;
        m_read.roles.*offer.part->role = offer.column->name();
        m_taken += offer.column->place;
        if (offer.column->set > 0) {
            because(offer.part->member,
                    u"`%1` is set in %2 of %3 rows that were looked at."_s.arg(offer.column->name())
                        .arg(offer.column->set)
                        .arg(m_facts.rows()));
        }
    }
}

void RowCasting::castOwner()
{
    m_owner = best(
        m_byNames.owner,
        [this](const ColumnFacts &one) {
            const TypeClass kind = one.column->typeClass;
            const bool isKind
                = kind == TypeClass::Text || kind == TypeClass::Uuid || kind == TypeClass::Integer;
            if (!isKind || one.isTime || one.column->generated)
                return 0;
            int points = isOwnerHint(one.words) ? byName : 0;
            points += one.name() == m_byNames.owner ? byOldRules : 0;
            if (one.set == 0 || !one.column->nullable)
                return points;
            const RowMask set = m_facts.setIn(one);
            const bool isOfMany = one.set * 2 > m_facts.rows() && m_facts.rows() >= 8;
            if (m_facts.isOlder(set) || isOfMany)
                return 0; // it says who did it
            const RowMask held = heldNow();
            const bool isHeld = countOf(held) > 0 && isWithin(held, set);
            points += isHeld && kind == TypeClass::Text ? 30 : 0;
            const bool isOfFew = one.set * 3 < m_facts.rows() && !one.isWide
                && m_facts.olderBy(set) < -0.05 && m_facts.rows() >= 8 && one.counts.size() <= 20;
            points += isOfFew ? 26 : 0;
            const bool isSent = m_sent && bothIn(set, m_facts.setIn(*m_sent)) > 0;
            return isSent ? points - 40 : points;
        },
        25);
    m_read.roles.owner = m_owner ? m_owner->name() : QString();
}

bool RowCasting::canBeFlag(const ColumnFacts &one) const
{
    const CatalogColumn &column = *one.column;
    if (!column.meanings.isEmpty() || !column.labels.isEmpty())
        return false; // its values have names
    const bool isTruth = one.set == 0 || one.isTruth;
    if (column.typeClass == TypeClass::Flag)
        return isTruth;
    return isTruth && one.isNumber && column.defaultText == u"0" && !column.nullable && !one.isTime;
}

int RowCasting::sentFlagPoints(const ColumnFacts &one) const
{
    if (!canBeFlag(one))
        return 0;
    const FlagHint hint = flagHint(one.words);
    const bool isNumber = one.column->typeClass != TypeClass::Flag;
    int points = hint == FlagHint::Sent ? byName : 0;
    points -= hint == FlagHint::Failed ? 60 : hint == FlagHint::Business ? 20 : 0;
    points += one.name() == m_byNames.processedFlag ? byOldRules : 0;
    points += one.column->hasDefault ? 5 : -10;
    points -= isNumber && isStatusHint(one.words) ? 20 : 0;
    points -= isNumber && hint != FlagHint::Sent ? (m_isThin ? 60 : 5) : 0;
    if (one.set == 0)
        return points;
    const RowMask yes = m_facts.trueIn(one);
    const qsizetype all = countOf(yes);
    if (m_sent && m_sent->set > 0) {
        const RowMask sent = m_facts.setIn(*m_sent);
        const bool isSame = isWithin(yes, sent) && isWithin(sent, yes);
        points += isSame ? 45 : -70;
    }
    points -= bothIn(yes, heldNow()) > 0 ? 50 : 0;
    points -= m_due && bothIn(yes, m_facts.future(*m_due)) > 0 ? 50 : 0;
    points -= bothIn(yes, givenUp()) * 3 > countOf(givenUp()) && countOf(givenUp()) > 0 ? 60 : 0;
    if (all == 0)
        return points;
    const double share = shareOf(yes);
    if (m_facts.isOlder(yes))
        return points + 30;
    if (share >= 0.85)
        return points + 28;
    return m_facts.isOrdered() && m_facts.rows() >= 12 ? points - 30 : points;
}

int RowCasting::failedFlagPoints(const ColumnFacts &one) const
{
    if (one.column->typeClass != TypeClass::Flag && !canBeFlag(one))
        return 0;
    const FlagHint hint = flagHint(one.words);
    int points = hint == FlagHint::Failed ? byName : 0;
    points -= hint == FlagHint::Sent ? 60 : 0;
    points += one.name() == m_byNames.failedFlag ? byOldRules : 0;
    points += one.column->hasDefault ? 5 : -10;
    const RowMask yes = m_facts.trueIn(one);
    if (one.set == 0 || countOf(yes) == 0)
        return points;
    points += shareOf(yes) <= 0.3 ? 15 : -20;
    const RowMask ended = givenUp();
    if (countOf(ended) > 0)
        points += isWithin(yes, ended) ? 20 : -30;
    points += m_error && m_error->set > 0 && isWithin(yes, m_facts.setIn(*m_error)) ? 10 : 0;
    points += m_sent && m_sent->set > 0 ? (bothIn(yes, m_facts.setIn(*m_sent)) == 0 ? 10 : -40) : 0;
    const bool isRest = m_sentFlag && countOf(m_facts.trueIn(*m_sentFlag)) > 0
        && bothIn(yes, m_facts.trueIn(*m_sentFlag)) == 0;
    points += isRest ? 15 : 0;
    points -= m_facts.olderBy(yes) > 0.4 ? 20 : 0;
    return points;
}

void RowCasting::castFlags()
{
    m_sentFlag = best(
        m_byNames.processedFlag, [this](const ColumnFacts &one) { return sentFlagPoints(one); },
        m_sent ? 30 : 25);
    m_read.roles.processedFlag = m_sentFlag ? m_sentFlag->name() : QString();
    m_failedFlag = best(
        m_byNames.failedFlag, [this](const ColumnFacts &one) { return failedFlagPoints(one); }, 30);
    m_read.roles.failedFlag = m_failedFlag ? m_failedFlag->name() : QString();
}

} // namespace outbox
