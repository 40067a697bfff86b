// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/comparison/comparedfields.h"

#include "models/content/difference.h"
#include "models/enumtext.h"
#include "models/payload/celltext.h"
#include "models/phrases.h"
#include "models/system/verdict.h"
#include "models/translation.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation fieldText("outbox::ComparedFields");

constexpr auto likenessTexts = enumTexts<Likeness>({
    {Likeness::Same, u"same"},
    {Likeness::Different, u"different"},
    {Likeness::NotKnown, u"not-known"},
});

/// Takes fields of one source, whose names begin alike.
class FieldComparison
{
public:
    explicit FieldComparison(const QString &source) : m_source(source) { }

    void add(const QString &name, const QString &title, const QString &a, const QString &b)
    {
        m_fields += ComparedField{m_source + u'.' + name, title,
                                  a == b ? Likeness::Same : Likeness::Different, a, b};
    }
    void add(const QString &name, const QString &title, const std::optional<int> &a,
             const std::optional<int> &b)
    {
        if (!a && !b)
            return;
        const auto textOf = [](const std::optional<int> &number) {
            return number ? countText(*number) : fieldText("not known");
        };
        add(name, title, textOf(a), textOf(b));
        if (!a || !b)
            m_fields.last().is = Likeness::NotKnown;
    }
    /// Of a source that did not tell it of one message at least.
    void addUnknown(const QString &name, const QString &title, const QString &a, const QString &b)
    {
        add(name, title, a, b);
        m_fields.last().is = Likeness::NotKnown;
    }
    /// Where their texts may be alike, and they are not.
    void addDifferent(const QString &name, const QString &title, const QString &a, const QString &b)
    {
        add(name, title, a, b);
        m_fields.last().is = Likeness::Different;
    }
    [[nodiscard]] const QList<ComparedField> &fields() const { return m_fields; }

private:
    QString m_source;
    QList<ComparedField> m_fields;
};

QString presenceText(bool isThere, const std::optional<Error> &error)
{
    if (error)
        return fieldText("not read: %1").arg(oneLine(*error));
    return isThere ? fieldText("there") : fieldText("none");
}

/// The row was read, but not whether it is parked, which its state and its note tell.
bool isHalfRead(const IdVerdict &facts)
{
    return facts.row && facts.rowError;
}

bool isHeld(const Message &row)
{
    return row.lockedBy || row.state == MessageState::Locked;
}

/// Nothing tells the session that holds it from others.
bool isHolderHidden(const Message &row)
{
    if (!row.lockedBy)
        return isHeld(row);
    return row.lockedBy->pid <= 0 && row.lockedBy->application.isEmpty();
}

void addHolders(FieldComparison &fields, const Message &one, const Message &other)
{
    const auto holder
        = [](const Message &row) { return row.lockedBy ? holderText(*row.lockedBy) : QString(); };
    const QString title = fieldText("Held by");
    if (isHeld(one) && isHeld(other) && (isHolderHidden(one) || isHolderHidden(other)))
        fields.addUnknown(u"held_by"_s, title, holder(one), holder(other));
    else
        fields.add(u"held_by"_s, title, holder(one), holder(other));
}

void addStates(FieldComparison &fields, const IdVerdict &a, const IdVerdict &b)
{
    const bool isWhole = !isHalfRead(a) && !isHalfRead(b);
    const auto add = [&fields, isWhole](const QString &name, const QString &title,
                                        const QString &ofA, const QString &ofB) {
        if (isWhole)
            fields.add(name, title, ofA, ofB);
        else
            fields.addUnknown(name, title, ofA, ofB);
    };
    add(u"state"_s, fieldText("State of the row"), label(a.row->state), label(b.row->state));
    add(u"note"_s, fieldText("Note of the row"), a.row->note, b.row->note);
}

QList<ComparedField> fieldsOfRows(const IdVerdict &a, const IdVerdict &b)
{
    FieldComparison fields(u"row"_s);
    const QString presence = fieldText("Row");
    const QString ofA = presenceText(a.row.has_value(), a.row ? std::nullopt : a.rowError);
    const QString ofB = presenceText(b.row.has_value(), b.row ? std::nullopt : b.rowError);
    if ((a.rowError && !a.row) || (b.rowError && !b.row))
        fields.addUnknown(u"there"_s, presence, ofA, ofB);
    else
        fields.add(u"there"_s, presence, ofA, ofB);
    if (!a.row || !b.row)
        return fields.fields();
    const Message &one = *a.row;
    const Message &other = *b.row;
    addStates(fields, a, b);
    fields.add(u"type"_s, fieldText("Type of the row"), one.type, other.type);
    fields.add(u"queue"_s, fieldText("Queue of the row"), one.queue, other.queue);
    fields.add(u"attempts"_s, fieldText("Attempts"), one.attempts, other.attempts);
    fields.add(u"error"_s, fieldText("Last error of the row"), one.error, other.error);
    fields.add(u"reference"_s, fieldText("Refers to"), one.reference, other.reference);
    addHolders(fields, one, other);
    return fields.fields();
}

