// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/fields.h"

#include "models/message/messagestate.h"
#include "models/nearest.h"
#include "models/operations/auditentry.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

using Field = FilterField;

QString subjectWord(FilterSubject subject)
{
    switch (subject) {
    case FilterSubject::Rows:
        return u"rows"_s;
    case FilterSubject::Tasks:
        return u"tasks"_s;
    case FilterSubject::Activities:
        break;
    }
    return u"the record"_s;
}

const QList<FieldInfo> &rowFields()
{
    static const QList<FieldInfo> fields{
        {Field::State, u"state"_s, FilterKind::Words, u"state:pending"_s,
         u"where the row stands"_s},
        {Field::Type, u"type"_s, FilterKind::Text, u"type:email:*"_s, u"what kind of message"_s},
        {Field::Id, u"id"_s, FilterKind::Start, u"id:7e57"_s, u"the beginning of its key"_s},
        {Field::Age, u"age"_s, FilterKind::Duration, u"age>5m"_s, u"time since it was written"_s},
        {Field::Created, u"created"_s, FilterKind::Time, u"created:today"_s,
         u"when it was written"_s},
        {Field::Processed, u"processed"_s, FilterKind::Time, u"processed>-15m"_s,
         u"when it was delivered"_s},
        {Field::Wait, u"wait"_s, FilterKind::Duration, u"wait>1h"_s,
         u"from written to delivered"_s},
        {Field::Due, u"due"_s, FilterKind::Time, u"due<14:02"_s, u"not before"_s},
        {Field::Attempts, u"attempts"_s, FilterKind::Number, u"attempts>=3"_s, u"tries so far"_s},
        {Field::Max, u"max"_s, FilterKind::Number, u"max<=5"_s, u"tries allowed"_s},
        {Field::Error, u"error"_s, FilterKind::Text, u"error~timeout"_s, u"the last error"_s},
        {Field::Cause, u"cause"_s, FilterKind::Text, u"cause:\"timeout after *\""_s,
         u"the last error, details as *"_s},
        {Field::Queue, u"queue"_s, FilterKind::Text, u"queue:critical"_s, u"where it is sent"_s},
        {Field::Payload, u"payload"_s, FilterKind::Value, u"payload.user.id:42"_s,
         u"a member of its content"_s},
        {Field::Size, u"size"_s, FilterKind::Size, u"size>10k"_s, u"bytes of its content"_s},
        {Field::Task, u"task"_s, FilterKind::Words, u"task:archived"_s, u"its task in the queue"_s},
        {Field::Dedup, u"dedup"_s, FilterKind::Words, u"dedup:held"_s,
         u"whether its id is taken"_s},
        {Field::Locked, u"locked"_s, FilterKind::Presence, u"locked:none"_s, u"held by somebody"_s},
        {Field::Owner, u"owner"_s, FilterKind::Text, u"owner~relay"_s, u"who holds it"_s},
        {Field::LockAge, u"lockage"_s, FilterKind::Duration, u"lockage>5m"_s,
         u"how long it is held"_s},
        {Field::Header, u"header"_s, FilterKind::Value, u"header.tenant:acme"_s,
         u"one of its headers"_s},
        {Field::Column, u"col"_s, FilterKind::Value, u"col.tenant_id:7"_s,
         u"any column, as it is"_s}};
    return fields;
}

const QList<FieldInfo> &taskFields()
{
    static const QList<FieldInfo> fields{
        {Field::State, u"state"_s, FilterKind::Words, u"state:retry"_s, u"where the task stands"_s},
        {Field::Type, u"type"_s, FilterKind::Text, u"type:email:*"_s, u"what kind of task"_s},
        {Field::Id, u"id"_s, FilterKind::Start, u"id:7e57"_s, u"the beginning of its id"_s},
        {Field::Age, u"age"_s, FilterKind::Duration, u"age>5m"_s, u"time in its state"_s},
        {Field::Error, u"error"_s, FilterKind::Text, u"error~timeout"_s, u"the last error"_s},
        {Field::Cause, u"cause"_s, FilterKind::Text, u"cause:\"timeout after *\""_s,
         u"the last error, details as *"_s},
        {Field::Attempts, u"retried"_s, FilterKind::Number, u"retried>=3"_s, u"retries so far"_s},
        {Field::Max, u"max"_s, FilterKind::Number, u"max<=5"_s, u"retries allowed"_s},
        {Field::Failed, u"failed"_s, FilterKind::Time, u"failed>-1h"_s, u"when it last failed"_s},
        {Field::Next, u"next"_s, FilterKind::Time, u"next<14:02"_s, u"when it runs next"_s},
        {Field::Since, u"since"_s, FilterKind::Time, u"since<-1h"_s, u"waiting since"_s},
        {Field::Completed, u"completed"_s, FilterKind::Time, u"completed:today"_s,
         u"when it was done"_s},
        {Field::Expires, u"expires"_s, FilterKind::Time, u"expires<14:02"_s, u"kept until"_s},
        {Field::Queue, u"queue"_s, FilterKind::Text, u"queue:critical"_s, u"its queue"_s},
        {Field::Payload, u"payload"_s, FilterKind::Value, u"payload.user.id:42"_s,
         u"a member of its content"_s},
        {Field::Size, u"size"_s, FilterKind::Size, u"size>10k"_s, u"bytes of its content"_s},
        {Field::Attempts, u"attempts"_s, FilterKind::Number, u"attempts>=3"_s,
         u"the same as retried"_s}};
    return fields;
}

