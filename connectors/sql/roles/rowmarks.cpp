// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The times, holders and flags that put a row into its state: who has the most points.
#include "connectors/sql/names/schemawords.h"
#include "connectors/sql/roles/rowroleassignment.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

void RowRoleAssignment::assignTimes()
{
    // A relay that starts by these names must start tomorrow, too: a clock that is ahead, a burst,
    // a delay that is always the same are no reason to doubt them.
    const auto speaksAgainst = [this](const ColumnFacts &one, TimeHint hint) {
        const bool isOfPast = hint != TimeHint::Due && hint != TimeHint::LeaseEnd;
        return !isOfPast || countOf(m_facts.future(one)) * 2 > one.set;
    };
    // "lock" and "lease" may be since when or until when: what is ahead has not begun.
    const auto mayBeEnd = [this](const ColumnFacts &one, TimeHint hint) {
        return hint == TimeHint::LockTime && !saysBegin(one.words)
            && countOf(m_facts.future(one)) > 0;
    };
    struct Part
    {
        const ColumnFacts *PartColumns::*place;
        int (RowRoleAssignment::*points)(const ColumnFacts &) const;
        QString ColumnRoles::*role;
        QString member;
        TimeHint hint;
    };
    static const QList<Part> parts{{&PartColumns::lease, &RowRoleAssignment::leasePoints,
                                    &ColumnRoles::leaseEnd, u"locked"_s, TimeHint::LeaseEnd},
                                   {&PartColumns::due, &RowRoleAssignment::duePoints,
                                    &ColumnRoles::due, u"due"_s, TimeHint::Due},
                                   {&PartColumns::sent, &RowRoleAssignment::sentPoints,
                                    &ColumnRoles::processedTime, u"processed"_s, TimeHint::Sent},
                                   {&PartColumns::failed, &RowRoleAssignment::failedPoints,
                                    &ColumnRoles::failedTime, u"failed"_s, TimeHint::Failed},
                                   {&PartColumns::lockTime, &RowRoleAssignment::lockTimePoints,
                                    &ColumnRoles::lockTime, u"locked"_s, TimeHint::LockTime}};
    struct Offer
    {
        int points;
        const Part *part;
        const ColumnFacts *column;
    };
    m_onlyEnds.clear();
    for (const ColumnFacts &one : m_facts.columns()) {
        if (isFree(one) && one.set > 0 && isOnlyEnd(one))
            m_onlyEnds += one.place;
    }
    constexpr int enough = 25;
    QList<Offer> offers;
    for (const Part &part : parts) {
        m_read.roles.*part.role = QString();
        for (const ColumnFacts &one : m_facts.columns()) {
            if (!isFree(one))
                continue;
            const QString &byNames = m_byNames.*part.role;
            int points = (this->*part.points)(one);
            // "visible after" of the rows that somebody holds is the end of a lease
            const bool isHeldOnly
                = part.hint == TimeHint::Due && one.set * 2 < m_facts.rows() && hasHolder(one);
            const bool isSomethingElse = (part.hint == TimeHint::Due && isOfRetention(one))
                || (part.hint == TimeHint::LockTime && m_onlyEnds.contains(one.place));
            if (!isHeldOnly && !isSomethingElse && !mayBeEnd(one, part.hint)
                && isClearTime(one, byNames, part.hint))
                points = speaksAgainst(one, part.hint) ? kept(one, points, enough)
                                                       : qMax(points, 2 * enough);
            offers += {weighed(one, byNames, points), &part, &one};
        }
    }
    std::stable_sort(offers.begin(), offers.end(),
                     [](const Offer &a, const Offer &b) { return a.points > b.points; });
    for (const Offer &offer : std::as_const(offers)) {
        if (offer.points < enough)
            break;
        if (m_parts.*offer.part->place || !isFree(*offer.column))
            continue;
        m_parts.*offer.part->place = offer.column;
        m_read.roles.*offer.part->role = offer.column->name();
        m_taken += offer.column->place;
        if (offer.column->set > 0) {
            because(offer.part->member,
                    u"`%1` is set in %2 of %3 rows that were looked at."_s.arg(
                        offer.column->name(), QString::number(offer.column->set),
                        QString::number(m_facts.rows())));
        }
    }
    if (m_parts.attempts || !m_parts.sent || m_parts.sent->set == 0)
        return;
    if (const auto *beside = counterBeside(m_facts, m_facts.setIn(*m_parts.sent), m_taken)) {
        m_taken += beside->place;
        countTriesBy(beside);
    }
}

