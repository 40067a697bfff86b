// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/roles/columnroles.h"

#include "connectors/sql/names/namehints.h"
#include "connectors/sql/names/schemawords.h"
#include "connectors/sql/roles/tablefacts.h"

#include <QSet>

#include <algorithm>
#include <optional>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// A column that has no part yet, and the words of its name.
struct Candidate
{
    const CatalogColumn *column = nullptr;
    QStringList words;
};

/// A time, or a number or text that is one by its name.
bool timeLike(const Candidate &one)
{
    static const QSet<QString> endings{u"at"_s,   u"on"_s,    u"time"_s,
                                       u"date"_s, u"until"_s, u"timestamp"_s};
    const TypeClass kind = one.column->typeClass;
    return kind == TypeClass::Time
        || ((kind == TypeClass::Integer || kind == TypeClass::Text) && !one.words.isEmpty()
            && endings.contains(one.words.constLast()));
}

bool textual(const Candidate &one)
{
    return one.column->typeClass == TypeClass::Text || one.column->typeClass == TypeClass::Named;
}

/// Gives each column to one part at most, the surest parts first.
class RoleAssignment
{
public:
    explicit RoleAssignment(const CatalogTable &table)
    {
        for (const CatalogColumn &column : table.columns)
            m_free += {&column, wordsOf(column.name)};
    }

    void take(const QString &name)
    {
        m_free.removeIf([&name](const Candidate &one) { return one.column->name == name; });
    }

    /// The first free column that `fits`, the words of `order` deciding between several.
    template <typename Fits> QString cast(const QStringList &order, Fits fits)
    {
        for (const QString &word : order) {
            for (const Candidate &one : m_free) {
                if (hasWord(one.words, word) && fits(one)) {
                    QString name = one.column->name;
                    take(name);
                    return name;
                }
            }
        }
        return {};
    }

    [[nodiscard]] const QList<Candidate> &left() const { return m_free; }

private:
    QList<Candidate> m_free;
};

int payloadPoints(const Candidate &one)
{
    static const QList<std::pair<QString, int>> weights{
        {u"payload"_s, 60},   {u"body"_s, 50},       {u"data"_s, 45},     {u"content"_s, 40},
        {u"message"_s, 38},   {u"event"_s, 36},      {u"args"_s, 34},     {u"argument"_s, 34},
        {u"parameter"_s, 32}, {u"invocation"_s, 30}, {u"command"_s, 28},  {u"serialized"_s, 40},
        {u"operation"_s, 30}, {u"param"_s, 34},      {u"envelope"_s, 30}, {u"request"_s, 26},
        {u"handler"_s, 24},   {u"document"_s, 22},   {u"job"_s, 22},      {u"value"_s, 20},
        {u"blob"_s, 24},      {u"packet"_s, 24},     {u"detail"_s, 20}};
    static const QStringList never{u"id"_s,    u"type"_s,  u"key"_s,     u"version"_s, u"path"_s,
                                   u"error"_s, u"hash"_s,  u"address"_s, u"name"_s,    u"status"_s,
                                   u"class"_s, u"queue"_s, u"topic"_s,   u"schema"_s,  u"count"_s};
    const TypeClass kind = one.column->typeClass;
    const bool structured = kind == TypeClass::Json || kind == TypeClass::Bytes;
    static const QStringList moments{u"time"_s,   u"date"_s,      u"at"_s,    u"on"_s,
                                     u"moment"_s, u"timestamp"_s, u"until"_s, u"instant"_s};
    if (!structured && !one.words.isEmpty() && hasAnyWord(one.words.last(1), moments))
        return 0; // "event time" as a text
    if (one.words.isEmpty() || (!structured && kind != TypeClass::Text)
        || hasAnyWord(one.words, never))
        return 0;
    int points = 0;
    for (const auto &[word, weight] : weights) {
        const bool isLastOnly = word == u"data"; // "data center" is none
        if (hasWord(isLastOnly ? one.words.last(1) : one.words, word))
            points = qMax(points, weight);
    }
    if (points == 0)
        return 0;
    if (hasAnyWord(one.words, {u"context"_s, u"extra"_s, u"header"_s, u"metadata"_s, u"trace"_s}))
        points -= 20; // of the message, and not what it says
    constexpr int mostOfShortText = 256;
    if (lengthOf(*one.column).value_or(mostOfShortText + 1) <= mostOfShortText)
        points -= 20;
    return structured ? points + 15 : points;
}

