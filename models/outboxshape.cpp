// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/outboxshape.h"

#include <QJsonArray>
#include <QSet>

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int formatVersion = 1;

template <typename Enum> using Words = QList<std::pair<Enum, QString>>;

template <typename Enum> QString wordOf(const Words<Enum> &words, Enum value)
{
    for (const auto &[candidate, text] : words) {
        if (candidate == value)
            return text;
    }
    return {};
}

const Words<OutboxShape::Use> useWords{{OutboxShape::Use::Watch, u"watch"_s},
                                       {OutboxShape::Use::Relay, u"relay"_s}};
const Words<OutboxShape::KeyForm> keyWords{{OutboxShape::KeyForm::Uuid, u"uuid"_s},
                                           {OutboxShape::KeyForm::UuidText, u"uuid-text"_s},
                                           {OutboxShape::KeyForm::UuidBytes, u"uuid-bytes"_s},
                                           {OutboxShape::KeyForm::Integer, u"integer"_s},
                                           {OutboxShape::KeyForm::Text, u"text"_s}};
const Words<OutboxShape::PayloadForm> payloadWords{
    {OutboxShape::PayloadForm::Json, u"json"_s},
    {OutboxShape::PayloadForm::Text, u"text"_s},
    {OutboxShape::PayloadForm::Bytes, u"bytes"_s},
    {OutboxShape::PayloadForm::Reference, u"reference"_s}};
const Words<OutboxShape::ProcessedHow> processedWords{
    {OutboxShape::ProcessedHow::Deleted, u"deleted"_s},
    {OutboxShape::ProcessedHow::Time, u"time"_s}};
const Words<OutboxShape::LockedHow> lockedWords{{OutboxShape::LockedHow::None, u"none"_s},
                                                {OutboxShape::LockedHow::Row, u"row"_s},
                                                {OutboxShape::LockedHow::Until, u"until"_s}};
const Words<OutboxShape::OrderIs> orderWords{{OutboxShape::OrderIs::None, u"none"_s},
                                             {OutboxShape::OrderIs::Sequence, u"sequence"_s},
                                             {OutboxShape::OrderIs::Time, u"time"_s}};

tl::unexpected<Error> invalid(const QString &text, const QString &hint = {})
{
    return fail(Error::Kind::Invalid, u"reading the shape"_s, text, {}, hint);
}

/// Reads a word of a closed list; `Unsupported` tells a newer shape from a typing error only by the
/// list it prints.
template <typename Enum>
Result<Enum> enumOf(const Words<Enum> &words, const QString &text, const QString &member)
{
    QStringList known;
    for (const auto &[value, candidate] : words) {
        if (candidate == text)
            return value;
        known += candidate;
    }
    return fail(Error::Kind::Unsupported, u"reading the shape"_s,
                u"\"%1\": \"%2\" is not supported"_s.arg(member, text), {},
                u"known values: "_s + known.join(u", "_s));
}

/// A member that is a column name, or an object with "column".
QString columnOf(const QJsonValue &value)
{
    return value.isObject() ? value.toObject().value("column"_L1).toString() : value.toString();
}

} // namespace

QString TableName::text() const
{
    return schema.isEmpty() ? table : schema + u'.' + table;
}

TableName TableName::fromText(const QString &text)
{
    const qsizetype dot = text.indexOf(u'.');
    return dot < 0 ? TableName{{}, text} : TableName{text.left(dot), text.mid(dot + 1)};
}

QString OutboxShape::whyNotRelay() const
{
    if (use != Use::Relay)
        return u"the shape says \"use\": \"watch\""_s;
    if (keyColumn.isEmpty())
        return u"the table has no key, so a message would have no task id"_s;
    if (typeColumn.isEmpty() && fixedType.isEmpty())
        return u"no column or fixed text gives the message type"_s;
    if (payloadForm != PayloadForm::Reference && payloadColumn.isEmpty())
        return u"the shape names no payload column"_s;
    if (lockedHow == LockedHow::Until) {
        return u"the relays of this table hold their rows by a lease in \"%1\"; this relay holds "
               u"row"
               " locks, which they do not look at, so both would send the same rows"_s.arg(
                   leaseColumn);
    }
    return {};
}

QString OutboxShape::taskIdFor(const QString &keyText) const
{
    QString id = taskId;
    return id.replace(u"{id}"_s, keyText);
}