const QList<FieldInfo> &activityFields()
{
    static const QList<FieldInfo> fields{
        {Field::When, u"when"_s, FilterKind::Time, u"when:today"_s, u"when it was done"_s},
        {Field::Verb, u"verb"_s, FilterKind::Words, u"verb:purge"_s, u"what was done"_s},
        {Field::Who, u"who"_s, FilterKind::Text, u"who:ana*"_s, u"by whom"_s},
        {Field::Profile, u"profile"_s, FilterKind::Text, u"profile:orders"_s, u"to which system"_s},
        {Field::Outcome, u"outcome"_s, FilterKind::Words, u"outcome:done"_s,
         u"what became of it"_s},
        {Field::Record, u"record"_s, FilterKind::Words, u"record:database"_s,
         u"where it was read"_s},
        {Field::Note, u"note"_s, FilterKind::Text, u"note~INC"_s, u"why it was done"_s},
        {Field::Id, u"id"_s, FilterKind::Start, u"id:7e57"_s, u"of it, a row or a task"_s}};
    return fields;
}

template <typename Value> QStringList wordsOfAll(const QList<Value> &values)
{
    QStringList words;
    for (const Value value : values)
        words += word(value);
    return words;
}

} // namespace

const QList<FieldInfo> &fieldsOf(FilterSubject subject)
{
    switch (subject) {
    case FilterSubject::Tasks:
        return taskFields();
    case FilterSubject::Activities:
        return activityFields();
    case FilterSubject::Rows:
        break;
    }
    return rowFields();
}

const FieldInfo *fieldNamed(FilterSubject subject, const QString &name)
{
    for (const FieldInfo &one : fieldsOf(subject)) {
        if (one.name == name)
            return &one;
    }
    return nullptr;
}

QStringList wordsOf(FilterSubject subject, FilterField field)
{
    if (field == Field::Verb)
        return wordsOfAll(allVerbs());
    if (field == Field::Outcome)
        return wordsOfAll(allActivityStates());
    if (field == Field::Record)
        return wordsOfAll(allActivityRecords());
    if (field == Field::Dedup)
        return {u"held"_s, u"free"_s};
    if (field == Field::Task)
        return wordsOfAll(soundTaskStates()) << u"dead"_s << u"done"_s << u"none"_s << u"any"_s;
    if (subject == FilterSubject::Rows)
        return wordsOfAll(allMessageStates());
    return wordsOfAll(soundTaskStates()) << u"dead"_s << u"done"_s;
}

Failure fieldFault(const FilterTerm &term, FilterSubject subject)
{
    QStringList known;
    for (const FieldInfo &one : fieldsOf(subject))
        known += one.name;
    const QString hint
        = u"fields: %1; a text with a colon stands in quotes"_s.arg(known.join(u", "_s));
    for (const FilterSubject other :
         {FilterSubject::Rows, FilterSubject::Tasks, FilterSubject::Activities}) {
        if (fieldNamed(other, term.name())) {
            return filterFault(term.position,
                               u"`%1` is a field of %2"_s.arg(term.name(), subjectWord(other)),
                               hint);
        }
    }
    const QString nearest = nearestWord(term.name(), known);
    return filterFault(term.position, u"`%1`: unknown field"_s.arg(term.field),
                       nearest.isEmpty() ? hint : u"Did you mean `%1`?"_s.arg(nearest));
}

bool looksLikeId(QStringView word)
{
    bool digit = false;
    for (const QChar c : word) {
        const bool hexLetter = (c >= u'a' && c <= u'f') || (c >= u'A' && c <= u'F');
        const bool isDigit = c >= u'0' && c <= u'9';
        if (!isDigit && !hexLetter && c != u'-')
            return false;
        digit = digit || isDigit;
    }
    return digit;
}

} // namespace outbox