/// Which column holds what is sent, and which one nearly could.
void assignPayload(RoleAssignment &assignment, ColumnRoles &roles)
{
    int best = 0;
    int second = 0;
    for (const Candidate &one : assignment.left()) {
        const int points = payloadPoints(one);
        if (points > best) {
            second = best;
            roles.rivalPayload = roles.payload;
            best = points;
            roles.payload = one.column->name;
        } else if (points > second) {
            second = points;
            roles.rivalPayload = one.column->name;
        }
    }
    if (second == 0 || second < best - 5)
        roles.rivalPayload.clear();
    assignment.take(roles.payload);
}

/// Or which two name a row of another table instead.
void assignReference(RoleAssignment &assignment, ColumnRoles &roles)
{
    static const QStringList never{u"aggregate"_s, u"lock"_s, u"worker"_s};
    for (const Candidate &id : assignment.left()) {
        if (id.words.size() < 2 || id.words.constLast() != u"id" || hasAnyWord(id.words, never))
            continue;
        for (const Candidate &name : assignment.left()) {
            const bool pair = name.words.size() == id.words.size()
                && name.words.first(name.words.size() - 1) == id.words.first(id.words.size() - 1)
                && (name.words.constLast() == u"name" || name.words.constLast() == u"type");
            if (pair && textual(name)) {
                roles.referenceId = id.column->name;
                roles.referenceTable = name.column->name;
                assignment.take(roles.referenceId);
                assignment.take(roles.referenceTable);
                return;
            }
        }
    }
}

const QStringList processedRole{u"processed"_s, u"dispatched"_s, u"published"_s, u"delivered"_s,
                                u"completed"_s, u"completion"_s, u"finished"_s,  u"handled"_s,
                                u"done"_s,      u"acked"_s,      u"sent"_s,      u"enqueued"_s,
                                u"consumed"_s,  u"relayed"_s,    u"forwarded"_s, u"emitted"_s,
                                u"succeeded"_s, u"executed"_s,   u"finalized"_s};
const QStringList failedRole{u"failed"_s,   u"abandoned"_s, u"discarded"_s, u"dead"_s,
                             u"parked"_s,   u"aborted"_s,   u"poisoned"_s,  u"blocked"_s,
                             u"rejected"_s, u"cancelled"_s};
const QStringList notProcessed{u"attempt"_s, u"count"_s, u"by"_s, u"last"_s, u"max"_s, u"next"_s};

/// "enqueue_at", "dispatch_after": when something is to be done. A date of the same verb is when
/// somebody asked for it.
bool isIntent(const Candidate &one)
{
    static const QStringList endings{u"at"_s, u"after"_s};
    return one.words.size() == 2 && endings.contains(one.words.constLast())
        && isToBeDone(one.words.constFirst());
}

/// A truth value, also one that is kept as a number which starts as 0.
bool flagLike(const Candidate &one)
{
    const CatalogColumn &column = *one.column;
    return column.typeClass == TypeClass::Flag
        || (column.typeClass == TypeClass::Integer && column.defaultText == u"0" && !timeLike(one)
            && (one.words.size() == 1 || one.words.constFirst() == u"is"));
}

