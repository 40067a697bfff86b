// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/payload/payloadtree.h"

#include <QLocale>
#include <QStringDecoder>

#include <algorithm>
#include <bit>
#include <cmath>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype hexBytes = 4096;
constexpr qsizetype pathCharacters = 1000;

/// A name that needs no quotes in a path.
bool isPlainName(const QString &name)
{
    return !name.isEmpty() && !name.at(0).isDigit()
        && std::all_of(name.cbegin(), name.cend(),
                       [](QChar c) { return c.isLetterOrNumber() || c == u'_' || c == u'-'; });
}

QString pathStep(const PayloadNode &node, const PayloadNode &parent)
{
    if (parent.kind == PayloadNode::Kind::Array)
        return u'[' + QString::number(node.row) + u']';
    if (isPlainName(node.name))
        return u'.' + node.name;
    QString quoted = node.name;
    quoted.replace(u'\\', u"\\\\"_s).replace(u'"', u"\\\""_s);
    return u"[\""_s + quoted + u"\"]"_s;
}

} // namespace

int PayloadTree::add(int parent, PayloadNode::Kind kind, const QString &name, const QString &type,
                     const QString &value)
{
    const int number = static_cast<int>(nodes.size());
    PayloadNode node;
    node.kind = kind;
    node.name = name;
    node.type = type;
    node.value = value;
    node.parent = parent;
    if (parent >= 0) {
        PayloadNode &above = nodes[parent];
        node.row = static_cast<int>(above.children.size());
        above.children.append(number);
    }
    nodes.append(node);
    return number;
}

void PayloadTree::truncate(int from)
{
    for (int node = static_cast<int>(nodes.size()) - 1; node >= from; --node) {
        const int parent = nodes.at(node).parent;
        if (parent >= 0 && parent < from)
            nodes[parent].children.removeLast(); // children stand in the order of their numbers
    }
    nodes.resize(from);
}

QString PayloadTree::path(int node) const
{
    QString steps;
    for (int at = node; at >= 0 && nodes.at(at).parent >= 0; at = nodes.at(at).parent) {
        const PayloadNode &parent = nodes.at(nodes.at(at).parent);
        // What is inside a tag, or was decoded of a text, is where that is.
        if (parent.kind == PayloadNode::Kind::Tag || parent.kind == PayloadNode::Kind::Text)
            continue;
        // Long names above many nodes would be written once for each of these.
        if (steps.size() + nodes.at(at).name.size() > pathCharacters)
            return u'…' + steps;
        steps.prepend(pathStep(nodes.at(at), parent));
    }
    return u'$' + steps;
}

QString passedLimit(const PayloadTree &tree, int depth, const DecodeLimits &limits)
{
    if (depth > limits.depth)
        return u"nested deeper than %1"_s.arg(limits.depth);
    if (tree.nodes.size() >= limits.nodes)
        return u"more than %1 values"_s.arg(limits.nodes);
    return {};
}

std::optional<QString> utf8Text(QByteArrayView bytes)
{
    using Flag = QStringDecoder::Flag;
    QStringDecoder decoder(QStringDecoder::Utf8,
                           QStringDecoder::Flags(Flag::Stateless) | Flag::ConvertInitialBom);
    const QString text = decoder(bytes);
    return decoder.hasError() ? std::nullopt : std::optional(text);
}

std::optional<QString> wholeText(QByteArrayView bytes)
{
    const auto text = utf8Text(bytes);
    if (!text)
        return std::nullopt;
    const bool isSeen = std::none_of(text->cbegin(), text->cend(), [](QChar c) {
        return (c < u' ' && c != u'\t' && c != u'\n' && c != u'\r') || c == QChar(0x7f);
    });
    return isSeen ? text : std::nullopt;
}

QString bytesValue(QByteArrayView bytes)
{
    const QByteArray head = bytes.first(std::min(bytes.size(), hexBytes)).toByteArray();
    const QString hex = QString::fromLatin1(head.toHex());
    return bytes.size() <= hexBytes ? hex : u"%1… %2 bytes in all"_s.arg(hex).arg(bytes.size());
}

QString realValue(double value)
{
    if (std::isnan(value))
        return u"nan"_s;
    if (std::isinf(value))
        return value < 0 ? u"-inf"_s : u"inf"_s;
    return QString::number(value, 'g', QLocale::FloatingPointShortest);
}

QString realValue(quint64 bits, int width)
{
    return realValue(width == 8
                         ? std::bit_cast<double>(bits)
                         : static_cast<double>(std::bit_cast<float>(static_cast<quint32>(bits))));
}

PayloadTree treeOf(const JsonTree &json)
{
    PayloadTree tree;
    tree.nodes.reserve(json.nodes.size());
    for (const JsonNode &node : json.nodes) {
        using Kind = PayloadNode::Kind;
        const auto add = [&](Kind kind, const QString &type, const QString &value = {}) {
            tree.add(node.parent, kind, json.key(node), type, value);
        };
        switch (node.kind) {
        case JsonNode::Kind::Object:
            add(Kind::Map, u"object"_s);
            break;
        case JsonNode::Kind::Array:
            add(Kind::Array, u"array"_s);
            break;
        case JsonNode::Kind::String:
            add(Kind::Text, json.raw(node).isValidUtf8() ? u"text"_s : u"text, not UTF-8"_s,
                json.text(node));
            break;
        case JsonNode::Kind::Number:
            add(Kind::Number, u"number"_s, json.text(node));
            break;
        case JsonNode::Kind::True:
        case JsonNode::Kind::False:
            add(Kind::Flag, u"flag"_s, json.text(node));
            break;
        case JsonNode::Kind::Null:
            add(Kind::Null, u"null"_s, u"null"_s);
            break;
        }
    }
    return tree;
}

} // namespace outbox