QStringList OutboxShape::columns() const
{
    QStringList all{keyColumn,         typeColumn,    payloadColumn,   referenceTableColumn,
                    referenceIdColumn, headersColumn, createdColumn,   attemptsColumn,
                    errorColumn,       queueColumn,   processedColumn, leaseColumn,
                    ownerColumn};
    for (const QString &column : order)
        all += column.startsWith(u'-') ? column.mid(1) : column;
    all.removeAll(QString());
    all.removeDuplicates();
    return all;
}

QJsonObject OutboxShape::toJson() const
{
    QJsonObject json = others;
    json["shape"_L1] = formatVersion;
    json["name"_L1] = name;
    if (!family.isEmpty())
        json["family"_L1] = family;
    json["use"_L1] = wordOf(useWords, use);
    json["table"_L1] = table.text();
    QJsonArray key;
    if (!keyColumn.isEmpty()) {
        QJsonObject part{{u"column"_s, keyColumn}, {u"form"_s, wordOf(keyWords, keyForm)}};
        if (keyForm == KeyForm::UuidBytes)
            part["bytes"_L1] = u"rfc"_s;
        key.append(part);
    }
    json["key"_L1] = key;
    json["task_id"_L1] = taskId;
    if (!typeColumn.isEmpty())
        json["type"_L1] = QJsonObject{{u"column"_s, typeColumn}};
    else if (!fixedType.isEmpty())
        json["type"_L1] = QJsonObject{{u"fixed"_s, fixedType}};

    QJsonObject payload{{u"form"_s, wordOf(payloadWords, payloadForm)}};
    if (payloadForm == PayloadForm::Reference) {
        payload["table_name"_L1] = referenceTableColumn;
        payload["table_id"_L1] = referenceIdColumn;
        payload["tables"_L1] = QJsonArray::fromStringList(referenceTables);
    } else {
        payload["column"_L1] = payloadColumn;
    }
    json["payload"_L1] = payload;

    const QList<std::pair<QLatin1StringView, QString>> columnMembers{
        {"headers"_L1, headersColumn},
        {"created"_L1, createdColumn},
        {"attempts"_L1, attemptsColumn},
        {"error"_L1, errorColumn},
        {"queue"_L1, queueColumn}};
    for (const auto &[member, column] : columnMembers) {
        if (!column.isEmpty())
            json[member] = column;
    }

    QJsonObject processed{{u"how"_s, wordOf(processedWords, processedHow)}};
    if (processedHow == ProcessedHow::Time)
        processed["column"_L1] = processedColumn;
    json["processed"_L1] = processed;
    QJsonObject locked{{u"how"_s, wordOf(lockedWords, lockedHow)}};
    if (lockedHow == LockedHow::Until) {
        locked["column"_L1] = leaseColumn;
        if (!ownerColumn.isEmpty())
            locked["owner"_L1] = ownerColumn;
    }
    json["locked"_L1] = locked;
    json["order"_L1] = QJsonArray::fromStringList(order);
    json["order_is"_L1] = wordOf(orderWords, orderIs);
    if (!confirmed.isEmpty())
        json["confirmed"_L1] = confirmed;
    return json;
}

