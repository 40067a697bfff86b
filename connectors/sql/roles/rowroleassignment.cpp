// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a row holds and when it came; then all parts together.
#include "connectors/sql/roles/rowroleassignment.h"

#include "connectors/sql/names/schemawords.h"

#include <QRegularExpression>
#include <QUuid>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QStringList mostWords{u"max"_s, u"maximum"_s, u"limit"_s};

bool isCompoundName(const QString &text)
{
    static const QRegularExpression form(u"^[A-Za-z][A-Za-z0-9]*([._:-][A-Za-z0-9]+)*$"_s);
    return form.match(text).hasMatch() && wordsOf(text).size() >= 2;
}

bool isContentWord(const QStringList &words)
{
    return !words.isEmpty()
        && hasAnyWord({words.constLast()},
                      {u"payload"_s, u"body"_s, u"data"_s, u"content"_s, u"message"_s, u"event"_s,
                       u"json"_s, u"document"_s, u"args"_s, u"envelope"_s, u"blob"_s, u"xml"_s,
                       u"packet"_s, u"detail"_s, u"serialized"_s});
}

} // namespace

RowRoleAssignment::RowRoleAssignment(TableFacts &facts, const ColumnRoles &byNames)
    : m_facts(facts), m_byNames(byNames)
{
    constexpr int enoughRows = 8;
    m_isThin = m_facts.rows() < enoughRows;
    m_givenUp = RowMask(static_cast<std::size_t>(m_facts.rows()));
    m_openByWord = openByWords(m_facts);
    m_done = doneBySomebody(m_facts);
    for (const ColumnFacts &one : m_facts.columns()) {
        if (one.isKey || one.name() == byNames.key)
            m_taken += one.place;
    }
    const ColumnFacts *status = m_facts.column(byNames.status);
    if (status && !isStatusHint(status->words) && status->column->labels.isEmpty()
        && status->column->meanings.isEmpty())
        m_byNames.status.clear(); // the state of something else
    const ColumnFacts *owner = m_facts.column(byNames.owner);
    if (owner && owner->column->typeClass != TypeClass::Integer) {
        const bool isOfThing = hasAnyWord(owner->words, {u"owner"_s, u"owned"_s});
        if ((owner->isFull() && isOfThing) || owner->mustBeFilled())
            m_byNames.owner.clear(); // every row has one: whose it is, not who holds it
    }
    const ColumnFacts *type = m_facts.column(byNames.type);
    const auto saysEvents = [](const ColumnFacts &one) { return one.share(isEventName) > 0.8; };
    constexpr int typeOfSomething = 12;
    const auto isBetter = [&](const ColumnFacts &one) {
        const bool isText = one.column->typeClass == TypeClass::Text && !one.column->nullable;
        return saysEvents(one) || (isText && typePoints(one.words) > typeOfSomething);
    };
    const bool mayBeOther = type
        && ((isOwnerHint(type->words) && type->column->nullable)
            || (typePoints(type->words) <= typeOfSomething && !saysEvents(*type)
                && std::any_of(m_facts.columns().cbegin(), m_facts.columns().cend(), isBetter)));
    if (mayBeOther)
        m_byNames.type.clear();
    const ColumnFacts *due = m_facts.column(byNames.due);
    if (due && timeHint(due->words) == TimeHint::Other)
        m_byNames.due.clear(); // "delete after"
    const ColumnFacts *attempts = m_facts.column(byNames.attempts);
    if (attempts && hasAnyWord(attempts->words, mostWords))
        m_byNames.attempts.clear();
    for (const QString &name :
         {m_byNames.type,      byNames.payload, byNames.headers,       byNames.referenceTable,
          byNames.referenceId, byNames.created, byNames.processedTime, byNames.processedFlag,
          m_byNames.status,    m_byNames.due,   m_byNames.attempts,    byNames.startedAttempts,
          byNames.maxAttempts, byNames.error,   byNames.queue,         byNames.priority,
          byNames.leaseEnd,    m_byNames.owner, byNames.lockTime,      byNames.failedTime,
          byNames.failedFlag}) {
        if (!name.isEmpty())
            m_named += name;
    }
}

int RowRoleAssignment::kept(const ColumnFacts &one, int points, int enough)
{
    constexpr int againstIt = 10;
    if (!m_isThin && points < againstIt && one.set > 0 && !m_doubted.contains(one.name())) {
        m_doubted += one.name();
        m_read.doubts
            += u"Rows speak against what the name of `%1` says; the name was taken."_s.arg(
                one.name());
    }
    return qMax(points, enough + 20);
}

