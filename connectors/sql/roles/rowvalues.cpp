// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the values of a status mean: by their words, by the rows that have them, by their age, by
// their place in a list.
#include "connectors/sql/roles/rowvalues.h"

#include "connectors/sql/names/schemawords.h"
#include "connectors/sql/names/statuswords.h"
#include "connectors/sql/names/wordmeaning.h"
#include "connectors/sql/roles/rowroleassignment.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype manyValueRows = 40;

/// Most of the rows of `mask` are in `other`.
bool mostly(const RowMask &mask, const RowMask &other)
{
    return countOf(mask) > 0 && bothIn(mask, other) * 10 >= countOf(mask) * 9;
}

} // namespace

MessageState stateOf(const ColumnFacts &status, const QString &value)
{
    return stateOfValue(status.column->meanings.value(value, value));
}

MessageState stateByMeaning(const QString &value)
{
    constexpr qsizetype shortestWord = 3;
    if (value.size() < shortestWord)
        return MessageState::Unknown;
    const QStringList words = meantWords(value);
    if (words.contains(u"being"_s))
        return MessageState::Locked;
    if (const MessageState state = stateOfValue(words.join(u' ')); state != MessageState::Unknown)
        return state;
    if (hasAnyWord(words, {u"not"_s, u"to"_s}))
        return saysSent(words) ? MessageState::Pending : MessageState::Unknown;
    switch (timeHint(words)) {
    case TimeHint::Created:
        return MessageState::Pending;
    case TimeHint::Due:
        return MessageState::Waiting;
    case TimeHint::Sent:
        return MessageState::Processed;
    case TimeHint::Failed:
        return MessageState::Failed;
    case TimeHint::LeaseEnd:
    case TimeHint::LockTime:
        return MessageState::Locked;
    case TimeHint::None:
    case TimeHint::Other:
        break;
    }
    return MessageState::Unknown;
}

QStringList allValues(const ColumnFacts &status)
{
    QStringList values
        = status.counts.keys() + status.column->labels + status.column->meanings.keys();
    if (!status.column->defaultText.isEmpty())
        values += status.column->defaultText;
    values.removeDuplicates();
    return values;
}

/// What the rows that have this value say of it, beside its word; Unknown: nothing.
MessageState RowRoleAssignment::stateByRows(const ColumnFacts &status, const QString &value) const
{
    const RowMask rows = m_facts.holding(status, value);
    if (countOf(rows) == 0)
        return MessageState::Unknown;
    const RowMask &done = m_done;
    if (!done.empty() && mostly(rows, done))
        return MessageState::Processed;
    const bool isUndone = !done.empty() && bothIn(rows, done) == 0; // nobody did it
    if (m_parts.sent && m_parts.sent->set > 0 && mostly(rows, m_facts.setIn(*m_parts.sent))
        && !isUndone)
        return MessageState::Processed;
    if (m_parts.due && mostly(rows, m_facts.future(*m_parts.due)))
        return MessageState::Waiting;
    if (countOf(heldNow()) > 0 && mostly(rows, heldNow()))
        return MessageState::Locked;
    if (countOf(m_givenUp) > 0 && mostly(rows, m_givenUp))
        return MessageState::Failed;
    if (!m_isThin && isSame(rows, m_triedWell) && countOf(rows) >= 8)
        return MessageState::Processed;
    const bool isErrorOnly = m_parts.error && countOf(rows) >= 2
        && mostly(rows, m_facts.setIn(*m_parts.error)) && m_parts.error->set < m_facts.rows();
    return isErrorOnly ? MessageState::Failed : MessageState::Unknown;
}

