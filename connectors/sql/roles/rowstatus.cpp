// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which column says how far a row is, and how sure all that is.
#include "connectors/sql/names/schemawords.h"
#include "connectors/sql/roles/openparts.h"
#include "connectors/sql/roles/rowroleassignment.h"
#include "connectors/sql/roles/rowvalues.h"

#include <algorithm>
#include <cmath>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int mostStatusValues = 12;
constexpr int longestValue = 30;

} // namespace

int RowRoleAssignment::statusPoints(const ColumnFacts &one) const
{
    const TypeClass kind = one.column->typeClass;
    if ((kind != TypeClass::Text && kind != TypeClass::Named && !one.isNumber) || one.isTime)
        return 0;
    const QStringList values = allValues(one);
    const bool isLong = std::any_of(values.cbegin(), values.cend(), [](const QString &value) {
        return value.size() > longestValue;
    });
    if (one.column->nullable
        && one.share([](const QString &value) { return value.count(u' ') >= 2; }) > 0.5)
        return 0; // prose: what went wrong
    if (values.isEmpty() || values.size() > mostStatusValues || isLong)
        return one.set == 0 && one.name() == m_byNames.status && isStatusHint(one.words) ? 40 : 0;
    const bool isLetterFlag = one.isTruth && !one.isNumber && one.column->hasDefault;
    const bool saysSent = isLetterFlag && flagHint(one.words) == FlagHint::Sent;
    const bool isNamed = saysSent || isStatusHint(one.words);
    int points = isNamed ? 40 : 0;
    points += one.name() == m_byNames.status ? byOldRules : 0;
    points += hasAnyWord(one.words, {u"status"_s, u"state"_s}) && !isNamed ? 10 : 0;
    points -= one.share(isEventName) > 0.8 ? 80 : 0;
    const bool isPlain = !one.column->hasDefault && one.column->labels.isEmpty()
        && kind != TypeClass::Named && one.column->meanings.isEmpty();
    points -= !isNamed && isPlain ? 15 : 0;
    points -= !isNamed && one.isNumber && one.column->meanings.isEmpty() ? 40 : 0;
    points -= !isNamed && m_isThin ? 25 : 0;
    points -= hasAnyWord(one.words, {u"version"_s, u"priority"_s, u"count"_s, u"type"_s}) ? 40 : 0;
    const bool isListed = kind == TypeClass::Named || !one.column->labels.isEmpty();
    points += isListed ? 25 : 0;
    points += isListed && m_parts.sent && m_parts.sent->set == 0 ? 15
                                                                 : 0; // no row shows more than that
    points += one.column->hasDefault && !one.column->nullable ? 12 : 0;
    points += !one.column->meanings.isEmpty() ? 45 : 0;
    const auto known = std::count_if(values.cbegin(), values.cend(), [&](const QString &value) {
        return stateOf(one, value) != MessageState::Unknown
            || stateByMeaning(value) != MessageState::Unknown;
    });
    if (known * 2 > values.size())
        points += 40;
    else if (!one.isNumber && known == 0 && isStatusHint(one.words))
        points -= 10;
    else if (known > 0)
        points += 15;
    points += isLetterFlag ? 15 : 0; // yes and no in letters
    if (m_facts.rows() == 0)
        return points;
    const bool isUnequal = one.counts.size() >= 2
        && qsizetype(*std::max_element(one.counts.cbegin(), one.counts.cend())) * 100
            > m_facts.rows() * 84;
    points += isUnequal && one.column->hasDefault ? 15 : isUnequal ? 8 : 0;
    points += !m_isThin && isExplained(one) ? (isNamed ? 20 : 45) : 0;
    double youngest = 0;
    double oldest = 1;
    double rowsOfBoth = 0; // the fewer there are, the more chance can do
    for (auto value = one.counts.cbegin(); value != one.counts.cend(); ++value) {
        if (m_facts.rows() >= 12 && value.value() < 3)
            continue;
        const double age = m_facts.ageOf(m_facts.holding(one, value.key()));
        if (age > youngest)
            rowsOfBoth = value.value();
        youngest = qMax(youngest, age);
        oldest = qMin(oldest, age);
    }
    const double gap = youngest - oldest;
    const double byChance = rowsOfBoth > 0 ? 0.29 * (isNamed ? 2 : 3.5) / std::sqrt(rowsOfBoth) : 1;
    if (m_facts.isOrdered() && !m_isThin && gap > byChance)
        points += gap > 0.4 ? 40 : gap > 0.25 ? 25 : 0;
    if (m_parts.sent && m_parts.sent->set > 0 && m_parts.sent->set < m_facts.rows()) {
        const RowMask sent = m_facts.setIn(*m_parts.sent);
        bool isParted = true;
        qsizetype sentValues = 0;
        for (auto value = one.counts.cbegin(); value != one.counts.cend(); ++value) {
            const RowMask mask = m_facts.holding(one, value.key());
            const qsizetype both = bothIn(mask, sent);
            isParted &= both * 20 <= value.value() || both * 20 >= qsizetype(value.value()) * 19;
            sentValues += both * 2 > value.value() ? 1 : 0;
        }
        isParted &= sentValues < one.counts.size(); // else it tells nothing of those not sent
        points += isParted && one.counts.size() > 1 ? 50 : isParted ? 0 : -40;
        points += isParted && one.isNumber && !isNamed && sentValues == 1
            ? (one.counts.size() >= 3 ? 35 : 20)
            : 0;
        points -= one.isNumber && sentValues > 1 ? 60 : 0; // a counter
    }
    return points;
}