bool RowRoleAssignment::isClearTime(const ColumnFacts &one, const QString &byNames,
                                    TimeHint wanted) const
{
    const auto says = [wanted](const ColumnFacts &time) {
        const QStringList words = wordsOf(time.name());
        return timeHint(words) == wanted && (wanted != TimeHint::Sent || saysSent(words));
    };
    if (one.name() != byNames || !says(one))
        return false;
    // Where two names say it, rows decide.
    return std::none_of(m_facts.columns().cbegin(), m_facts.columns().cend(),
                        [&](const ColumnFacts &other) {
                            return other.place != one.place && other.isTime && !other.isKey
                                && other.column->nullable == one.column->nullable && says(other);
                        });
}

int RowRoleAssignment::weighed(const ColumnFacts &one, const QString &byNames, int points) const
{
    constexpr int certain = 100;
    if (!m_isThin)
        return points;
    if (one.name() == byNames)
        return certain;
    return byNames.isEmpty() && !m_named.contains(one.name()) ? points : 0;
}

/// What orders and routes rows may be a part of their key, which plays no other part here.
void RowRoleAssignment::keepKeyParts()
{
    for (QString ColumnRoles::*role :
         {&ColumnRoles::created, &ColumnRoles::due, &ColumnRoles::priority, &ColumnRoles::queue}) {
        if ((m_read.roles.*role).isEmpty() && m_byNames.keyParts.contains(m_byNames.*role))
            m_read.roles.*role = m_byNames.*role;
    }
}

RowReading RowRoleAssignment::read()
{
    m_read.roles = m_byNames;
    assignContent();
    assignCounters();
    assignTimes();
    assignOwner();
    assignFlags();
    assignStatus();
    keepKeyParts();
    judge();
    return m_read;
}

double RowRoleAssignment::shareOf(const RowMask &mask) const
{
    return m_facts.rows() > 0 ? double(countOf(mask)) / double(m_facts.rows()) : 0;
}

int RowRoleAssignment::payloadPoints(const ColumnFacts &one) const
{
    const TypeClass kind = one.column->typeClass;
    if (!one.isWide || one.isTime)
        return 0;
    const bool isStructured = kind == TypeClass::Json || kind == TypeClass::Bytes;
    int points = !isStructured ? 0 : m_facts.rows() > 0 ? 5 : 15;
    points += one.name() == m_byNames.payload ? byOldRules : 0;
    points += !one.column->nullable ? 15 : 0;
    points += isContentWord(one.words) ? 20 : 0;
    points -= hasAnyWord(one.words,
                         {u"header"_s, u"metadata"_s, u"meta"_s, u"attribute"_s, u"property"_s,
                          u"context"_s, u"error"_s, u"exception"_s, u"reason"_s, u"extra"_s,
                          u"trace"_s, u"option"_s, u"tag"_s})
        ? 30
        : 0;
    if (m_facts.rows() > 0) {
        points += one.isFull() ? 5 : -25;
        points += isStructured || one.share(isDocument) > 0.9 ? 20 : 0;
        const bool isRepeating = kind == TypeClass::Text && m_facts.rows() >= 8
            && one.counts.size() * 4 < m_facts.rows();
        points -= isRepeating ? 30 : 0;
    } else if (kind == TypeClass::Text && one.column->hasDefault) {
        points -= 20;
    }
    const bool isFirst
        = std::none_of(m_facts.columns().cbegin(), m_facts.columns().cbegin() + one.place,
                       [this](const ColumnFacts &other) { return other.isWide && isFree(other); });
    points -= one.column->nullable && hasDocumentBefore(m_facts, one) ? 20 : 0;
    return points + (isFirst ? 15 : 0);
}