void RowRoleAssignment::readValues(const ColumnFacts &status)
{
    QMap<QString, MessageState> byRows;
    const bool isOfSentOnly = m_parts.sent && isStatusHint(status.words)
        && isValueOf(m_facts, status, m_facts.setIn(*m_parts.sent), 1);
    for (const QString &value : allValues(status)) {
        MessageState byWord = stateOf(status, value);
        if (byWord == MessageState::Processed && wordsOf(value).contains(u"being"_s))
            byWord = MessageState::Unknown; // "being sent"
        const MessageState seen = stateByRows(status, value);
        if (byWord == MessageState::Waiting && isStranded(status, value))
            byWord = MessageState::Unknown;
        const bool isUnsent = isWithoutTime(status, value);
        if (byWord == MessageState::Processed && isUnsent)
            byWord = MessageState::Unknown; // another value has that time
        const bool isDefault = value == status.column->defaultText;
        if (byWord != MessageState::Unknown) {
            m_read.states[value] = byWord;
            if (m_parts.sent && seen == MessageState::Processed && byWord != MessageState::Processed
                && !isDefault) {
                m_read.doubts += u"Rows with `%1` in `%2` have their time in `%3`."_s.arg(
                    value, status.name(), m_parts.sent->name());
            }
            continue;
        }
        MessageState byMeaning = stateByMeaning(status.column->meanings.value(value, value));
        // What is due later or held now, by other columns, is that whatever a rare word may mean.
        const bool isShown = seen == MessageState::Waiting || seen == MessageState::Locked;
        if (!m_isThin && isShown)
            byMeaning = seen;
        else if (byMeaning == MessageState::Processed && isUnsent)
            byMeaning = MessageState::Unknown;
        if (byMeaning == MessageState::Waiting && isStranded(status, value))
            byMeaning = MessageState::Failed;
        if (isDefault)
            m_read.states[value] = MessageState::Pending;
        else if (byMeaning != MessageState::Unknown && seen != MessageState::Processed)
            m_read.states[value] = byMeaning;
        else if (status.isTruth && !status.isNumber)
            m_read.states[value] = isYes(value) ? MessageState::Processed : MessageState::Pending;
        else if (m_isThin
                 && (seen != MessageState::Processed || (status.isNumber && !isOfSentOnly)))
            continue; // too few rows to say it
        else if (seen != MessageState::Unknown)
            m_read.states[value] = seen;
        else if (status.counts.value(value) > (m_facts.rows() >= manyValueRows ? 0 : 1))
            byRows[value] = seen; // of few rows, one shows nothing
        if (m_read.states.contains(value) && !isDefault) {
            m_read.guessed += value;
            m_read.doubts += u"What `%1` in `%2` means was guessed by its word and its rows."_s.arg(
                value, status.name());
        }
    }
    if (!byRows.isEmpty())
        giveRest(status, byRows);
    giveLabels(status);
    giveBegin(status);
}

/// The time of delivery is known of others, and no row of this value has it.
bool RowRoleAssignment::isWithoutTime(const ColumnFacts &status, const QString &value) const
{
    constexpr qsizetype enoughOthers = 20; // beside them a single row shows it
    const RowMask rows = m_facts.holding(status, value);
    if (m_isThin || !m_parts.sent || m_parts.sent->set == 0 || countOf(rows) == 0)
        return false;
    return (countOf(rows) >= 2 || m_parts.sent->set >= enoughOthers)
        && bothIn(rows, m_facts.setIn(*m_parts.sent)) == 0;
}

/// Rows of it wait, by a word, and nothing ahead of them is what they wait for: they are as old as
/// any, and no other value says that rows failed.
bool RowRoleAssignment::isStranded(const ColumnFacts &status, const QString &value) const
{
    constexpr int enough = 3;
    const RowMask rows = m_facts.holding(status, value);
    if (m_isThin || !m_facts.isOrdered() || countOf(rows) < enough
        || value == status.column->defaultText)
        return false;
    const bool isDue = m_parts.due && bothIn(rows, m_facts.future(*m_parts.due)) > 0;
    const QStringList values = allValues(status);
    const auto isOther = [&](MessageState wanted) {
        return std::any_of(values.cbegin(), values.cend(), [&](const QString &other) {
            return other != value && stateOf(status, other) == wanted;
        });
    };
    constexpr double earlyOn = 0.4;
    return !isDue && !isOther(MessageState::Failed) && m_facts.firstAgeOf(rows) < earlyOn;
}