void RowRoleAssignment::assignOwner()
{
    m_parts.owner = best(
        m_byNames.owner,
        [this](const ColumnFacts &one) {
            const int points = ownerPoints(one);
            const QStringList words = wordsOf(one.name());
            const bool isClear = one.name() == m_byNames.owner && isOwnerHint(words)
                && !hasAnyWord(words, {u"owner"_s, u"owned"_s}); // of the thing, as well
            if (!isClear)
                return points;
            // It may stay where it was in rows that are delivered. Of the others nobody holds most.
            const auto open = m_facts.rows() - (m_parts.sent ? m_parts.sent->set : 0);
            const RowMask set = m_facts.setIn(one);
            const auto held
                = one.set - (m_parts.sent ? bothIn(set, m_facts.setIn(*m_parts.sent)) : 0);
            const bool isOfMost = open >= 8 && held * 2 > open;
            return isOfMost ? kept(one, points, 25) : qMax(points, 50);
        },
        25);
    // In delivered rows alone: who did it.
    const bool isOfSent = m_parts.owner && m_parts.sent && m_parts.owner->set > 0 && !m_parts.lease
        && !m_parts.lockTime
        && isWithin(m_facts.setIn(*m_parts.owner), m_facts.setIn(*m_parts.sent));
    if (isOfSent && !saysHolder(wordsOf(m_parts.owner->name())))
        m_parts.owner = nullptr;
    m_read.roles.owner = m_parts.owner ? m_parts.owner->name() : QString();
}

int RowRoleAssignment::ownerPoints(const ColumnFacts &one) const
{
    const TypeClass kind = one.column->typeClass;
    const bool isKind
        = kind == TypeClass::Text || kind == TypeClass::Uuid || kind == TypeClass::Integer;
    if (!isKind || one.isTime || one.column->generated)
        return 0;
    if (kind != TypeClass::Integer && one.mustBeFilled())
        return 0; // a free row names nobody
    constexpr qsizetype enoughRows = 8;
    const bool isNeverFree = kind == TypeClass::Integer && !one.column->nullable
        && m_facts.rows() >= enoughRows && countOf(m_facts.holding(one, u"0"_s)) == 0;
    if (isNeverFree)
        return 0;
    int points = isOwnerHint(one.words) ? byClearName : 0;
    points += one.name() == m_byNames.owner ? byOldRules : 0;
    const bool isAlwaysNamed = !one.column->nullable && kind == TypeClass::Text
        && one.share([](const QString &cell) { return !cell.isEmpty(); }) > 0.6;
    if (one.set > 0 && isAlwaysNamed)
        return 0; // nobody holds most rows at once
    if (one.set == 0 || !one.column->nullable)
        return points;
    const RowMask set = m_facts.setIn(one);
    const bool isOfMany = one.set * 2 > m_facts.rows() && m_facts.rows() >= 8;
    if (m_facts.isOlder(set) || isOfMany || isSame(set, m_done))
        return 0; // it says who did it
    const RowMask held = heldNow();
    const bool isHeld = countOf(held) > 0 && isWithin(held, set);
    points += isHeld && kind == TypeClass::Text ? 30 : 0;
    // Where nothing was delivered yet, rows of every age are held.
    const bool isOfOpen = m_parts.sent && m_parts.sent->set == 0;
    const bool isOfFew = one.set * 3 < m_facts.rows() && !one.isWide
        && (isOfOpen || m_facts.olderBy(set) < -0.05) && m_facts.rows() >= 8
        && one.counts.size() <= 20;
    points += isOfFew ? 26 : 0;
    const bool isSent = m_parts.sent && bothIn(set, m_facts.setIn(*m_parts.sent)) > 0;
    return isSent ? points - 40 : points;
}