int RowRoleAssignment::typePointsOf(const ColumnFacts &one) const
{
    const TypeClass kind = one.column->typeClass;
    if ((kind != TypeClass::Text && kind != TypeClass::Named) || one.isTime
        || &one == m_parts.payload)
        return 0;
    int points = typePoints(one.words) + (one.name() == m_byNames.type ? byOldRules : 0);
    points += one.column->nullable ? -10 : 10;
    points -= isStatusHint(one.words) || isOwnerHint(one.words) ? 30 : 0;
    const auto isOther = [](const ColumnFacts &other) { return other.isKey || other.isTime; };
    const auto &columns = m_facts.columns();
    const bool isFirst
        = std::all_of(columns.cbegin(), columns.cbegin() + one.place,
                      [&](const ColumnFacts &other) { return isOther(other) || !isFree(other); });
    points += isFirst ? 12 : 0;
    points += m_parts.payload && one.place + 1 == m_parts.payload->place ? 8 : 0;
    if (m_facts.rows() == 0)
        return one.column->hasDefault || one.isWide ? points - 10 : points;
    points -= one.isFull() ? 0 : 25;
    if (one.share(isEventName) > 0.8)
        points += 35;
    else if (one.share(isCompoundName) > 0.8)
        points += 8;
    const auto isNoName = [](const QString &cell) {
        return cell.contains(u'/') || cell.contains(u' ') || cell.size() > 100
            || !QUuid::fromString(cell).isNull() || isDocument(cell);
    };
    points -= one.share(isNoName) > 0.3 ? 50 : 0;
    const bool isOfEachRow = m_facts.rows() >= 20 && one.counts.size() * 10 > m_facts.rows() * 9;
    return isOfEachRow && one.share(isEventName) < 0.8 ? points - 30 : points;
}

int RowRoleAssignment::createdPoints(const ColumnFacts &one) const
{
    const bool isNumber = one.column->typeClass == TypeClass::Integer;
    if (!one.isTime && !(m_facts.rows() == 0 && isNumber && one.name() == m_byNames.created))
        return 0;
    const TimeHint hint = timeHint(one.words);
    int points = one.name() == m_byNames.created ? byOldRules : 0;
    points += hint == TimeHint::Created ? 30 : 0;
    // One that every row has from its beginning tells no delivery, whatever its name.
    points -= hint == TimeHint::Sent                          ? 5
        : hint != TimeHint::Created && hint != TimeHint::None ? 30
                                                              : 0;
    points += one.column->nullable && !one.column->hasDefault ? -20 : 10;
    points += one.column->hasDefault ? 5 : 0;
    bool isFirst = true;
    bool isEarliest = true;
    for (const ColumnFacts &other : m_facts.columns()) {
        if (!other.isTime || other.place == one.place)
            continue;
        isFirst &= other.place > one.place;
        qsizetype both = 0;
        qsizetype later = 0;
        for (qsizetype row = 0; row < qMin(one.at.size(), other.at.size()); ++row) {
            if (one.at.at(row) == noTime || other.at.at(row) == noTime)
                continue;
            ++both;
            later += other.at.at(row) + 1000 >= one.at.at(row) ? 1 : 0;
        }
        isEarliest &= (later + (both > 2 ? 1 : 0)) * 100 >= both * 95; // a lease may be long past
    }
    points += isFirst ? 10 : 0;
    if (m_facts.rows() == 0)
        return isFirst && !one.column->nullable ? points + 10 : points;
    points += one.isFull() ? 10 : -40;
    points += isEarliest ? 10 : -30;
    constexpr qint64 anyZone = qint64{15} * 3'600'000; // a naive time may be of one that is ahead
    const bool isAhead = std::any_of(one.at.cbegin(), one.at.cend(),
                                     [this](qint64 at) { return at > m_facts.now() + anyZone; });
    points -= isAhead || countOf(m_facts.future(one)) * 10 > m_facts.rows() ? 60 : 0;
    return points;
}

void RowRoleAssignment::assignContent()
{
    const ColumnFacts *byName = m_facts.column(m_byNames.payload);
    // A short text holds no document; one that may be empty stands beside the one that may not.
    const bool isByName = byName && byName->isWide && !byName->isTime
        && !(byName->column->nullable && hasDocumentBefore(m_facts, *byName));
    if (!isByName)
        m_named.remove(m_byNames.payload);
    m_parts.payload = best(
        isByName ? m_byNames.payload : QString(),
        [this](const ColumnFacts &one) { return payloadPoints(one); }, 20);
    if (m_parts.payload)
        m_read.roles.payload = m_parts.payload->name();
    if (m_parts.payload && !m_byNames.rivalPayload.isEmpty()) {
        m_read.doubts += u"`%1` could be the payload, too."_s.arg(
            m_parts.payload->name() == m_byNames.payload ? m_byNames.rivalPayload
                                                         : m_byNames.payload);
        m_read.roles.rivalPayload.clear();
    }
    const int enoughForType = m_isThin && m_facts.rows() > 0 ? 35 : 20;
    m_parts.type = best(
        m_byNames.type,
        [&](const ColumnFacts &one) {
            static const QStringList clear{u"messagetype"_s, u"eventtype"_s, u"type"_s,
                                           u"eventname"_s, u"messagename"_s};
            const int points = typePointsOf(one);
            const bool isClear = one.name() == m_byNames.type
                && clear.contains(wordsOf(one.name()).join(QString()));
            return isClear ? kept(one, points, enoughForType + 30) : points;
        },
        enoughForType);
    m_read.roles.type = m_parts.type ? m_parts.type->name() : QString();
    m_parts.created = best(
        m_byNames.created,
        [this](const ColumnFacts &one) {
            const int points = createdPoints(one);
            const bool isClear = isClearTime(one, m_byNames.created, TimeHint::Created);
            return isClear ? kept(one, points, 25) : points;
        },
        25);
    m_read.roles.created = m_parts.created ? m_parts.created->name() : QString();
    if (m_parts.created && m_facts.rows() > 0)
        m_facts.orderBy(m_parts.created);
    if (m_read.roles.headers == m_read.roles.payload)
        m_read.roles.headers.clear();
    if (m_parts.payload && m_facts.rows() > 0 && m_parts.payload->name() != m_byNames.payload)
        because(u"payload"_s, u"Each row has a document of its own there."_s);
    if (m_parts.type && m_parts.type->share(isEventName) > 0.8) {
        because(u"type"_s,
                u"Its values say what happened: %1."_s.arg(
                    m_parts.type->counts.keys().mid(0, 3).join(u", "_s)));
    }
    if (m_parts.created && m_parts.created->isFull())
        because(u"created"_s, u"Each row has it, and no other time of a row is earlier."_s);
}

