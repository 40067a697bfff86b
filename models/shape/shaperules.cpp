// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/shape/shaperules.h"

#include "models/shape/sparsejson.h"

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QList<std::pair<ShapeTest::Is, QString>> testWords{
    {ShapeTest::Is::Null, u"null"_s}, {ShapeTest::Is::Set, u"set"_s},
    {ShapeTest::Is::True, u"true"_s}, {ShapeTest::Is::False, u"false"_s},
    {ShapeTest::Is::Equal, u"="_s},   {ShapeTest::Is::In, u"in"_s},
    {ShapeTest::Is::Past, u"past"_s}, {ShapeTest::Is::Future, u"future"_s}};

QString wordOf(ShapeTest::Is is)
{
    for (const auto &[candidate, text] : testWords) {
        if (candidate == is)
            return text;
    }
    return {};
}

void putPairs(QJsonObject &json, const QMap<QString, QString> &on)
{
    QJsonObject pairs;
    for (auto pair = on.cbegin(); pair != on.cend(); ++pair)
        pairs[pair.key()] = pair.value();
    if (!pairs.isEmpty())
        json["on"_L1] = pairs;
}

QMap<QString, QString> pairsOf(const QJsonObject &json)
{
    QMap<QString, QString> on;
    const QJsonObject pairs = json.value("on"_L1).toObject();
    for (auto pair = pairs.constBegin(); pair != pairs.constEnd(); ++pair)
        on[pair.key()] = pair.value().toString();
    return on;
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

QStringList textsOf(const QJsonValue &json)
{
    if (json.isArray()) {
        QStringList texts;
        for (const auto &one : json.toArray())
            texts += textsOf(one);
        return texts;
    }
    if (json.isUndefined() || json.isNull())
        return {};
    return {json.toVariant().toString()};
}

QJsonArray toJson(const QList<ShapeTest> &tests)
{
    QJsonArray json;
    for (const ShapeTest &test : tests) {
        QJsonObject one{{u"column"_s, test.column}, {u"is"_s, wordOf(test.is)}};
        if (test.is == ShapeTest::Is::Equal)
            one["value"_L1] = test.values.value(0);
        else if (test.is == ShapeTest::Is::In)
            one["value"_L1] = QJsonArray::fromStringList(test.values);
        json.append(one);
    }
    return json;
}

Result<QList<ShapeTest>> testsFromJson(const QJsonValue &json, const QString &member)
{
    QList<ShapeTest> tests;
    const QJsonArray list = json.isObject() ? QJsonArray{json} : json.toArray();
    for (const auto &entry : list) {
        const QJsonObject one = entry.toObject();
        ShapeTest test;
        test.column = one.value("column"_L1).toString();
        const QString is = one.value("is"_L1).toString();
        bool isKnown = false;
        QStringList known;
        for (const auto &[candidate, text] : testWords) {
            known += text;
            if (text == is) {
                test.is = candidate;
                isKnown = true;
            }
        }
        if (!isKnown) {
            return fail(Error::Kind::Unsupported, u"reading the shape"_s,
                        u"\"%1\": a test \"is\": \"%2\" is not supported"_s.arg(member, is), {},
                        u"known values: "_s + known.join(u", "_s));
        }
        test.values = textsOf(one.value("value"_L1));
        if (test.column.isEmpty()) {
            return fail(Error::Kind::Invalid, u"reading the shape"_s,
                        u"a test in \"%1\" needs a \"column\""_s.arg(member));
        }
        tests += test;
    }
    return tests;
}

void write(const RelatedTable &related, QJsonObject &json)
{
    if (related.isEmpty())
        return;
    json["table"_L1] = related.table.text();
    putPairs(json, related.on);
    put(json, "column"_L1, related.column);
    put(json, "owner"_L1, related.ownerColumn);
    put(json, "time"_L1, related.timeColumn);
    put(json, "due"_L1, related.dueColumn);
    put(json, "error"_L1, related.errorColumn);
}

RelatedTable relatedTableFromJson(const QJsonObject &json)
{
    RelatedTable related;
    related.table = TableName::fromText(json.value("table"_L1).toString());
    if (related.isEmpty())
        return {};
    related.on = pairsOf(json);
    related.column = json.value("column"_L1).toString();
    related.ownerColumn = json.value("owner"_L1).toString();
    related.timeColumn = json.value("time"_L1).toString();
    related.dueColumn = json.value("due"_L1).toString();
    related.errorColumn = json.value("error"_L1).toString();
    return related;
}

QJsonObject toJson(const NodeTable &node)
{
    QJsonObject json{{u"table"_s, node.table.text()}, {u"key"_s, node.keyColumn}};
    put(json, "heartbeat"_L1, node.heartbeatColumn);
    return json;
}

NodeTable nodeFromJson(const QJsonObject &json)
{
    return {TableName::fromText(json.value("table"_L1).toString()), json.value("key"_L1).toString(),
            json.value("heartbeat"_L1).toString()};
}

void write(const Positions &positions, QJsonObject &json)
{
    json["table"_L1] = positions.table.text();
    put(json, "consumer"_L1, positions.consumerColumn);
    json["position"_L1] = QJsonArray::fromStringList(positions.columns);
    putPairs(json, positions.on);
    put(json, "guard"_L1, positions.guard);
}

Positions positionsFromJson(const QJsonObject &json)
{
    return {TableName::fromText(json.value("table"_L1).toString()),
            json.value("consumer"_L1).toString(), textsOf(json.value("position"_L1)), pairsOf(json),
            json.value("guard"_L1).toString()};
}

} // namespace outbox