bool RowRoleAssignment::canBeFlag(const ColumnFacts &one) const
{
    const CatalogColumn &column = *one.column;
    if (!column.meanings.isEmpty() || !column.labels.isEmpty())
        return false; // its values have names
    if (hasAnyWord(one.words,
                   {u"count"_s, u"attempt"_s, u"try"_s, u"tries"_s, u"retry"_s, u"failure"_s}))
        return false;
    const bool isTruth = one.set == 0 || one.isTruth;
    if (column.typeClass == TypeClass::Flag)
        return isTruth;
    return isTruth && one.isNumber && column.defaultText == u"0" && !column.nullable && !one.isTime;
}

int RowRoleAssignment::sentFlagPoints(const ColumnFacts &one) const
{
    if (!canBeFlag(one))
        return 0;
    const FlagHint hint = flagHint(one.words);
    const bool isNumber = one.column->typeClass != TypeClass::Flag;
    int points = hint == FlagHint::Sent ? byClearName : 0;
    points -= hint == FlagHint::Failed ? 60 : hint == FlagHint::Business ? 20 : 0;
    points += one.name() == m_byNames.processedFlag ? byOldRules : 0;
    points += one.column->hasDefault ? 5 : -10;
    points -= isNumber && isStatusHint(one.words) ? 20 : 0;
    points -= isNumber && hint != FlagHint::Sent ? (m_isThin ? 60 : 5) : 0;
    if (one.set == 0)
        return points;
    const RowMask yes = m_facts.trueIn(one);
    const qsizetype all = countOf(yes);
    if (m_parts.sent && m_parts.sent->set > 0) {
        const RowMask sent = m_facts.setIn(*m_parts.sent);
        const bool isSame = isWithin(yes, sent) && isWithin(sent, yes);
        points += isSame ? 45 : -70;
    }
    points -= bothIn(yes, heldNow()) > 0 ? 50 : 0;
    points -= m_parts.due && bothIn(yes, m_facts.future(*m_parts.due)) > 0 ? 50 : 0;
    points -= bothIn(yes, m_givenUp) * 3 > countOf(m_givenUp) && countOf(m_givenUp) > 0 ? 60 : 0;
    if (all == 0)
        return points;
    points -= bothIn(yes, m_openByWord) * 20 > all ? 50 : 0;
    if (!m_done.empty())
        points += isSame(yes, m_done) ? 45 : -40;
    const double share = shareOf(yes);
    if (m_facts.isOlder(yes, m_givenUp))
        return points + 30;
    if (share >= 0.85)
        return points + 28;
    return m_facts.isOrdered() && m_facts.rows() >= 12 ? points - 30 : points;
}