/// Its message was too large to be read, or cannot be decoded: only where it stands is known.
bool isOpaque(const Task &task)
{
    return task.damaged || (task.payload.isEmpty() && task.payloadBytes > 0);
}

QString opaqueText(const Task &task)
{
    if (!isOpaque(task))
        return fieldText("read");
    return task.damaged ? fieldText("cannot be decoded")
                        : fieldText("not read: it has %1").arg(bytesText(task.payloadBytes));
}

void addHeaders(FieldComparison &fields, const Task &one, const Task &other)
{
    QStringList keys = one.headers.keys() + other.headers.keys();
    keys.sort();
    keys.removeDuplicates();
    for (const QString &key : std::as_const(keys)) {
        const QString name = u"header."_s + key;
        const QString title = fieldText("Header %1").arg(key);
        if (one.headers.contains(key) == other.headers.contains(key))
            fields.add(name, title, one.headers.value(key), other.headers.value(key));
        else // one that is empty is another one than none
            fields.addDifferent(name, title, one.headers.value(key), other.headers.value(key));
    }
}

/// What stands in the messages of two tasks that were read whole.
void addMessageFields(FieldComparison &fields, const Task &one, const Task &other)
{
    const auto number = [](qint64 count) { return QString::number(count); };
    const auto span = [](qint64 seconds) { // `spanText` says the same of 3,600 s and of 3,605 s
        return fieldText("%1 s").arg(countText(seconds));
    };
    const auto moment = [](const std::optional<QDateTime> &at) {
        return at ? at->toUTC().toString(Qt::ISODate) : QString();
    };
    fields.add(u"type"_s, fieldText("Type of the task"), one.type, other.type);
    fields.add(u"retried"_s, fieldText("Retried"), number(one.retried), number(other.retried));
    fields.add(u"max_retry"_s, fieldText("Retries allowed"), number(one.maxRetry),
               number(other.maxRetry));
    fields.add(u"last_error"_s, fieldText("Last error of the task"), one.lastError,
               other.lastError);
    fields.add(u"timeout_s"_s, fieldText("Timeout"), span(one.timeoutSeconds),
               span(other.timeoutSeconds));
    fields.add(u"retention_s"_s, fieldText("Retention"), span(one.retentionSeconds),
               span(other.retentionSeconds));
    fields.add(u"deadline"_s, fieldText("Deadline"), moment(one.deadline), moment(other.deadline));
    fields.add(u"group"_s, fieldText("Group"), one.group, other.group);
    fields.add(u"unique_key"_s, fieldText("Unique lock"), one.uniqueKey, other.uniqueKey);
    addHeaders(fields, one, other);
}

QList<ComparedField> fieldsOfTasks(const IdVerdict &a, const IdVerdict &b)
{
    FieldComparison fields(u"task"_s);
    const QString presence = fieldText("Task");
    const QString ofA = presenceText(a.task.has_value(), a.taskError);
    const QString ofB = presenceText(b.task.has_value(), b.taskError);
    if (a.taskError || b.taskError)
        fields.addUnknown(u"there"_s, presence, ofA, ofB);
    else
        fields.add(u"there"_s, presence, ofA, ofB);
    if (!a.task || !b.task)
        return fields.fields();
    const Task &one = *a.task;
    const Task &other = *b.task;
    fields.add(u"state"_s, fieldText("State of the task"), label(one.state), label(other.state));
    fields.add(u"queue"_s, fieldText("Queue of the task"), one.queue.text, other.queue.text);
    if (isOpaque(one) || isOpaque(other)) {
        fields.addUnknown(u"message"_s, fieldText("Message of the task"), opaqueText(one),
                          opaqueText(other));
        return fields.fields();
    }
    addMessageFields(fields, one, other);
    return fields.fields();
}

/// The bytes of a payload, as far as they were read.
struct ReadPayload
{
    ComparedPayload::Side side;
    QByteArray bytes;
};

ReadPayload noPayload(const QString &from, const QString &why)
{
    ReadPayload none;
    none.side.from = from;
    none.side.why = why;
    return none;
}