/// Words call two values delivered, but one stands in young rows only: these begin, where no other
/// value says that, or somebody is at them now.
void RowRoleAssignment::giveBegin(const ColumnFacts &status)
{
    QStringList sent;
    for (auto state = m_read.states.cbegin(); state != m_read.states.cend(); ++state) {
        if (state.value() == MessageState::Processed && status.counts.value(state.key()) > 0)
            sent += state.key();
    }
    if (m_isThin || !m_facts.isOrdered() || sent.size() != 2)
        return;
    const auto rows = [&](const QString &value) { return m_facts.holding(status, value); };
    if (m_facts.ageOf(rows(sent.constFirst())) < m_facts.ageOf(rows(sent.constLast())))
        std::swap(sent.first(), sent.last());
    const RowMask young = rows(sent.constFirst());
    const RowMask old = rows(sent.constLast());
    const bool isMarked = m_parts.sent && bothIn(young, m_facts.setIn(*m_parts.sent)) > 0;
    if (isMarked || !m_facts.isOlder(old) || m_facts.firstAgeOf(young) < m_facts.ageOf(old))
        return;
    const QList<MessageState> shown = m_read.states.values();
    MessageState state = MessageState::Pending;
    if (shown.contains(MessageState::Pending)) {
        if (shown.contains(MessageState::Locked)
            || m_facts.firstAgeOf(young) < m_facts.lastAgeOf(old) || countOf(young) < 3)
            return;
        state = MessageState::Locked;
    }
    const QString &value = sent.constFirst();
    m_read.states[value] = state;
    if (!m_read.guessed.contains(value))
        m_read.guessed += value;
    m_read.doubts += u"What `%1` in `%2` means was guessed by the age of its rows."_s.arg(
        value, status.name());
}

/// Labels that no row shows: people list them in the order in which rows pass them.
void RowRoleAssignment::giveLabels(const ColumnFacts &status)
{
    const QStringList &labels = status.column->labels;
    const auto placeOf = [&](MessageState state) {
        for (qsizetype place = 0; place < labels.size(); ++place) {
            if (m_read.states.value(labels.at(place), MessageState::Unknown) == state)
                return place;
        }
        return qsizetype(-1);
    };
    const qsizetype begin = placeOf(MessageState::Pending);
    const qsizetype end = placeOf(MessageState::Processed);
    if (begin < 0 || end <= begin || m_isThin)
        return;
    for (qsizetype place = labels.size() - 1; place > begin; --place) {
        const QString &label = labels.at(place);
        if (m_read.states.contains(label))
            continue;
        const bool isHeld = placeOf(MessageState::Locked) < 0 && !m_parts.lease && !m_parts.owner
            && !m_parts.lockTime;
        m_read.states[label] = place > end ? MessageState::Failed
            : isHeld                       ? MessageState::Locked
                                           : MessageState::Waiting;
        m_read.guessed += label;
        m_read.doubts += u"What `%1` in `%2` means was guessed by its place in the list."_s.arg(
            label, status.name());
    }
}