QString castType(RoleAssignment &assignment)
{
    static const QList<QStringList> phrases{{u"message"_s, u"type"_s},
                                            {u"event"_s, u"type"_s},
                                            {u"type"_s},
                                            {u"event"_s, u"name"_s},
                                            {u"message"_s, u"name"_s},
                                            {u"type"_s, u"name"_s},
                                            {u"job"_s, u"class"_s},
                                            {u"class"_s, u"name"_s},
                                            {u"kind"_s},
                                            {u"topic"_s},
                                            {u"worker"_s},
                                            {u"destination"_s},
                                            {u"name"_s},
                                            {u"subject"_s},
                                            {u"action"_s},
                                            {u"operation"_s},
                                            {u"channel"_s},
                                            {u"queue"_s},
                                            {u"format"_s}};
    static const QStringList never{u"content"_s, u"id"_s, u"error"_s, u"source"_s, u"aggregate"_s};
    for (const QStringList &phrase : phrases) {
        QString found = assignment.cast({phrase.constFirst()}, [&phrase](const Candidate &one) {
            for (const QString &word : phrase) {
                if (!hasWord(one.words, word))
                    return false;
            }
            return textual(one) && !hasAnyWord(one.words, never) && typePoints(one.words) >= 0;
        });
        if (!found.isEmpty())
            return found;
    }
    return {};
}

void assignLease(RoleAssignment &assignment, ColumnRoles &roles)
{
    static const QStringList locks{u"lock"_s,    u"locked"_s,   u"lease"_s,      u"leased"_s,
                                   u"claimed"_s, u"reserved"_s, u"visibility"_s, u"fetched"_s,
                                   u"picked"_s,  u"owner"_s};
    static const QStringList ends{u"until"_s,  u"expires"_s, u"expiry"_s, u"expiration"_s,
                                  u"expire"_s, u"till"_s,    u"end"_s,    u"timeout"_s};
    static const QStringList owners{u"by"_s, u"owner"_s, u"id"_s, u"instance"_s, u"token"_s};
    roles.leaseEnd = assignment.cast(locks, [](const Candidate &one) {
        const bool alone = one.words.size() == 1 && hasWord(one.words, u"lease"_s);
        return (alone || hasAnyWord(one.words, ends))
            && (one.column->typeClass == TypeClass::Time || timeLike(one));
    });
    roles.owner = assignment.cast(locks, [](const Candidate &one) {
        const TypeClass kind = one.column->typeClass;
        return hasAnyWord(one.words, owners) && !timeLike(one)
            && (kind == TypeClass::Text || kind == TypeClass::Uuid || kind == TypeClass::Integer)
            && !one.column->generated;
    });
    if (roles.owner.isEmpty()) {
        roles.owner = assignment.cast({u"worker"_s}, [](const Candidate &one) {
            return one.words == QStringList{u"worker"_s, u"id"_s};
        });
    }
    roles.lockTime = assignment.cast(
        locks, [](const Candidate &one) { return timeLike(one) && !hasAnyWord(one.words, ends); });
}

QString assignStatus(RoleAssignment &assignment)
{
    static const QStringList never{u"id"_s, u"code"_s, u"http"_s, u"reason"_s, u"message"_s};
    const auto fits = [](const Candidate &one) {
        const bool isNumber = one.column->typeClass == TypeClass::Integer
            || one.column->type.startsWith("tinyint"_L1); // of one digit: a flag, or more
        return one.words.size() <= 2 && !hasAnyWord(one.words, never) && (textual(one) || isNumber);
    };
    for (const bool mayBeNull : {false, true}) {
        for (const qsizetype words : {1, 2}) {
            QString found = assignment.cast({u"status"_s, u"state"_s}, [&](const Candidate &one) {
                return fits(one) && one.words.size() == words
                    && (mayBeNull || !one.column->nullable);
            });
            if (!found.isEmpty())
                return found;
        }
    }
    return {};
}