void RowRoleAssignment::assignCounters()
{
    // What its name calls a counter may be empty, and may have any value.
    const auto isCounter = [](const ColumnFacts &one, const QString &byNames, qsizetype most) {
        return one.isNumber && !one.isTime
            && (one.name() == byNames || (!one.column->nullable && one.counts.size() <= most));
    };
    m_parts.maxAttempts = best(
        m_byNames.maxAttempts,
        [&](const ColumnFacts &one) {
            if (!isCounter(one, m_byNames.maxAttempts, 1))
                return 0;
            const bool isNamed = hasAnyWord(one.words, mostWords);
            const int least = one.column->defaultText.toInt();
            return (isNamed ? 30 : 0) + (least > 1 ? 10 : 0)
                + (one.name() == m_byNames.maxAttempts ? byOldRules : 0)
                + (one.counts.size() == 1 && one.counts.firstKey().toInt() == least ? 10 : 0);
        },
        20);
    const ColumnFacts *attempts = best(
        m_byNames.attempts,
        [&](const ColumnFacts &one) {
            if (!isCounter(one, m_byNames.attempts, 30)
                || hasAnyWord(one.words,
                              QStringList{u"version"_s, u"priority"_s, u"status"_s, u"state"_s}
                                  + mostWords))
                return 0;
            const bool isNamed
                = hasAnyWord(one.words,
                             {u"attempt"_s, u"retry"_s, u"try"_s, u"tries"_s, u"failure"_s,
                              u"times"_s, u"delivery"_s, u"execution"_s, u"fail"_s});
            int points = isNamed ? 30 : 0;
            points += one.name() == m_byNames.attempts ? byOldRules : 0;
            points += one.column->defaultText == u"0" ? 10 : isNamed ? -10 : -20;
            int most = 0;
            for (auto count = one.counts.cbegin(); count != one.counts.cend(); ++count)
                most = qMax(most, count.key().toInt());
            if (m_parts.maxAttempts && !m_parts.maxAttempts->counts.isEmpty()) {
                const int limit = m_parts.maxAttempts->counts.firstKey().toInt();
                points += most == limit ? 20 : 0;
                points += most >= 2 && most < limit ? 10 : 0; // no flag, and nobody is at the limit
            }
            points += m_parts.maxAttempts && one.place + 1 == m_parts.maxAttempts->place ? 10 : 0;
            return points;
        },
        20);
    m_parts.error = best(
        m_byNames.error,
        [this](const ColumnFacts &one) {
            if (one.name() == m_byNames.error)
                return 90;
            if (!one.isWide || one.column->typeClass != TypeClass::Text || !one.column->nullable)
                return 0;
            const bool isProse = one.share([](const QString &cell) {
                return cell.contains(u' ') && !isDocument(cell);
            }) > 0.8;
            return isProse && !one.isFull() ? 25 : 0;
        },
        25);
    if (m_parts.error)
        m_read.roles.error = m_parts.error->name();
    countTriesBy(attempts);
    m_read.roles.maxAttempts
        = m_parts.maxAttempts && m_parts.attempts ? m_parts.maxAttempts->name() : QString();
    if (m_read.roles.startedAttempts == m_read.roles.attempts)
        m_read.roles.startedAttempts.clear();
}

} // namespace outbox
