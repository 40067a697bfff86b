// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A shape as JSON, as shapes.md 3 has it.

#include "models/localtime.h"
#include "models/shape/outboxshape.h"
#include "models/shape/outboxshapewords.h"
#include "models/shape/sparsejson.h"

#include <QJsonArray>
#include <QSet>

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using namespace shapewords;

namespace {

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
    put(json, "queue"_L1, queueColumn.isEmpty() ? queueShards.text() : queueColumn);
    if (QueueShards::isTemplate(queueColumn))
        json["queue"_L1] = QJsonObject{{u"column"_s, queueColumn}};
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

namespace {

tl::unexpected<Error> unreadShape(const QString &text, const QString &hint = {})
{
    return fail(Error::Kind::Invalid, u"reading the shape"_s, text, {}, hint);
}

/// Reads a word of a closed list into `place`; a newer shape is told from a typing error only by
/// the list that is printed.
template <typename Enum, std::size_t count>
Result<void> readWord(const EnumTexts<Enum, count> &words, const QString &text,
                      const QString &member, Enum &place)
{
    if (const auto value = words.fromWord(text)) {
        place = *value;
        return {};
    }
    QStringList known;
    for (const Enum one : words.all())
        known += words.word(one);
    return fail(Error::Kind::Unsupported, u"reading the shape"_s,
                u"\"%1\": \"%2\" is not supported"_s.arg(member, text), {},
                u"known values: "_s + known.join(u", "_s));
}

/// A member that is a column name, or an object with "column".
QString columnOf(const QJsonValue &value)
{
    return value.isObject() ? value.toObject().value("column"_L1).toString() : value.toString();
}

Result<void> readStatus(const QJsonObject &json, const QString &member, QString &column,
                        QStringList &values, RelatedTable &in)
{
    if (json.isEmpty())
        return {};
    const QString how = json.value("how"_L1).toString();
    if (how == u"member") {
        in = relatedTableFromJson(json);
        return in.isEmpty() ? Result<void>(unreadShape(u"\"%1\" needs a \"table\""_s.arg(member)))
                            : Result<void>();
    }
    if (how != u"status") {
        return fail(Error::Kind::Unsupported, u"reading the shape"_s,
                    u"\"%1.how\": \"%2\" is not supported"_s.arg(member, how), {},
                    u"known values: status, member"_s);
    }
    column = json.value("column"_L1).toString();
    values = textsOf(json.value("values"_L1));
    return column.isEmpty() || values.isEmpty() ? Result<void>(
               unreadShape(u"\"%1\" by status needs a \"column\" and \"values\""_s.arg(member)))
                                                : Result<void>();
}

Result<void> readKey(const QJsonArray &keys, Shape &shape)
{
    for (const auto &entry : keys) {
        const QJsonObject key = entry.toObject();
        Shape::KeyPart part;
        part.column = key.value("column"_L1).toString();
        if (part.column.isEmpty())
            return unreadShape(u"a part of \"key\" names no column"_s);
        TRY(readWord(keyWords, key.value("form"_L1).toString(u"text"_s), u"key.form"_s, part.form));
        const QString order = key.value("bytes"_L1).toString(u"rfc"_s);
        if (part.form == Shape::KeyForm::UuidBytes && order != u"rfc") {
            return fail(Error::Kind::Unsupported, u"reading the shape"_s,
                        u"\"key.bytes\": \"%1\" is not supported"_s.arg(order), {},
                        u"known values: rfc"_s);
        }
        shape.keyParts += part;
    }
    if (shape.keyParts.size() == 1) {
        shape.keyColumn = shape.keyParts.constFirst().column;
        shape.keyForm = shape.keyParts.constFirst().form;
        shape.keyParts.clear();
    }
    return {};
}

Result<void> readPayload(const QJsonObject &json, Shape &shape)
{
    TRY(readWord(payloadWords, json.value("form"_L1).toString(u"bytes"_s), u"payload.form"_s,
                 shape.payloadForm));
    shape.payloadColumn = json.value("column"_L1).toString();
    shape.referenceTableColumn = json.value("table_name"_L1).toString();
    shape.referenceIdColumn = json.value("table_id"_L1).toString();
    shape.referenceTables = textsOf(json.value("tables"_L1));
    if (shape.payloadForm == Shape::PayloadForm::Reference
        && (shape.referenceTableColumn.isEmpty() || shape.referenceIdColumn.isEmpty()))
        return unreadShape(u"a reference payload needs \"table_name\" and \"table_id\""_s);
    return {};
}

Result<void> readProcessed(const QJsonObject &json, Shape &shape)
{
    using How = Shape::ProcessedHow;
    TRY(readWord(processedWords, json.value("how"_L1).toString(), u"processed.how"_s,
                 shape.processedHow));
    shape.processedAnd = TRY(testsFromJson(json.value("and"_L1), u"processed.and"_s));
    switch (shape.processedHow) {
    case How::Time:
    case How::Flag:
    case How::Status:
        shape.processedColumn = json.value("column"_L1).toString();
        shape.processedTimeColumn = json.value("time"_L1).toString();
        shape.processedValues = textsOf(json.value("values"_L1));
        if (shape.processedColumn.isEmpty()) {
            return unreadShape(u"\"processed\" by %1 needs a \"column\""_s.arg(
                processedWords.word(shape.processedHow)));
        }
        break;
    case How::Archive:
    case How::Member:
        shape.processedIn = relatedTableFromJson(json);
        if (shape.processedIn.isEmpty() || shape.processedIn.on.isEmpty())
            return unreadShape(u"\"processed\" in another table needs \"table\" and \"on\""_s);
        break;
    case How::Offset:
        shape.positions = positionsFromJson(json);
        if (shape.positions.isEmpty()
            || shape.positions.columns.size() != shape.keyColumns().size())
            return unreadShape(u"\"position\" needs a column for each column of the key"_s);
        break;
    case How::Deleted:
    case How::Log:
        break;
    }
    return {};
}

Result<void> readLocked(const QJsonObject &json, Shape &shape)
{
    using How = Shape::LockedHow;
    TRY(readWord(lockedWords, json.value("how"_L1).toString(u"row"_s), u"locked.how"_s,
                 shape.lockedHow));
    if (shape.lockedHow == How::None || shape.lockedHow == How::Row)
        return {};
    const QString column = json.value("column"_L1).toString();
    const bool elsewhere = shape.lockedHow == How::LockRow || shape.lockedHow == How::Member;
    if (elsewhere) {
        shape.lockedIn = relatedTableFromJson(json);
    } else {
        shape.ownerColumn = json.value("owner"_L1).toString();
        shape.lockTimeColumn = json.value("time"_L1).toString();
        if (shape.lockedHow == How::Until)
            shape.leaseColumn = column;
        else if (shape.lockedHow == How::Status)
            shape.lockedColumn = column;
        else if (!column.isEmpty())
            shape.ownerColumn = column;
    }
    shape.leaseSeconds = json.value("lease_s"_L1).toDouble();
    shape.freeOwners = textsOf(json.value("free"_L1));
    shape.lockedValues = textsOf(json.value("values"_L1));
    shape.node = nodeFromJson(json.value("node"_L1).toObject());
    if (shape.lockedHow == How::Until && column.isEmpty())
        return unreadShape(u"\"locked\" until a time needs a \"column\""_s);
    if (shape.lockedHow == How::Status && (column.isEmpty() || shape.lockedValues.isEmpty()))
        return unreadShape(u"\"locked\" by status needs a \"column\" and \"values\""_s);
    if (elsewhere && shape.lockedIn.isEmpty())
        return unreadShape(u"\"locked\" in another table needs a \"table\""_s);
    if (shape.lockedHow == How::Node && shape.ownerColumn.isEmpty())
        return unreadShape(u"\"locked\" by a node needs an \"owner\""_s);
    if (shape.lockedHow == How::Owner && shape.ownerColumn.isEmpty()
        && shape.lockTimeColumn.isEmpty())
        return unreadShape(u"\"locked\" by an owner needs \"owner\" or \"time\""_s);
    return {};
}

Result<void> readFailed(const QJsonObject &json, Shape &shape)
{
    using How = Shape::FailedHow;
    TRY(readWord(failedWords, json.value("how"_L1).toString(u"none"_s), u"failed.how"_s,
                 shape.failedHow));
    shape.failedColumn = json.value("column"_L1).toString();
    shape.failedValues = textsOf(json.value("values"_L1));
    shape.failedIn = relatedTableFromJson(json);
    switch (shape.failedHow) {
    case How::None:
    case How::Attempts:
        shape.failedColumn.clear();
        break;
    case How::Time:
    case How::Flag:
    case How::Error:
        if (shape.failedColumn.isEmpty())
            return unreadShape(u"\"failed\" needs a \"column\""_s);
        break;
    case How::Status:
    case How::Queue:
        if (shape.failedColumn.isEmpty() || shape.failedValues.isEmpty())
            return unreadShape(u"\"failed\" by a value needs a \"column\" and \"values\""_s);
        break;
    case How::Table:
    case How::Member:
        shape.failedColumn.clear();
        if (shape.failedIn.isEmpty())
            return unreadShape(u"\"failed\" in another table needs a \"table\""_s);
        break;
    }
    if (shape.failedHow == How::Attempts && shape.maxAttempts <= 0
        && shape.maxAttemptsColumn.isEmpty())
        return unreadShape(u"\"failed\" by attempts needs \"max_attempts\""_s);
    return {};
}

Result<void> readColumns(const QJsonObject &json, Shape &shape)
{
    const QJsonObject type = json.value("type"_L1).toObject();
    shape.typeIn = relatedTableFromJson(type);
    if (shape.typeIn.isEmpty())
        shape.typeColumn = columnOf(json.value("type"_L1));
    shape.fixedType = type.value("fixed"_L1).toString();
    shape.headersColumn = columnOf(json.value("headers"_L1));
    shape.createdColumn = columnOf(json.value("created"_L1));
    shape.errorColumn = columnOf(json.value("error"_L1));
    const QJsonValue queue = json.value("queue"_L1);
    if (QueueShards::isTemplate(queue.toString())) {
        shape.queueShards = TRY(QueueShards::fromText(queue.toString()));
    } else {
        shape.queueColumn = columnOf(queue);
    }
    const QJsonObject attempts = json.value("attempts"_L1).toObject();
    shape.startedColumn = attempts.value("started"_L1).toString();
    shape.attemptsColumn = attempts.contains("finished"_L1)
        ? attempts.value("finished"_L1).toString()
        : columnOf(json.value("attempts"_L1));
    const QJsonValue most = json.value("max_attempts"_L1);
    shape.maxAttempts = most.toInt();
    shape.maxAttemptsColumn = columnOf(most);
    shape.dueColumn = columnOf(json.value("due"_L1));
    shape.dueOnlyIn
        = TRY(testsFromJson(json.value("due"_L1).toObject().value("only_in"_L1), u"due.only_in"_s));
    shape.where = TRY(testsFromJson(json.value("where"_L1), u"where"_s));
    shape.order = textsOf(json.value("order"_L1));
    return readWord(orderWords, json.value("order_is"_L1).toString(u"none"_s), u"order_is"_s,
                    shape.orderIs);
}

Result<void> readTimes(const QJsonObject &json, Shape &shape)
{
    static const QStringList known{u"utc"_s,      u"timestamptz"_s, u"unknown"_s, u"epoch-s"_s,
                                   u"epoch-ms"_s, u"epoch-us"_s,    u"epoch-ns"_s};
    for (auto member = json.begin(); member != json.end(); ++member) {
        QString form = member.value().toString();
        if (form.startsWith("local:"_L1)) {
            const auto zone = TRY(timeZoneNamed(form.mid(6)));
            form = zone == u"UTC" ? u"utc"_s : u"local:"_s + zone;
        } else if (!known.contains(form)) {
            return fail(Error::Kind::Unsupported, u"reading the shape"_s,
                        u"\"times.%1\": \"%2\" is not supported"_s.arg(member.key(), form), {},
                        u"known values: "_s + known.join(u", "_s) + u", local:ZONE"_s);
        }
        shape.times[member.key()] = form;
    }
    return {};
}

Result<void> readRules(const QJsonObject &json, Shape &shape)
{
    // A slip in the word would else mean the default, and to delete is one of them.
    for (const auto rule : {"processed"_L1, "locked"_L1, "failed"_L1}) {
        const QJsonObject said = json.value(rule).toObject();
        if (!said.isEmpty() && !said.value("how"_L1).isString())
            return unreadShape(u"\"%1\" does not say \"how\""_s.arg(rule));
    }
    TRY(readProcessed(json.value("processed"_L1).toObject(), shape));
    TRY(readLocked(json.value("locked"_L1).toObject(), shape));
    TRY(readFailed(json.value("failed"_L1).toObject(), shape));
    TRY(readStatus(json.value("waiting"_L1).toObject(), u"waiting"_s, shape.waitingColumn,
                   shape.waitingValues, shape.waitingIn));
    return readStatus(json.value("pending"_L1).toObject(), u"pending"_s, shape.pendingColumn,
                      shape.pendingValues, shape.pendingIn);
}

} // namespace

Result<OutboxShape> OutboxShape::fromJson(const QJsonObject &json)
{
    static const QSet<QString> knownMembers{
        u"shape"_s,   u"name"_s,          u"family"_s,    u"use"_s,      u"table"_s,
        u"where"_s,   u"key"_s,           u"task_id"_s,   u"type"_s,     u"payload"_s,
        u"headers"_s, u"created"_s,       u"due"_s,       u"attempts"_s, u"max_attempts"_s,
        u"error"_s,   u"queue"_s,         u"processed"_s, u"locked"_s,   u"failed"_s,
        u"waiting"_s, u"pending"_s,       u"order"_s,     u"order_is"_s, u"confirmed"_s,
        u"source"_s,  u"also_task_ids"_s, u"times"_s};

    OutboxShape shape;
    const int version = json.value("shape"_L1).toInt(0);
    if (version != formatVersion) {
        return unreadShape(u"format %1 of a shape is not known"_s.arg(version),
                           u"this version reads \"shape\": %1"_s.arg(formatVersion));
    }
    shape.name = json.value("name"_L1).toString();
    shape.family = json.value("family"_L1).toString();
    shape.table = TableName::fromText(json.value("table"_L1).toString());
    if (shape.table.table.isEmpty())
        return unreadShape(u"\"table\" is missing"_s);
    if (shape.name.isEmpty())
        shape.name = shape.table.text();
    TRY(readWord(useWords, json.value("use"_L1).toString(u"watch"_s), u"use"_s, shape.use));
    TRY(readKey(json.value("key"_L1).toArray(), shape));
    shape.taskId = json.value("task_id"_L1).toString(u"{id}"_s);
    shape.source = json.value("source"_L1).toString();
    const QJsonArray others = json.value("also_task_ids"_L1).toArray();
    for (const auto &pattern : others)
        shape.alsoTaskIds += pattern.toString();
    TRY(readPayload(json.value("payload"_L1).toObject(), shape));
    TRY(readColumns(json, shape));
    TRY(readRules(json, shape));
    TRY(readTimes(json.value("times"_L1).toObject(), shape));
    if (const QString why = shape.whyNoTaskIds(); !why.isEmpty())
        return unreadShape(why);
    shape.confirmed = json.value("confirmed"_L1).toString();
    for (auto member = json.begin(); member != json.end(); ++member) {
        if (!knownMembers.contains(member.key()))
            shape.others[member.key()] = member.value();
    }
    return shape;
}

} // namespace outbox