void assignAttempts(RoleAssignment &assignment, ColumnRoles &roles)
{
    static const QStringList order{u"attempt"_s,   u"tries"_s,    u"try"_s,
                                   u"retry"_s,     u"retried"_s,  u"failure"_s,
                                   u"execution"_s, u"delivery"_s, u"times"_s};
    const auto counts = [](const Candidate &one) {
        return one.column->typeClass == TypeClass::Integer && !timeLike(one);
    };
    roles.maxAttempts = assignment.cast(order, [&](const Candidate &one) {
        return counts(one) && hasAnyWord(one.words, {u"max"_s, u"maximum"_s, u"limit"_s});
    });
    roles.startedAttempts = assignment.cast({u"started"_s}, [&](const Candidate &one) {
        return counts(one) && hasAnyWord(one.words, order);
    });
    roles.attempts = assignment.cast(order, counts);
}

/// When a row came, and when it is due.
void assignTimes(RoleAssignment &assignment, ColumnRoles &roles)
{
    const QStringList createdWords{u"created"_s,  u"occurred"_s,    u"inserted"_s, u"added"_s,
                                   u"creation"_s, u"publication"_s, u"enqueued"_s, u"enqueue"_s,
                                   u"sent"_s,     u"queued"_s,      u"recorded"_s, u"issued"_s};
    const auto surelyCreated = [](const Candidate &one) {
        return timeLike(one) && !isIntent(one) && (!one.column->nullable || one.column->hasDefault);
    };
    roles.created = assignment.cast(createdWords, surelyCreated);
    const QStringList bareTime{u"timestamp"_s, u"time"_s};
    if (roles.created.isEmpty()) {
        roles.created = assignment.cast(bareTime, [&](const Candidate &one) {
            return one.words.size() == 1 && surelyCreated(one);
        });
    }
    if (roles.created.isEmpty()) {
        roles.created = assignment.cast(
            createdWords, [](const Candidate &one) { return timeLike(one) && !isIntent(one); });
    }
    if (roles.created.isEmpty()) {
        roles.created = assignment.cast(
            bareTime, [](const Candidate &one) { return one.words.size() == 1 && timeLike(one); });
    }
    roles.due = assignment.cast(
        {u"scheduled"_s, u"available"_s, u"run"_s, u"due"_s, u"next"_s, u"visible"_s, u"ready"_s,
         u"deliver"_s, u"start"_s, u"after"_s, u"eta"_s, u"execute"_s, u"process"_s, u"publish"_s},
        [](const Candidate &one) {
            return (timeLike(one)
                    || (one.column->typeClass == TypeClass::Text && hasWord(one.words, u"after"_s)))
                && !hasAnyWord(one.words, {u"last"_s, u"by"_s, u"expires"_s})
                && timeHint(one.words) != TimeHint::Sent;
        });
    if (roles.due.isEmpty()) {
        const auto meant
            = std::find_if(assignment.left().cbegin(), assignment.left().cend(),
                           [](const Candidate &one) { return timeLike(one) && isIntent(one); });
        if (meant != assignment.left().cend())
            roles.due = meant->column->name;
        assignment.take(roles.due);
    }
}

void assignRouting(RoleAssignment &assignment, ColumnRoles &roles)
{
    roles.priority = assignment.cast({u"priority"_s}, [](const Candidate &one) {
        return one.column->typeClass == TypeClass::Integer;
    });
    roles.queue = assignment.cast({u"queue"_s}, [](const Candidate &one) {
        return textual(one)
            && (one.words.size() == 1 || (one.words.size() == 2 && hasWord(one.words, u"name"_s)));
    });
}

/// What orders and routes rows is often part of a key of several columns.
void assignKeyParts(const CatalogTable &table, ColumnRoles &roles)
{
    CatalogTable key;
    for (const QString &name : roles.keyParts)
        key.columns += *table.column(name);
    RoleAssignment assignment(key);
    ColumnRoles parts;
    assignTimes(assignment, parts);
    assignRouting(assignment, parts);
    for (QString ColumnRoles::*role :
         {&ColumnRoles::created, &ColumnRoles::due, &ColumnRoles::priority, &ColumnRoles::queue}) {
        if ((roles.*role).isEmpty())
            roles.*role = parts.*role;
    }
}

} // namespace