/// Values that neither a word nor another column explains: the age of their rows does. What is old
/// has ended, for the most part well; what is young begins.
void RowRoleAssignment::giveRest(const ColumnFacts &status,
                                 const QMap<QString, MessageState> &byRows)
{
    const auto stands
        = [this](MessageState state) { return m_read.states.values().contains(state); };
    QStringList rest = byRows.keys();
    const auto count = [&status](const QString &value) { return status.counts.value(value); };
    const auto age = [this, &status](const QString &value) {
        return m_facts.ageOf(m_facts.holding(status, value));
    };
    const auto take = [&](const QString &value, MessageState state) {
        m_read.states[value] = state;
        m_read.guessed += value;
        rest.removeAll(value);
        m_read.doubts += u"What `%1` in `%2` means was guessed by the age of its rows."_s.arg(
            value, status.name());
    };
    if (!m_facts.isOrdered()) { // only the ways of those that are known are left
        const bool isEnd = stands(MessageState::Processed) && stands(MessageState::Pending)
            && !stands(MessageState::Failed);
        const bool isBegin = stands(MessageState::Processed) && !stands(MessageState::Pending);
        if ((isEnd || isBegin) && rest.size() == 1)
            take(rest.constFirst(), isEnd ? MessageState::Failed : MessageState::Pending);
        return;
    }
    const bool hasSent = m_parts.sent && m_parts.sent->set > 0;
    // Where a younger row was given up, somebody was through with this one before.
    const auto isPassed = [&](const QString &value) {
        double lastFailed = 0;
        for (auto state = m_read.states.cbegin(); state != m_read.states.cend(); ++state) {
            if (state.value() == MessageState::Failed && count(state.key()) >= 2)
                lastFailed
                    = qMax(lastFailed, m_facts.lastAgeOf(m_facts.holding(status, state.key())));
        }
        return age(value) < lastFailed;
    };
    if (!stands(MessageState::Processed) && !hasSent) {
        QString best;
        double most = 0;
        for (const QString &value : std::as_const(rest)) {
            const double weight = double(count(value)) * (1.1 - age(value));
            if (weight > most && (age(value) < 0.55 || rest.size() == 1)) {
                most = weight;
                best = value;
            }
        }
        if (!best.isEmpty() && (rest.size() > 1 || stands(MessageState::Pending) || isPassed(best)))
            take(best, MessageState::Processed);
    }
    const auto isYoung = [&](const QString &value) {
        double sentAge = -1;
        for (auto state = m_read.states.cbegin(); state != m_read.states.cend(); ++state) {
            if (state.value() == MessageState::Processed && count(state.key()) > 0)
                sentAge = qMax(sentAge, age(state.key()));
        }
        double lastSent = 0;
        for (auto state = m_read.states.cbegin(); state != m_read.states.cend(); ++state) {
            if (state.value() == MessageState::Processed && count(state.key()) > 0)
                lastSent = qMax(lastSent, m_facts.lastAgeOf(m_facts.holding(status, state.key())));
        }
        return age(value) > sentAge + 0.15 && (count(value) >= 5 || age(value) > lastSent - 0.05);
    };
    if (!stands(MessageState::Pending) && std::any_of(rest.cbegin(), rest.cend(), isYoung)) {
        QString youngest;
        for (const QString &value : std::as_const(rest)) {
            const auto weight = [&](const QString &one) {
                return one.isEmpty() ? 0 : count(one) * age(one) * age(one);
            };
            if (isYoung(value) && weight(value) > weight(youngest))
                youngest = value;
        }
        if (!youngest.isEmpty())
            take(youngest, MessageState::Pending);
    }
    const auto isUsed = [](const ColumnFacts *one) { return one && one->set > 0; };
    // What is younger than all that was delivered has begun, the rest has ended badly.
    double lastSent = -1;
    for (auto state = m_read.states.cbegin(); state != m_read.states.cend(); ++state) {
        if (state.value() == MessageState::Processed && count(state.key()) > 0)
            lastSent = qMax(lastSent, m_facts.lastAgeOf(m_facts.holding(status, state.key())));
    }
    for (const QString &value : QStringList(rest)) {
        const bool hasBegun
            = m_facts.firstAgeOf(m_facts.holding(status, value)) > lastSent && lastSent >= 0;
        const bool isHeld = hasBegun && !stands(MessageState::Locked) && !isUsed(m_parts.lease)
            && !isUsed(m_parts.owner) && !isUsed(m_parts.lockTime);
        take(value, isHeld ? MessageState::Locked : MessageState::Failed);
    }
}

} // namespace outbox
