// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/decodedtext.h"

#include "models/payload/celltext.h"
#include "models/plaintext.h"

#include <QJsonArray>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

struct DecodedPlace
{
    int node = 0;
    int depth = 0;
};

/// All nodes, each before its children and these in their order.
QList<DecodedPlace> inDocumentOrder(const PayloadTree &tree)
{
    QList<DecodedPlace> order;
    QList<DecodedPlace> open;
    if (!tree.nodes.isEmpty())
        open += DecodedPlace{};
    while (!open.isEmpty()) {
        const DecodedPlace place = open.takeLast();
        order += place;
        const QList<int> &children = tree.nodes.at(place.node).children;
        for (auto child = children.crbegin(); child != children.crend(); ++child)
            open += DecodedPlace{*child, place.depth + 1};
    }
    return order;
}

QString decodedLine(const PayloadTree &tree, const DecodedPlace &place)
{
    const PayloadNode &node = tree.nodes.at(place.node);
    QString line(qsizetype{2} * (place.depth + 1), u' ');
    if (node.parent >= 0 && tree.nodes.at(node.parent).kind == PayloadNode::Kind::Array)
        line += u'[' + QString::number(node.row) + u"]: "_s;
    else if (!node.name.isEmpty())
        line += cellText(node.name) + u": "_s;
    if (!node.isContainer())
        line += cellText(node.value) + u"  "_s;
    return line + node.type;
}

QStringList offeredWords(const DecodedPayload &decoded)
{
    QStringList words;
    for (const PayloadFormat format : decoded.offers)
        words += word(format);
    return words;
}

} // namespace

QString decodedText(const DecodedPayload &decoded)
{
    QStringList lines{u"decoded  "_s + chainText(decoded.layers)};
    for (const DecodedPlace &place : inDocumentOrder(decoded.tree))
        lines += decodedLine(decoded.tree, place);
    for (const QString &note : decoded.notes)
        lines += u"note: "_s + plainText(note);
    if (!decoded.offers.isEmpty()) {
        lines += u"perhaps %1: to read it so, add --decode-as WORD"_s.arg(
            offeredWords(decoded).join(u", "_s));
    }
    return lines.join(u'\n');
}

QJsonObject decodedJson(const DecodedPayload &decoded)
{
    QJsonArray layers;
    for (const PayloadLayer &layer : decoded.layers)
        layers += QJsonObject{{u"format"_s, word(layer.format)},
                              {u"bytes"_s, static_cast<qint64>(layer.bytes)}};
    QJsonArray nodes;
    for (const DecodedPlace &place : inDocumentOrder(decoded.tree)) {
        const PayloadNode &node = decoded.tree.nodes.at(place.node);
        nodes += QJsonObject{
            {u"path"_s, decoded.tree.path(place.node)},
            {u"depth"_s, place.depth},
            {u"name"_s, node.name},
            {u"type"_s, node.type},
            {u"value"_s, node.isContainer() ? QJsonValue() : QJsonValue(node.value)}};
    }
    return {{u"chain"_s, chainText(decoded.layers)},
            {u"layers"_s, layers},
            {u"nodes"_s, nodes},
            {u"notes"_s, QJsonArray::fromStringList(decoded.notes)},
            {u"offers"_s, QJsonArray::fromStringList(offeredWords(decoded))}};
}

} // namespace outbox
