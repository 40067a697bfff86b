// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/mapping/meaning.h"

#include <QCoreApplication>
#include <QSet>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

struct Traits
{
    Meaning meaning;
    const char *label;
    const char *member; ///< of the shape's JSON
    QString OutboxShape::*column; ///< nullptr: the order is a list
};

const QList<Traits> &traits()
{
    static const QList<Traits> all{
        {Meaning::Key, "Key", "key", &OutboxShape::keyColumn},
        {Meaning::Type, "Type", "type", &OutboxShape::typeColumn},
        {Meaning::Payload, "Payload", "payload", &OutboxShape::payloadColumn},
        {Meaning::ReferenceTable, "Referenced table", "payload",
         &OutboxShape::referenceTableColumn},
        {Meaning::ReferenceId, "Referenced key", "payload", &OutboxShape::referenceIdColumn},
        {Meaning::Headers, "Headers", "headers", &OutboxShape::headersColumn},
        {Meaning::Queue, "Queue", "queue", &OutboxShape::queueColumn},
        {Meaning::Created, "Created", "created", &OutboxShape::createdColumn},
        {Meaning::Order, "Order", "order", nullptr},
        {Meaning::Due, "Due time", "due", &OutboxShape::dueColumn},
        {Meaning::Processed, "Processed", "processed", &OutboxShape::processedColumn},
        {Meaning::ProcessedTime, "Processed at", "processed", &OutboxShape::processedTimeColumn},
        {Meaning::LeaseEnd, "Held until", "locked", &OutboxShape::leaseColumn},
        {Meaning::Owner, "Held by", "locked", &OutboxShape::ownerColumn},
        {Meaning::LockTime, "Held since", "locked", &OutboxShape::lockTimeColumn},
        {Meaning::Failed, "Failed", "failed", &OutboxShape::failedColumn},
        {Meaning::Attempts, "Attempts", "attempts", &OutboxShape::attemptsColumn},
        {Meaning::MostAttempts, "Most attempts", "attempts", &OutboxShape::maxAttemptsColumn},
        {Meaning::LastError, "Last error", "error", &OutboxShape::errorColumn}};
    return all;
}

const Traits &traitsOf(Meaning meaning)
{
    for (const Traits &one : traits()) {
        if (one.meaning == meaning)
            return one;
    }
    return traits().constFirst();
}

using Classes = QSet<TypeClass>;

/// What a mark says is told by its `how`.
Classes markClasses(const OutboxShape &shape, Meaning meaning, bool isLoose)
{
    const bool byTime = meaning == Meaning::Processed
        ? shape.processedHow == OutboxShape::ProcessedHow::Time
        : shape.failedHow == OutboxShape::FailedHow::Time;
    const bool byFlag = meaning == Meaning::Processed
        ? shape.processedHow == OutboxShape::ProcessedHow::Flag
        : shape.failedHow == OutboxShape::FailedHow::Flag;
    if (byTime)
        return isLoose ? Classes{TypeClass::Time, TypeClass::Integer, TypeClass::Text}
                       : Classes{TypeClass::Time};
    if (byFlag)
        return {TypeClass::Flag, TypeClass::Integer};
    return {TypeClass::Text, TypeClass::Named, TypeClass::Integer};
}

Classes classesFor(Meaning meaning, const OutboxShape &shape, bool isLoose)
{
    Classes texts{TypeClass::Text, TypeClass::Named};
    Classes times{TypeClass::Time, TypeClass::Integer};
    if (isLoose)
        times += TypeClass::Text;
    switch (meaning) {
    case Meaning::Key:
        return {TypeClass::Integer, TypeClass::Uuid, TypeClass::Text, TypeClass::Named,
                TypeClass::Bytes};
    case Meaning::Type:
    case Meaning::Queue:
    case Meaning::ReferenceTable:
        return texts;
    case Meaning::Payload:
    case Meaning::Headers:
        return {TypeClass::Json, TypeClass::Text, TypeClass::Bytes};
    case Meaning::ReferenceId:
        return {TypeClass::Integer, TypeClass::Uuid, TypeClass::Text};
    case Meaning::Created:
    case Meaning::Due:
    case Meaning::LeaseEnd:
    case Meaning::LockTime:
        return times;
    case Meaning::ProcessedTime:
        return isLoose ? times : Classes{TypeClass::Time};
    case Meaning::Order:
        return {TypeClass::Time, TypeClass::Integer, TypeClass::Uuid, TypeClass::Text};
    case Meaning::Processed:
    case Meaning::Failed:
        return markClasses(shape, meaning, isLoose);
    case Meaning::Owner:
        return {TypeClass::Text, TypeClass::Integer, TypeClass::Uuid};
    case Meaning::Attempts:
    case Meaning::MostAttempts:
        return {TypeClass::Integer};
    case Meaning::LastError:
        return {TypeClass::Text, TypeClass::Json};
    }
    return {};
}