bool isToBeDone(const QString &word)
{
    return word == u"send" || processedRole.contains(QString(word + u'd'))
        || processedRole.contains(QString(word + u"ed"_s));
}

ColumnRoles rolesOf(const CatalogTable &table)
{
    ColumnRoles roles;
    RoleAssignment assignment(table);
    if (table.primaryKey.size() == 1)
        roles.key = table.primaryKey.constFirst();
    else if (table.primaryKey.size() > 1)
        roles.keyParts = table.primaryKey;
    else if (!table.uniqueColumns.isEmpty())
        roles.key = table.uniqueColumns.constFirst();
    for (const QString &column : roles.keyParts + QStringList{roles.key})
        assignment.take(column);

    assignLease(assignment, roles);
    roles.status = assignStatus(assignment);
    roles.failedTime = assignment.cast(failedRole, [](const Candidate &one) {
        return timeLike(one) && one.column->nullable && !one.column->hasDefault;
    });
    roles.failedFlag = assignment.cast(failedRole, [](const Candidate &one) {
        return flagLike(one) || (one.column->typeClass == TypeClass::Text && one.words.size() == 1);
    });
    // A time that may be empty and has no default records what may not have happened yet.
    roles.processedTime = assignment.cast(processedRole, [](const Candidate &one) {
        return timeLike(one) && one.column->nullable && !one.column->hasDefault
            && !hasAnyWord(one.words, notProcessed);
    });
    if (roles.processedTime.isEmpty()) { // "publish time", "delivery date"
        const auto moment = std::find_if(
            assignment.left().cbegin(), assignment.left().cend(), [](const Candidate &one) {
                return one.column->typeClass == TypeClass::Time && one.column->nullable
                    && !one.column->hasDefault && timeHint(one.words) == TimeHint::Sent;
            });
        if (moment != assignment.left().cend())
            roles.processedTime = moment->column->name;
        assignment.take(roles.processedTime);
    }
    roles.processedFlag = assignment.cast(processedRole, [](const Candidate &one) {
        return flagLike(one) && !hasAnyWord(one.words, notProcessed)
            && flagHint(one.words) != FlagHint::Business;
    });
    const QStringList flagWords = wordsOf(roles.processedFlag);
    const QStringList timeWords = wordsOf(roles.processedTime);
    const bool isTwin = std::any_of(flagWords.cbegin(), flagWords.cend(),
                                    [&](const QString &one) { return timeWords.contains(one); });
    const bool saysDelivered = flagHint(flagWords) == FlagHint::Sent;
    if (!roles.processedFlag.isEmpty() && !roles.processedTime.isEmpty() && !isTwin
        && !saysDelivered)
        roles.processedFlag.clear(); // two marks of different things: the time says more
    assignTimes(assignment, roles);
    assignAttempts(assignment, roles);
    roles.error = assignment.cast(
        {u"error"_s, u"exception"_s, u"failure"_s, u"reason"_s, u"cause"_s},
        [](const Candidate &one) {
            const TypeClass kind = one.column->typeClass;
            return (kind == TypeClass::Text || kind == TypeClass::Json || kind == TypeClass::List)
                && !hasAnyWord(one.words, {u"class"_s, u"type"_s});
        });
    assignRouting(assignment, roles);
    roles.headers = assignment.cast(
        {u"header"_s, u"metadata"_s, u"meta"_s, u"property"_s, u"attribute"_s},
        [](const Candidate &one) {
            const TypeClass kind = one.column->typeClass;
            return kind == TypeClass::Json || kind == TypeClass::Bytes || kind == TypeClass::Text;
        });
    assignPayload(assignment, roles);
    if (roles.payload.isEmpty())
        assignReference(assignment, roles);
    roles.type = castType(assignment);
    assignKeyParts(table, roles);
    for (const Candidate &one : assignment.left())
        roles.unknown += one.column->name;
    return roles;
}

} // namespace outbox
