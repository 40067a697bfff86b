// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A shape as JSON, as shapes.md 3 has it.
#include "models/shape/outboxshape.h"
#include "models/shape/outboxshapewords.h"
#include "models/shape/sparsejson.h"

#include <QJsonArray>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

using namespace shapewords;

void putList(QJsonObject &json, QLatin1StringView member, const QStringList &texts)
{
    if (!texts.isEmpty())
        json[member] = QJsonArray::fromStringList(texts);
}

QJsonObject typeJson(const Shape &shape)
{
    QJsonObject json;
    if (!shape.typeIn.isEmpty())
        write(shape.typeIn, json);
    else if (!shape.typeColumn.isEmpty())
        json["column"_L1] = shape.typeColumn;
    else if (!shape.fixedType.isEmpty())
        json["fixed"_L1] = shape.fixedType;
    return json;
}

QJsonObject payloadJson(const Shape &shape)
{
    QJsonObject json{{u"form"_s, payloadWords.word(shape.payloadForm)}};
    if (shape.payloadForm == Shape::PayloadForm::Reference) {
        json["table_name"_L1] = shape.referenceTableColumn;
        json["table_id"_L1] = shape.referenceIdColumn;
        json["tables"_L1] = QJsonArray::fromStringList(shape.referenceTables);
    } else if (shape.payloadForm != Shape::PayloadForm::None) {
        json["column"_L1] = shape.payloadColumn;
    }
    return json;
}

QJsonObject processedJson(const Shape &shape)
{
    QJsonObject json{{u"how"_s, processedWords.word(shape.processedHow)}};
    put(json, "column"_L1, shape.processedColumn);
    put(json, "time"_L1, shape.processedTimeColumn);
    putList(json, "values"_L1, shape.processedValues);
    if (!shape.processedAnd.isEmpty())
        json["and"_L1] = toJson(shape.processedAnd);
    write(shape.processedIn, json);
    if (shape.processedHow == Shape::ProcessedHow::Offset)
        write(shape.positions, json);
    return json;
}

QJsonObject lockedJson(const Shape &shape)
{
    QJsonObject json{{u"how"_s, lockedWords.word(shape.lockedHow)}};
    switch (shape.lockedHow) {
    case Shape::LockedHow::None:
    case Shape::LockedHow::Row:
        return json;
    case Shape::LockedHow::Until:
        put(json, "column"_L1, shape.leaseColumn);
        break;
    case Shape::LockedHow::Status:
        put(json, "column"_L1, shape.lockedColumn);
        break;
    case Shape::LockedHow::LockRow:
    case Shape::LockedHow::Member:
        write(shape.lockedIn, json);
        break;
    case Shape::LockedHow::Owner:
    case Shape::LockedHow::Node:
        break;
    }
    put(json, "owner"_L1, shape.ownerColumn);
    put(json, "time"_L1, shape.lockTimeColumn);
    if (shape.leaseSeconds > 0)
        json["lease_s"_L1] = shape.leaseSeconds;
    putList(json, "free"_L1, shape.freeOwners);
    putList(json, "values"_L1, shape.lockedValues);
    if (!shape.lockedIn.ownerColumn.isEmpty())
        json["owner"_L1] = shape.lockedIn.ownerColumn;
    if (!shape.lockedIn.timeColumn.isEmpty())
        json["time"_L1] = shape.lockedIn.timeColumn;
    if (!shape.node.isEmpty())
        json["node"_L1] = toJson(shape.node);
    return json;
}

QJsonObject failedJson(const Shape &shape)
{
    QJsonObject json{{u"how"_s, failedWords.word(shape.failedHow)}};
    put(json, "column"_L1, shape.failedColumn);
    putList(json, "values"_L1, shape.failedValues);
    write(shape.failedIn, json);
    return json;
}

/// `waiting` and `pending`: empty where nothing says so.
QJsonObject statusJson(const QString &column, const QStringList &values, const RelatedTable &in)
{
    QJsonObject json;
    if (!in.isEmpty()) {
        json["how"_L1] = u"member"_s;
        write(in, json);
    } else if (!column.isEmpty()) {
        json = {{u"how"_s, u"status"_s}, {u"column"_s, column}};
        json["values"_L1] = QJsonArray::fromStringList(values);
    }
    return json;
}

} // namespace

QJsonObject OutboxShape::toJson() const
{
    QJsonObject json = others;
    json["shape"_L1] = formatVersion;
    json["name"_L1] = name;
    put(json, "family"_L1, family);
    json["use"_L1] = useWords.word(use);
    json["table"_L1] = table.text();
    if (!where.isEmpty())
        json["where"_L1] = outbox::toJson(where);
    QJsonArray key;
    const QList<KeyPart> single{{keyColumn, keyForm}};
    for (const KeyPart &part : keyParts.isEmpty() ? single : keyParts) {
        if (!part.column.isEmpty()) {
            QJsonObject one{{u"column"_s, part.column}, {u"form"_s, keyWords.word(part.form)}};
            if (part.form == KeyForm::UuidBytes)
                one["bytes"_L1] = u"rfc"_s;
            key.append(one);
        }
    }
    json["key"_L1] = key;
    json["task_id"_L1] = taskId;
    put(json, "source"_L1, source);
    if (!alsoTaskIds.isEmpty())
        json["also_task_ids"_L1] = QJsonArray::fromStringList(alsoTaskIds);
    json["payload"_L1] = payloadJson(*this);
    json["processed"_L1] = processedJson(*this);
    json["locked"_L1] = lockedJson(*this);
    const auto object = [&json](QLatin1StringView member, const QJsonObject &value) {
        if (!value.isEmpty())
            json[member] = value;
    };
    object("type"_L1, typeJson(*this));
    if (failedHow != FailedHow::None)
        json["failed"_L1] = failedJson(*this);
    object("waiting"_L1, statusJson(waitingColumn, waitingValues, waitingIn));
    object("pending"_L1, statusJson(pendingColumn, pendingValues, pendingIn));
    put(json, "headers"_L1, headersColumn);
    put(json, "created"_L1, createdColumn);
    put(json, "error"_L1, errorColumn);
    put(json, "queue"_L1, queueColumn);
    put(json, "attempts"_L1, attemptsColumn);
    if (!startedColumn.isEmpty()) {
        json["attempts"_L1]
            = QJsonObject{{u"started"_s, startedColumn}, {u"finished"_s, attemptsColumn}};
    }
    put(json, "max_attempts"_L1, maxAttemptsColumn);
    if (maxAttempts > 0)
        json["max_attempts"_L1] = maxAttempts;
    put(json, "due"_L1, dueColumn);
    if (!dueOnlyIn.isEmpty()) {
        json["due"_L1]
            = QJsonObject{{u"column"_s, dueColumn}, {u"only_in"_s, outbox::toJson(dueOnlyIn)}};
    }
    QJsonObject forms;
    for (auto form = times.cbegin(); form != times.cend(); ++form)
        forms[form.key()] = form.value();
    object("times"_L1, forms);
    json["order"_L1] = QJsonArray::fromStringList(order);
    json["order_is"_L1] = orderWords.word(orderIs);
    put(json, "confirmed"_L1, confirmed);
    return json;
}

} // namespace outbox