int RowRoleAssignment::failedFlagPoints(const ColumnFacts &one) const
{
    if (one.column->typeClass != TypeClass::Flag && !canBeFlag(one))
        return 0;
    const FlagHint hint = flagHint(one.words);
    int points = hint == FlagHint::Failed ? byClearName : 0;
    points -= hint == FlagHint::Sent ? 60 : 0;
    points += one.name() == m_byNames.failedFlag ? byOldRules : 0;
    points += one.column->hasDefault ? 5 : -10;
    const RowMask yes = m_facts.trueIn(one);
    if (one.set == 0 || countOf(yes) == 0)
        return points;
    points += shareOf(yes) <= 0.3 ? 15 : -20;
    if (countOf(m_givenUp) > 0)
        points += isWithin(yes, m_givenUp) ? 20 : -30;
    points
        += m_parts.error && m_parts.error->set > 0 && isWithin(yes, m_facts.setIn(*m_parts.error))
        ? 10
        : 0;
    points += m_parts.sent && m_parts.sent->set > 0
        ? (bothIn(yes, m_facts.setIn(*m_parts.sent)) == 0 ? 10 : -40)
        : 0;
    const bool isRest = m_parts.sentFlag && countOf(m_facts.trueIn(*m_parts.sentFlag)) > 0
        && bothIn(yes, m_facts.trueIn(*m_parts.sentFlag)) == 0;
    points += isRest ? 15 : 0;
    // What is delivered is deleted, or nothing was.
    const bool isNothingSent = (!m_parts.sent || m_parts.sent->set == 0)
        && (!m_parts.sentFlag || countOf(m_facts.trueIn(*m_parts.sentFlag)) == 0);
    const bool isOnlyMark = isNothingSent && countOf(yes) >= 2 && hint == FlagHint::None;
    points += isOnlyMark ? 10 : 0;
    // A number that is 0 or 1 yet may count tries.
    const bool isNumber = one.column->typeClass != TypeClass::Flag;
    points -= isNumber && isNothingSent && hint == FlagHint::None ? 20 : 0;
    points -= m_facts.olderBy(yes) > 0.4 ? 20 : 0;
    return points;
}

void RowRoleAssignment::assignFlags()
{
    m_parts.sentFlag = best(
        m_byNames.processedFlag,
        [this](const ColumnFacts &one) {
            const int points = sentFlagPoints(one);
            const bool isClear = one.name() == m_byNames.processedFlag && canBeFlag(one)
                && flagHint(wordsOf(one.name())) == FlagHint::Sent;
            return isClear ? kept(one, points, 25) : points;
        },
        m_parts.sent ? 30 : 25);
    m_read.roles.processedFlag = m_parts.sentFlag ? m_parts.sentFlag->name() : QString();
    m_parts.failedFlag = best(
        m_byNames.failedFlag,
        [this](const ColumnFacts &one) {
            const int points = failedFlagPoints(one);
            const bool isClear = one.name() == m_byNames.failedFlag
                && one.column->typeClass == TypeClass::Flag
                && flagHint(wordsOf(one.name())) == FlagHint::Failed;
            return isClear ? kept(one, points, 30) : points;
        },
        30);
    m_read.roles.failedFlag = m_parts.failedFlag ? m_parts.failedFlag->name() : QString();
}

void RowRoleAssignment::countTriesBy(const ColumnFacts *attempts)
{
    m_parts.attempts = attempts;
    m_read.roles.attempts = attempts ? attempts->name() : QString();
    m_givenUp = RowMask(static_cast<std::size_t>(m_facts.rows()));
    m_triedWell.clear();
    if (!attempts)
        return;
    int most = 0;
    for (auto count = attempts->counts.cbegin(); count != attempts->counts.cend(); ++count)
        most = qMax(most, count.key().toInt());
    constexpr int fewTries = 3;
    if (most >= fewTries)
        m_givenUp = m_facts.holding(*attempts, QString::number(most));
    RowMask except = m_givenUp;
    if (m_parts.error)
        addRows(except, m_facts.setIn(*m_parts.error));
    m_triedWell = countedIn(m_facts, *attempts, except);
}

RowMask RowRoleAssignment::heldNow() const
{
    RowMask nobody(static_cast<std::size_t>(m_facts.rows()));
    if (m_parts.lease)
        return m_facts.future(*m_parts.lease);
    const ColumnFacts *holder = m_parts.lockTime ? m_parts.lockTime : m_parts.owner;
    if (!holder)
        return nobody;
    // Nobody holds most rows at once: it stays where rows were delivered.
    const bool isOfNow = holder->isTime
        && std::all_of(holder->at.cbegin(), holder->at.cend(),
                       [&](qint64 at) { return at == noTime || at > m_facts.now() - oneHour; });
    const bool isOfMost = !m_isThin && !isOfNow && holder->set * 2 > m_facts.rows();
    return isOfMost ? nobody : m_facts.setIn(*holder);
}

} // namespace outbox