/// One of its values stands in just the rows that another column tells: of those that were given
/// up, that have an error, that somebody delivered, that were tried with success.
bool RowRoleAssignment::isExplained(const ColumnFacts &status) const
{
    if (status.counts.size() < 2)
        return false;
    const auto tells
        = [&](const RowMask &mask, int least) { return isValueOf(m_facts, status, mask, least); };
    if (tells(m_done, 5) || tells(m_givenUp, 2))
        return true;
    const RowMask wrong = m_parts.error ? m_facts.setIn(*m_parts.error) : RowMask();
    return tells(wrong, 3)
        || (m_parts.attempts && tells(countedIn(m_facts, *m_parts.attempts, m_givenUp), 8))
        || tells(m_triedWell, 8);
}

void RowRoleAssignment::assignStatus()
{
    // Beside a flag of delivery a status must be one beyond doubt; where nothing else tells what
    // was delivered, less will do.
    const int enough = m_isThin ? 40 : m_parts.sentFlag ? 75 : m_parts.sent ? 40 : 25;
    m_parts.status = best(
        m_byNames.status,
        [&](const ColumnFacts &one) {
            const int points = statusPoints(one);
            const bool isClear = one.name() == m_byNames.status && !m_parts.sentFlag && points != 0
                && isStatusHint(one.words);
            return isClear ? kept(one, points, enough) : points;
        },
        enough);
    m_read.roles.status = m_parts.status ? m_parts.status->name() : QString();
    if (m_parts.status && m_facts.rows() > 0)
        readValues(*m_parts.status);
    if (m_parts.status && m_parts.sentFlag && m_parts.status->set > 0) {
        // Two that say it: the one that more states are told by.
        m_parts.sentFlag = nullptr;
        m_read.roles.processedFlag.clear();
    }
    if (!m_parts.sent && !m_parts.sentFlag && !m_parts.status)
        assignUnused();
    if (!m_parts.lease && !m_parts.owner && !m_parts.lockTime && !m_isThin)
        assignUnusedHolder();
    else if (m_parts.owner && !m_parts.lease && !m_parts.lockTime && !m_isThin)
        assignTimeOfHolder();
    if (m_parts.status && m_facts.rows() > 0)
        dropUnusedHolder(*m_parts.status);
}