Result<OutboxShape> OutboxShape::fromJson(const QJsonObject &json)
{
    static const QSet<QString> knownMembers{
        u"shape"_s,   u"name"_s,     u"family"_s,   u"use"_s,      u"table"_s,
        u"key"_s,     u"task_id"_s,  u"type"_s,     u"payload"_s,  u"headers"_s,
        u"created"_s, u"attempts"_s, u"error"_s,    u"queue"_s,    u"processed"_s,
        u"locked"_s,  u"order"_s,    u"order_is"_s, u"confirmed"_s};

    OutboxShape shape;
    const int version = json.value("shape"_L1).toInt(0);
    if (version != formatVersion) {
        return invalid(u"format %1 of a shape is not known"_s.arg(version),
                       u"this version reads \"shape\": %1"_s.arg(formatVersion));
    }
    shape.name = json.value("name"_L1).toString();
    shape.family = json.value("family"_L1).toString();
    shape.table = TableName::fromText(json.value("table"_L1).toString());
    if (shape.table.table.isEmpty())
        return invalid(u"\"table\" is missing"_s);
    if (shape.name.isEmpty())
        shape.name = shape.table.text();

    const auto use = enumOf(useWords, json.value("use"_L1).toString(u"watch"_s), u"use"_s);
    if (!use)
        return passOn(use);
    shape.use = *use;

    const QJsonArray keys = json.value("key"_L1).toArray();
    if (keys.size() > 1)
        return fail(Error::Kind::Unsupported, u"reading the shape"_s,
                    u"a key of several columns is not supported"_s);
    if (!keys.isEmpty()) {
        const QJsonObject key = keys.first().toObject();
        shape.keyColumn = key.value("column"_L1).toString();
        const auto form = enumOf(keyWords, key.value("form"_L1).toString(u"text"_s), u"key.form"_s);
        if (!form)
            return passOn(form);
        shape.keyForm = *form;
        const QString order = key.value("bytes"_L1).toString(u"rfc"_s);
        if (shape.keyForm == KeyForm::UuidBytes && order != u"rfc") {
            return fail(Error::Kind::Unsupported, u"reading the shape"_s,
                        u"\"key.bytes\": \"%1\" is not supported"_s.arg(order), {},
                        u"known values: rfc"_s);
        }
    }
    shape.taskId = json.value("task_id"_L1).toString(u"{id}"_s);
    if (!shape.taskId.contains(u"{id}"_s))
        return invalid(u"\"task_id\" must contain {id}"_s);

    const QJsonValue type = json.value("type"_L1);
    shape.typeColumn = columnOf(type);
    shape.fixedType = type.toObject().value("fixed"_L1).toString();

    const QJsonObject payload = json.value("payload"_L1).toObject();
    const auto form
        = enumOf(payloadWords, payload.value("form"_L1).toString(u"bytes"_s), u"payload.form"_s);
    if (!form)
        return passOn(form);
    shape.payloadForm = *form;
    shape.payloadColumn = payload.value("column"_L1).toString();
    shape.referenceTableColumn = payload.value("table_name"_L1).toString();
    shape.referenceIdColumn = payload.value("table_id"_L1).toString();
    for (const auto &table : payload.value("tables"_L1).toArray())
        shape.referenceTables += table.toString();
    if (shape.payloadForm == PayloadForm::Reference
        && (shape.referenceTableColumn.isEmpty() || shape.referenceIdColumn.isEmpty())) {
        return invalid(u"a reference payload needs \"table_name\" and \"table_id\""_s);
    }

    shape.headersColumn = columnOf(json.value("headers"_L1));
    shape.createdColumn = columnOf(json.value("created"_L1));
    shape.attemptsColumn = columnOf(json.value("attempts"_L1));
    shape.errorColumn = columnOf(json.value("error"_L1));
    shape.queueColumn = columnOf(json.value("queue"_L1));

    const QJsonObject processed = json.value("processed"_L1).toObject();
    const auto processedHow
        = enumOf(processedWords, processed.value("how"_L1).toString(), u"processed.how"_s);
    if (!processedHow)
        return passOn(processedHow);
    shape.processedHow = *processedHow;
    shape.processedColumn = processed.value("column"_L1).toString();
    if (shape.processedHow == ProcessedHow::Time && shape.processedColumn.isEmpty())
        return invalid(u"\"processed\" by time needs a \"column\""_s);

    const QJsonObject locked = json.value("locked"_L1).toObject();
    const auto lockedHow
        = enumOf(lockedWords, locked.value("how"_L1).toString(u"row"_s), u"locked.how"_s);
    if (!lockedHow)
        return passOn(lockedHow);
    shape.lockedHow = *lockedHow;
    if (shape.lockedHow == LockedHow::Until) {
        shape.leaseColumn = locked.value("column"_L1).toString();
        shape.ownerColumn = locked.value("owner"_L1).toString();
        if (shape.leaseColumn.isEmpty())
            return invalid(u"\"locked\" until a time needs a \"column\""_s);
    }

    for (const auto &column : json.value("order"_L1).toArray())
        shape.order += column.toString();
    const auto orderIs
        = enumOf(orderWords, json.value("order_is"_L1).toString(u"none"_s), u"order_is"_s);
    if (!orderIs)
        return passOn(orderIs);
    shape.orderIs = *orderIs;
    shape.confirmed = json.value("confirmed"_L1).toString();

    for (auto member = json.begin(); member != json.end(); ++member) {
        if (!knownMembers.contains(member.key()))
            shape.others[member.key()] = member.value();
    }
    return shape;
}

} // namespace outbox