/// What our relay or an operator would have to write.
bool isWritten(Meaning meaning)
{
    return meaning == Meaning::Processed || meaning == Meaning::ProcessedTime
        || meaning == Meaning::Attempts || meaning == Meaning::LastError;
}

} // namespace

QList<Meaning> allMeanings()
{
    QList<Meaning> all;
    for (const Traits &one : traits())
        all += one.meaning;
    return all;
}

QString label(Meaning meaning)
{
    return QCoreApplication::translate("outbox::Meaning", traitsOf(meaning).label);
}

QString memberOf(Meaning meaning)
{
    return QString::fromLatin1(traitsOf(meaning).member);
}

QString OutboxShape::*placeOf(Meaning meaning)
{
    return traitsOf(meaning).column;
}

QString columnOf(const OutboxShape &shape, Meaning meaning)
{
    if (meaning == Meaning::Order) {
        const QString first = shape.order.value(0);
        return first.startsWith(u'-') ? first.mid(1) : first;
    }
    return shape.*placeOf(meaning);
}

bool canCarry(Meaning meaning, const OutboxShape &shape, const CatalogTable &table,
              const CatalogColumn &column, bool isLoose)
{
    if (column.generated && isWritten(meaning))
        return false;
    if (meaning == Meaning::Key && table.primaryKey != QStringList{column.name}
        && !table.uniqueColumns.contains(column.name))
        return false; // by any other a claim would take rows that it did not read
    if (isLoose && column.typeClass == TypeClass::Other)
        return true;
    return classesFor(meaning, shape, isLoose).contains(column.typeClass);
}

bool needsZone(const CatalogColumn &column, bool isLoose)
{
    const bool mayBeLocal
        = isLoose ? column.typeClass != TypeClass::Integer : column.typeClass == TypeClass::Time;
    return mayBeLocal && !column.saysZone;
}

bool isUuidBytes(const CatalogColumn &column)
{
    return column.typeClass == TypeClass::Uuid
        && column.uuidForm == OutboxShape::KeyForm::UuidBytes;
}

OutboxShape::KeyForm keyFormOf(const CatalogColumn &key)
{
    using Form = OutboxShape::KeyForm;
    if (key.typeClass == TypeClass::Uuid)
        return key.uuidForm;
    if (key.typeClass == TypeClass::Integer)
        return Form::Integer;
    return key.type.endsWith(u"(36)"_s) ? Form::UuidText : Form::Text; // as long as a uuid is
}

QString taskIdTemplateOf(const OutboxShape &shape)
{
    if (shape.keyForm == OutboxShape::KeyForm::Integer)
        return shape.createdColumn.isEmpty() ? u"{source}:{id}"_s : u"{source}:{id}:{born}"_s;
    return shape.keyForm == OutboxShape::KeyForm::Text ? u"{source}:{id}"_s : u"{id}"_s;
}

OutboxShape::PayloadForm payloadFormOf(const CatalogColumn &payload)
{
    if (payload.typeClass == TypeClass::Json)
        return OutboxShape::PayloadForm::Json;
    return payload.typeClass == TypeClass::Bytes ? OutboxShape::PayloadForm::Bytes
                                                 : OutboxShape::PayloadForm::Text;
}

} // namespace outbox