/// Rows are held now, by their status, and none of them names a holder or a time: what was taken
/// for these is something else. Clear names stay.
void RowRoleAssignment::dropUnusedHolder(const ColumnFacts &status)
{
    qsizetype held = 0;
    for (auto state = m_read.states.cbegin(); state != m_read.states.cend(); ++state)
        held += state.value() == MessageState::Locked ? status.counts.value(state.key()) : 0;
    if (held == 0 || m_isThin)
        return;
    const auto drop = [](const ColumnFacts *&one, QString &role, bool isClear) {
        if (!one || one->set > 0 || isClear)
            return;
        one = nullptr;
        role.clear();
    };
    const auto isClear = [this](const ColumnFacts *one, const QString &byNames, TimeHint hint) {
        return one && isClearTime(*one, byNames, hint);
    };
    ColumnRoles &roles = m_read.roles;
    drop(m_parts.owner, roles.owner, m_parts.owner && saysHolder(wordsOf(m_parts.owner->name())));
    drop(m_parts.lockTime, roles.lockTime,
         isClear(m_parts.lockTime, m_byNames.lockTime, TimeHint::LockTime));
    drop(m_parts.lease, roles.leaseEnd,
         isClear(m_parts.lease, m_byNames.leaseEnd, TimeHint::LeaseEnd));
}

/// A time that is set in just the rows that somebody holds, in none if nobody holds any: until when
/// or since when, by the order in which people write it.
void RowRoleAssignment::assignTimeOfHolder()
{
    const RowMask held = m_facts.setIn(*m_parts.owner);
    const ColumnFacts *time = nullptr;
    for (const ColumnFacts &one : m_facts.columns()) {
        const bool isOfHolder = isFree(one) && one.isTime && one.startsEmpty()
            && !one.column->generated && timeHint(one.words) == TimeHint::None
            && one.set == m_parts.owner->set && (one.set == 0 || isSame(m_facts.setIn(one), held));
        if (!isOfHolder)
            continue;
        const auto distance = [this](const ColumnFacts &other) {
            return std::abs(other.place - m_parts.owner->place);
        };
        if (!time || distance(one) < distance(*time))
            time = &one;
    }
    if (!time)
        return;
    m_taken += time->place;
    const bool isByStatus = m_read.states.values().contains(MessageState::Locked);
    if (time->place < m_parts.owner->place && !isByStatus) {
        m_parts.lease = time;
        m_read.roles.leaseEnd = time->name();
    } else {
        m_parts.lockTime = time;
        m_read.roles.lockTime = time->name();
    }
    if (time->set == 0)
        m_read.unseen += u"No row is held now: which columns would tell it is a guess."_s;
}

/// A time and a text that no row has yet: that is where a holder stands, while rows are held for
/// moments only. "Locked by, locked at" or "locked until, locked by", in the order people write it.
void RowRoleAssignment::assignUnusedHolder()
{
    const auto isUnused = [this](const ColumnFacts &one) {
        return isFree(one) && one.startsEmpty() && one.set == 0 && !one.column->generated;
    };
    const ColumnFacts *time = nullptr;
    const ColumnFacts *name = nullptr;
    for (const ColumnFacts &one : m_facts.columns()) {
        if (!isUnused(one))
            continue;
        const bool isText = one.column->typeClass == TypeClass::Text && !one.isWide && !one.isTime
            && timeHint(one.words) == TimeHint::None;
        if (!time && one.isTime && timeHint(one.words) == TimeHint::None)
            time = &one;
        else if (!name && isText && typePoints(one.words) == 0 && !isStatusHint(one.words))
            name = &one;
    }
    const bool isByStatus = m_read.states.values().contains(MessageState::Locked);
    if (time && !isByStatus && (!name || time->place < name->place))
        m_parts.lease = time;
    else
        m_parts.lockTime = time;
    m_parts.owner = name;
    for (const ColumnFacts *one : {time, name}) {
        if (one)
            m_taken += one->place;
    }
    m_read.roles.leaseEnd = m_parts.lease ? m_parts.lease->name() : QString();
    m_read.roles.lockTime = m_parts.lockTime ? m_parts.lockTime->name() : QString();
    m_read.roles.owner = m_parts.owner ? m_parts.owner->name() : QString();
    if (time || name)
        m_read.unseen += u"No row is held now: which columns would tell it is a guess."_s;
}