ReadPayload somePayload(const QString &from, const QByteArray &bytes, qint64 stored)
{
    ReadPayload some{{from, stored, bytes.size(), {}}, bytes};
    if (bytes.size() < stored) {
        some.side.why
            = fieldText("only %1 of %2 were read").arg(bytesText(bytes.size()), bytesText(stored));
    }
    return some;
}

ReadPayload payloadOfMessage(const IdVerdict &facts)
{
    if (facts.row && facts.row->payloadBytes < 0)
        return noPayload(u"row"_s, fieldText("the row that it refers to is gone"));
    if (facts.row)
        return somePayload(u"row"_s, facts.row->payload, facts.row->payloadBytes);
    if (facts.rowError) // its task may have another one
        return noPayload({}, oneLine(*facts.rowError));
    if (facts.task && isOpaque(*facts.task))
        return noPayload(u"task"_s, fieldText("the task: %1").arg(opaqueText(*facts.task)));
    if (facts.task)
        return somePayload(u"task"_s, facts.task->payload, facts.task->payloadBytes);
    return noPayload({},
                     facts.taskError ? oneLine(*facts.taskError)
                                     : fieldText("neither a row nor a task is there"));
}

} // namespace

QString word(Likeness likeness)
{
    return likenessTexts.word(likeness);
}

QList<ComparedField> comparedFields(const IdVerdict &a, const IdVerdict &b)
{
    return fieldsOfRows(a, b) + fieldsOfTasks(a, b);
}

ComparedPayload comparedPayloads(const IdVerdict &a, const IdVerdict &b, const PayloadMasks &masks)
{
    const ReadPayload one = payloadOfMessage(a);
    const ReadPayload other = payloadOfMessage(b);
    ComparedPayload compared;
    compared.a = one.side;
    compared.b = other.side;
    if (one.side.bytes < 0 || other.side.bytes < 0)
        return compared;
    const auto [ofOne, ofOther] = std::mismatch(one.bytes.cbegin(), one.bytes.cend(),
                                                other.bytes.cbegin(), other.bytes.cend());
    const bool isOneOver = ofOne == one.bytes.cend();
    const bool isOtherOver = ofOther == other.bytes.cend();
    const bool isWhole = one.side.why.isEmpty() && other.side.why.isEmpty();
    // Where one was read to its end and the other has more, the first byte behind it is another.
    const bool isLonger = (isOneOver && !isOtherOver && one.side.why.isEmpty())
        || (isOtherOver && !isOneOver && other.side.why.isEmpty());
    if ((!isOneOver && !isOtherOver) || isLonger)
        compared.firstOther = ofOne - one.bytes.cbegin();
    if (compared.firstOther || one.side.bytes != other.side.bytes)
        compared.is = Likeness::Different;
    else if (isWhole)
        compared.is = Likeness::Same;
    if (isWhole && compared.is == Likeness::Different) {
        EditedCell cell;
        cell.part = RowPart::Payload;
        cell.seen = {Cell::Kind::Bytes, one.bytes};
        cell.now = Cell{Cell::Kind::Bytes, other.bytes};
        compared.difference = differenceOf({cell}, masks);
    }
    const auto isClear = [&masks](const ReadPayload &payload) {
        return masks.shown(payload.bytes, payload.side.bytes).isClear();
    };
    if (!isClear(one) || !isClear(other)) // where they differ would tell of what is hidden
        compared.firstOther.reset();
    return compared;
}

QString payloadSentence(const ComparedPayload &payload)
{
    QStringList whys;
    if (!payload.a.why.isEmpty())
        whys += fieldText("A: %1").arg(payload.a.why);
    if (!payload.b.why.isEmpty())
        whys += fieldText("B: %1").arg(payload.b.why);
    const QString why = whys.join(u"; "_s);
    const auto withWhy = [&why](const QString &text) {
        return why.isEmpty() ? text : QString(text + u' ' + why + u'.');
    };
    switch (payload.is) {
    case Likeness::Same:
        return fieldText("The payloads are alike, byte for byte (%1).")
            .arg(bytesText(payload.a.bytes));
    case Likeness::Different: {
        const QString sizes = fieldText("The payloads differ: A has %1, B %2.")
                                  .arg(bytesText(payload.a.bytes), bytesText(payload.b.bytes));
        return withWhy(payload.firstOther ? QString(
                           sizes + u' '
                           + fieldText("The first byte that differs is number %1, from 0.")
                                 .arg(countText(*payload.firstOther)))
                                          : sizes);
    }
    case Likeness::NotKnown:
        break;
    }
    return withWhy(fieldText("Whether the payloads differ is not known."));
}

} // namespace outbox