/// Nothing tells what was delivered: then a mark that no row has yet may do so once it is needed.
void RowRoleAssignment::assignUnused()
{
    m_parts.sent = best(
        QString(),
        [](const ColumnFacts &one) {
            const TimeHint hint = timeHint(one.words);
            const bool isOpen = hint == TimeHint::None || hint == TimeHint::Created;
            return one.isTime && one.startsEmpty() && one.set == 0 && isOpen ? 1 : 0;
        },
        1);
    m_read.roles.processedTime = m_parts.sent ? m_parts.sent->name() : QString();
    if (m_parts.sent)
        return;
    m_parts.sentFlag = best(
        QString(),
        [this](const ColumnFacts &one) {
            const bool isUnused = one.column->typeClass == TypeClass::Flag
                && countOf(m_facts.trueIn(one)) == 0 && one.column->hasDefault;
            return isUnused && flagHint(one.words) == FlagHint::None ? 1 : 0;
        },
        1);
    m_read.roles.processedFlag = m_parts.sentFlag ? m_parts.sentFlag->name() : QString();
}

/// Too few rows have one of its values, and no word says what that means.
bool RowRoleAssignment::hasOpenValues(const ColumnFacts &status) const
{
    constexpr int enoughOfIt = 3;
    const QStringList values = allValues(status);
    const bool hasSent = std::any_of(values.cbegin(), values.cend(), [&](const QString &value) {
        return status.counts.value(value) > 0
            && m_read.states.value(value, MessageState::Unknown) == MessageState::Processed;
    });
    if (!hasSent && !m_read.guessed.isEmpty())
        return true; // what begins and what ended looks alike
    return std::any_of(values.cbegin(), values.cend(), [&](const QString &value) {
        if (!m_read.states.contains(value))
            return true;
        return m_read.guessed.contains(value)
            && (m_isThin || status.counts.value(value) < enoughOfIt);
    });
}

/// How sure the rows make us, and whether the table is an outbox by what they show.
void RowRoleAssignment::judge()
{
    const auto known = [](const ColumnFacts *one, const QString &byNames) {
        return one ? one->name() == byNames : byNames.isEmpty();
    };
    QStringList &doubts = m_read.doubts;
    const auto doubt = [&doubts](bool isSo, const QString &text) {
        if (isSo)
            doubts += text;
    };
    const auto unseen = [this](bool isSo, const QString &text) {
        if (isSo)
            m_read.unseen += text;
    };
    unseen(m_isThin, u"There are too few rows to see what its columns mean."_s);
    doubt(!known(m_parts.type, m_byNames.type),
          u"Which column is the type was read off the rows."_s);
    doubt(!known(m_parts.payload, m_byNames.payload),
          u"Which column is the payload was read off the rows."_s);
    doubt(!known(m_parts.created, m_byNames.created),
          u"When a row was created was read off the rows."_s);
    unseen(!m_parts.type || typePoints(m_parts.type->words) <= 0,
           u"No column is surely the type."_s);
    unseen(!m_parts.payload, u"No column is surely the payload."_s);
    unseen(!m_parts.created, u"Nothing tells when a row was created."_s);
    doubt(!known(m_parts.due, m_byNames.due),
          u"Whether rows are due later was read off the rows."_s);
    doubt(!known(m_parts.lease, m_byNames.leaseEnd) || !known(m_parts.owner, m_byNames.owner)
              || !known(m_parts.lockTime, m_byNames.lockTime),
          u"How rows are held was read off the rows."_s);
    doubt(!known(m_parts.failed, m_byNames.failedTime)
              || !known(m_parts.failedFlag, m_byNames.failedFlag),
          u"How rows fail was read off the rows."_s);
    doubt(!known(m_parts.status, m_byNames.status),
          u"Which column is the status was read off the rows."_s);
    doubt(!known(m_parts.attempts, m_byNames.attempts)
              || !known(m_parts.maxAttempts, m_byNames.maxAttempts)
              || !known(m_parts.error, m_byNames.error),
          u"How attempts are counted, or what went wrong, was read off the rows."_s);
    const ColumnFacts *mark = m_parts.sentFlag ? m_parts.sentFlag : m_parts.sent;
    const bool isByTime = !m_parts.status || (m_parts.status->column->nullable && mark);
    doubt(isByTime
              && (!known(m_parts.sent, m_byNames.processedTime)
                  || !known(m_parts.sentFlag, m_byNames.processedFlag)),
          u"How rows are marked once they are delivered was read off the rows."_s);
    unseen(isByTime && (!mark || mark->set == 0),
           u"No row shows yet how it is marked once it is delivered."_s);
    unseen(isByTime && mark && mark->set == m_facts.rows() && mark == m_parts.sent,
           u"No row shows yet how it is before it is delivered."_s);
    if (m_parts.status) {
        const auto shown = m_read.states.values();
        unseen(!shown.contains(MessageState::Processed) || !shown.contains(MessageState::Pending),
               u"`%1` does not show all states yet."_s.arg(m_parts.status->name()));
    } else if (m_parts.sentFlag) {
        const qsizetype sent = countOf(m_facts.trueIn(*m_parts.sentFlag));
        unseen(sent == 0 || sent == m_facts.rows(),
               u"No row shows yet how it is marked once it is delivered."_s);
    }
    m_read.open = openColumns(m_facts, m_named, m_read.roles);
    if (m_parts.status && !m_read.open.contains(m_parts.status->name())
        && hasOpenValues(*m_parts.status))
        m_read.open += m_parts.status->name();
    for (const ColumnFacts &one : m_facts.columns()) {
        doubt(isFree(one) && isStatusHint(one.words),
              u"`%1` may say how far a row is, and its values do not show it."_s.arg(one.name()));
        unseen(isFree(one) && one.set == 0 && one.startsEmpty() && !m_named.contains(one.name()),
               u"No row has set `%1` yet, which may mean anything."_s.arg(one.name()));
        const bool isMark = one.isTime || one.column->typeClass == TypeClass::Flag;
        doubt(isFree(one) && isMark && timeHint(one.words) != TimeHint::Other,
              u"Nobody said what `%1` means."_s.arg(one.name()));
    }
    // Where clear names say all of it, rows need not show it first.
    const auto isClear = [this](const ColumnFacts &one) {
        if (one.isKey || one.name() == m_byNames.key)
            return true;
        if (!m_named.contains(one.name()) || one.words != wordsOf(one.name()))
            return false;
        if (one.column->typeClass == TypeClass::Flag)
            return flagHint(one.words) != FlagHint::None;
        const TimeHint hint = timeHint(one.words);
        return !one.isTime
            || (hint != TimeHint::None && hint != TimeHint::Other
                && isClearTime(one, one.name(), hint));
    };
    const auto &columns = m_facts.columns();
    if (!m_parts.status && doubts.isEmpty()
        && std::all_of(columns.cbegin(), columns.cend(), isClear))
        m_read.unseen.clear();
    if (doubts.isEmpty() && m_read.unseen.isEmpty())
        m_read.open.clear();
    if (m_facts.rows() == 0)
        return;
    m_read.points += m_parts.payload ? 10 : 0;
    m_read.points += m_parts.type && typePointsOf(*m_parts.type) >= 45 ? 20 : 0;
    m_read.points += m_parts.created ? 5 : 0;
    m_read.points += mark || m_parts.status ? 5 : 0;
}

} // namespace outbox
