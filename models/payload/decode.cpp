// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/payload/decode.h"

#include "models/enumtext.h"
#include "models/payload/cborreader.h"
#include "models/payload/messagepack.h"
#include "models/payload/protobufmessage.h"
#include "models/payload/protobufwire.h"
#include "models/payload/unpack.h"
#include "models/phrases.h"
#include "models/translation.h"

#include <QMap>
#include <QScopeGuard>

#include <algorithm>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation decodePhrase("outbox::Decode");

constexpr qsizetype leastCertain = 8; ///< bytes; shorter ones are too many things at once
constexpr qsizetype leastInner = 16; ///< characters of a text inside a document that is tried
constexpr int usualFields = 127; ///< numbers of fields that a schema begins with

constexpr auto payloadFormats = enumTexts<PayloadFormat>({
    {PayloadFormat::Json, u"json", "JSON"},
    {PayloadFormat::Gzip, u"gzip", "gzip"},
    {PayloadFormat::Zlib, u"zlib", "zlib"},
    {PayloadFormat::Zstd, u"zstd", "zstd"},
    {PayloadFormat::Base64, u"base64", "base64"},
    {PayloadFormat::Cbor, u"cbor", "CBOR"},
    {PayloadFormat::MessagePack, u"messagepack", "MessagePack"},
    {PayloadFormat::Protobuf, u"protobuf", "protobuf without schema"},
    {PayloadFormat::Message, u"message", "protobuf"},
    {PayloadFormat::Text, u"text", "text"},
    {PayloadFormat::Bytes, u"bytes", "bytes"},
});

bool isInside(const PayloadTree &tree)
{
    return tree.nodes.constFirst().isContainer() && tree.nodes.size() > 1;
}

/// A document with names that a person would give.
bool hasNamedMembers(const PayloadTree &tree)
{
    bool isNamed = false;
    for (const PayloadNode &node : tree.nodes) {
        if (node.parent < 0 || tree.nodes.at(node.parent).kind != PayloadNode::Kind::Map)
            continue;
        const bool isWord = !node.name.isEmpty() && !node.name.at(0).isDigit()
            && std::all_of(node.name.cbegin(), node.name.cend(),
                           [](QChar c) { return c.isPrint(); });
        if (!isWord)
            return false;
        isNamed = true;
    }
    return isNamed;
}

/// Fields with small numbers, and a text of some length among them.
bool isUsualMessage(const PayloadTree &tree)
{
    constexpr qsizetype textLength = 3;
    bool hasText = false;
    for (const PayloadNode &node : tree.nodes) {
        if (node.parent == 0 && node.name.toInt() > usualFields)
            return false;
        hasText
            = hasText || (node.kind == PayloadNode::Kind::Text && node.value.size() >= textLength);
    }
    return hasText;
}

/// The mark of CBOR that says that it is CBOR.
bool isSelfDescribed(const QByteArray &bytes)
{
    return bytes.startsWith("\xd9\xd9\xf7");
}

bool isZlibHead(const QByteArray &bytes)
{
    if (bytes.size() < leastCertain || (bytes.at(0) & 0x0f) != 8)
        return false;
    const int head = static_cast<quint8>(bytes.at(0)) * 256 + static_cast<quint8>(bytes.at(1));
    return head % 31 == 0;
}

bool isGzipHead(const QByteArray &bytes)
{
    return bytes.startsWith("\x1f\x8b\x08");
}

bool isZstdHead(const QByteArray &bytes)
{
    return bytes.startsWith("\x28\xb5\x2f\xfd");
}

std::optional<PayloadFormat> packedAs(const QByteArray &bytes)
{
    if (isGzipHead(bytes))
        return PayloadFormat::Gzip;
    if (isZstdHead(bytes))
        return PayloadFormat::Zstd;
    return isZlibHead(bytes) ? std::optional(PayloadFormat::Zlib) : std::nullopt;
}

class PayloadDecoder
{
public:
    PayloadDecoder(const DecodeLimits &limits, const MessageType &message)
        : m_limits(limits), m_left(limits), m_message(message)
    { }

    /// What a whole payload is.
    [[nodiscard]] DecodedPayload whole(const QByteArray &payload);
    [[nodiscard]] Result<DecodedPayload> foundAs(PayloadFormat format, const QByteArray &bytes);

private:
    /// What `bytes` are, `depth` layers inside.
    [[nodiscard]] DecodedPayload found(const QByteArray &bytes, int depth);
    [[nodiscard]] Result<DecodedPayload> asMessage(const QByteArray &bytes);
    [[nodiscard]] std::optional<DecodedPayload> saidMessage(const QByteArray &bytes);
    void tellMisfit(DecodedPayload &payload) const;
    [[nodiscard]] Result<QByteArray> unpacked(PayloadFormat format, const QByteArray &bytes);
    [[nodiscard]] Result<PayloadTree> read(PayloadFormat format, const QByteArray &bytes) const;
    [[nodiscard]] DecodedPayload within(PayloadFormat format, const QByteArray &bytes,
                                        const QByteArray &inner, int depth);
    [[nodiscard]] std::optional<DecodedPayload> surelyWithin(PayloadFormat format,
                                                             const QByteArray &bytes,
                                                             const QByteArray &inner, int depth,
                                                             DecodeLimits before);
    [[nodiscard]] DecodedPayload asDocument(PayloadFormat format, qsizetype bytes,
                                            PayloadTree tree);
    [[nodiscard]] DecodedPayload asBytesAlone(const QByteArray &bytes);
    [[nodiscard]] DecodedPayload asTextAlone(qsizetype bytes, const QString &text);
    [[nodiscard]] DecodedPayload asText(const QByteArray &bytes, const QString &text, int depth);
    [[nodiscard]] DecodedPayload asBinary(const QByteArray &bytes);
    [[nodiscard]] std::optional<DecodedPayload> asJson(const QByteArray &bytes, int depth,
                                                       QStringList &notes);
    void decodeTexts(DecodedPayload &payload, int depth);
    void attach(PayloadTree &tree, int node, const DecodedPayload &inner);

    DecodeLimits m_limits;
    DecodeLimits m_left; ///< bytes that may still be unpacked, nodes that may still be read
    MessageType m_message;
    QString m_misfit; ///< why the layer that was tried last is not `m_message`
    bool m_isWithinDocument = false; ///< what is tried is a text of a document
    Result<JsonTree> m_json; ///< of the whole payload
};

/// Tells what has come out of `bytes` against the bound of the whole payload.
Result<QByteArray> PayloadDecoder::unpacked(PayloadFormat format, const QByteArray &bytes)
{
    Result<QByteArray> inner;
    switch (format) {
    case PayloadFormat::Gzip:
        inner = unpackGzip(bytes, m_left.bytes);
        break;
    case PayloadFormat::Zlib:
        inner = unpackZlib(bytes, m_left.bytes);
        break;
    case PayloadFormat::Zstd:
        inner = unpackZstd(bytes, m_left.bytes);
        break;
    default:
        inner = unpackBase64(bytes, m_left.bytes);
        break;
    }
    if (inner)
        m_left.bytes -= inner->size();
    return inner;
}

Result<PayloadTree> PayloadDecoder::read(PayloadFormat format, const QByteArray &bytes) const
{
    if (format == PayloadFormat::Cbor)
        return readCbor(bytes, m_left);
    if (format == PayloadFormat::MessagePack)
        return readMessagePack(bytes, m_left);
    if (format == PayloadFormat::Protobuf)
        return readProtobufWire(bytes, m_left);
    const JsonTree tree = TRY(readJson(bytes, m_limits.bytes, m_left.nodes));
    return treeOf(tree);
}

DecodedPayload PayloadDecoder::asDocument(PayloadFormat format, qsizetype bytes, PayloadTree tree)
{
    m_left.nodes -= static_cast<int>(tree.nodes.size());
    DecodedPayload payload;
    payload.layers += PayloadLayer{format, bytes};
    payload.tree = std::move(tree);
    return payload;
}

DecodedPayload PayloadDecoder::asBytesAlone(const QByteArray &bytes)
{
    PayloadTree tree;
    tree.add(-1, PayloadNode::Kind::Bytes, {}, u"bytes"_s, bytesValue(bytes));
    return asDocument(PayloadFormat::Bytes, bytes.size(), std::move(tree));
}

DecodedPayload PayloadDecoder::asTextAlone(qsizetype bytes, const QString &text)
{
    PayloadTree tree;
    tree.add(-1, PayloadNode::Kind::Text, {}, u"text"_s, text);
    return asDocument(PayloadFormat::Text, bytes, std::move(tree));
}

/// The layers of `inner` inside one of `format`.
DecodedPayload PayloadDecoder::within(PayloadFormat format, const QByteArray &bytes,
                                      const QByteArray &inner, int depth)
{
    DecodedPayload payload = found(inner, depth + 1);
    payload.layers.prepend(PayloadLayer{format, bytes.size()});
    return payload;
}

/// Whether `bytes`, which are `inner`, are so much more than a text or any bytes that their base64
/// is no chance. What begins like gzip and was not unpacked is: its note is to be read.
bool isNoChance(const DecodedPayload &inner, const QByteArray &bytes)
{
    const PayloadLayer &first = inner.layers.constFirst();
    switch (first.format) {
    case PayloadFormat::Text:
        return false;
    case PayloadFormat::Bytes:
        return isGzipHead(bytes) || isZstdHead(bytes)
            || (isZlibHead(bytes) && !inner.notes.isEmpty());
    case PayloadFormat::Cbor:
    case PayloadFormat::MessagePack:
    case PayloadFormat::Protobuf:
        return first.bytes >= 2 * leastCertain;
    case PayloadFormat::Message:
        return first.bytes >= leastCertain;
    default:
        return true;
    }
}

/// What `within` answers; nullopt where that may be chance: as much is left then as `before`.
std::optional<DecodedPayload> PayloadDecoder::surelyWithin(PayloadFormat format,
                                                           const QByteArray &bytes,
                                                           const QByteArray &inner, int depth,
                                                           DecodeLimits before)
{
    const QString misfit = m_misfit;
    DecodedPayload payload = found(inner, depth + 1);
    if (!isNoChance(payload, inner)) {
        m_left = before;
        m_misfit = misfit; // places are those of the layer that is shown
        return std::nullopt;
    }
    payload.layers.prepend(PayloadLayer{format, bytes.size()});
    return payload;
}

DecodedPayload PayloadDecoder::asText(const QByteArray &bytes, const QString &text, int depth)
{
    QList<PayloadFormat> offers;
    const DecodeLimits before = m_left;
    if (const auto inner = unpacked(PayloadFormat::Base64, bytes)) {
        if (auto payload = surelyWithin(PayloadFormat::Base64, bytes, *inner, depth, before))
            return std::move(*payload);
        offers += PayloadFormat::Base64;
    }
    for (const PayloadFormat format : {PayloadFormat::Cbor, PayloadFormat::MessagePack}) {
        const auto tree = read(format, bytes);
        if (tree && isInside(*tree))
            offers += format;
    }
    DecodedPayload payload = asTextAlone(bytes.size(), text);
    payload.offers = offers;
    return payload;
}

DecodedPayload PayloadDecoder::asBinary(const QByteArray &bytes)
{
    QList<PayloadFormat> certain;
    QMap<PayloadFormat, PayloadTree> trees; ///< of all that it may be
    for (const PayloadFormat format : {PayloadFormat::Cbor, PayloadFormat::MessagePack}) {
        const auto tree = read(format, bytes);
        if (!tree || !isInside(*tree))
            continue;
        trees[format] = *tree;
        const bool isMarked = format == PayloadFormat::Cbor && isSelfDescribed(bytes);
        if (isMarked || (bytes.size() >= leastCertain && hasNamedMembers(*tree)))
            certain += format;
    }
    // Every second run of bytes has a first field: protobuf stands behind what says more.
    const auto wire = read(PayloadFormat::Protobuf, bytes);
    if (wire) {
        trees[PayloadFormat::Protobuf] = *wire;
        if (certain.isEmpty() && trees.size() == 1 && bytes.size() >= leastCertain
            && isUsualMessage(*wire))
            certain += PayloadFormat::Protobuf;
    }
    DecodedPayload payload = certain.size() == 1
        ? asDocument(certain.constFirst(), bytes.size(), trees.take(certain.constFirst()))
        : asBytesAlone(bytes);
    payload.offers = trees.keys();
    return payload;
}

/// "base64 → gzip → JSON"
QString chainNames(const QList<PayloadLayer> &layers)
{
    QStringList names;
    for (const PayloadLayer &layer : layers)
        names += label(layer.format);
    return names.join(u" → "_s);
}

/// The tree with one of `inner` beneath `node`.
void PayloadDecoder::attach(PayloadTree &tree, int node, const DecodedPayload &inner)
{
    const int offset = static_cast<int>(tree.nodes.size());
    for (PayloadNode one : inner.tree.nodes) {
        const bool isRoot = one.parent < 0;
        one.parent = isRoot ? node : one.parent + offset;
        for (int &child : one.children)
            child += offset;
        if (isRoot)
            one.name = u'(' + chainNames(inner.layers) + u')';
        tree.nodes += one;
    }
    tree.nodes[node].children += offset;
}

/// Texts of a document that are base64 of something: that goes beneath them.
void PayloadDecoder::decodeTexts(DecodedPayload &payload, int depth)
{
    const bool wasWithin = std::exchange(m_isWithinDocument, true);
    const auto restored = qScopeGuard([this, wasWithin] { m_isWithinDocument = wasWithin; });
    const int count = static_cast<int>(payload.tree.nodes.size());
    for (int node = 0; node < count; ++node) {
        const PayloadNode &one = payload.tree.nodes.at(node);
        if (one.kind != PayloadNode::Kind::Text || one.value.size() < leastInner)
            continue;
        if (m_left.nodes <= 0) {
            payload.notes += decodePhrase("What is further inside is not taken apart.");
            return;
        }
        const QByteArray bytes = one.value.toUtf8();
        const DecodeLimits before = m_left;
        const auto inner = unpacked(PayloadFormat::Base64, bytes);
        if (!inner)
            continue;
        const auto beneath = surelyWithin(PayloadFormat::Base64, bytes, *inner, depth, before);
        if (!beneath)
            continue;
        attach(payload.tree, node, *beneath);
        payload.notes += beneath->notes;
        payload.hasInner = true;
    }
}

/// nullopt where the bytes are no document that a person calls JSON.
std::optional<DecodedPayload> PayloadDecoder::asJson(const QByteArray &bytes, int depth,
                                                     QStringList &notes)
{
    const QByteArray trimmed = bytes.trimmed();
    if (!trimmed.startsWith('{') && !trimmed.startsWith('[') && !trimmed.startsWith('"'))
        return std::nullopt;
    auto tree = depth == 0 ? m_json.map([](const JsonTree &json) { return treeOf(json); })
                           : read(PayloadFormat::Json, bytes);
    if (!tree) {
        if (tree.error().kind == Error::Kind::Unsupported)
            notes += decodePhrase("Not read as JSON: %1.").arg(tree.error().text);
        return std::nullopt;
    }
    if (tree->nodes.size() == 1 && tree->nodes.constFirst().kind == PayloadNode::Kind::Text) {
        // One text alone: what it holds is the payload.
        const QByteArray inner = tree->nodes.constFirst().value.toUtf8();
        if (auto payload = surelyWithin(PayloadFormat::Json, bytes, inner, depth, m_left))
            return payload;
    }
    DecodedPayload payload = asDocument(PayloadFormat::Json, bytes.size(), std::move(*tree));
    decodeTexts(payload, depth);
    return payload;
}

DecodedPayload PayloadDecoder::found(const QByteArray &bytes, int depth)
{
    QStringList notes;
    const auto noted = [&notes](DecodedPayload payload) {
        payload.notes = notes + payload.notes;
        return payload;
    };
    if (bytes.size() > m_limits.bytes) {
        notes += decodePhrase("Payloads above %1 are not taken apart.")
                     .arg(bytesText(m_limits.bytes));
        return noted(asBytesAlone(bytes));
    }
    if (depth >= m_limits.layers || m_left.nodes <= 0) {
        notes += decodePhrase("What is further inside is not taken apart.");
        return noted(asBytesAlone(bytes));
    }
    if (const auto format = packedAs(bytes)) {
        const auto inner = unpacked(*format, bytes);
        if (inner)
            return within(*format, bytes, *inner, depth);
        // Two bytes that look like zlib's are no promise; what is too large is told all the same.
        if (*format != PayloadFormat::Zlib || inner.error().kind == Error::Kind::Unsupported)
            notes += decodePhrase("It begins like %1, but was not unpacked: %2.")
                         .arg(label(*format), inner.error().text);
    }
    if (auto payload = saidMessage(bytes))
        return noted(std::move(*payload));
    if (auto payload = asJson(bytes, depth, notes))
        return noted(std::move(*payload));
    if (const auto text = wholeText(bytes))
        return noted(asText(bytes, *text, depth));
    return noted(asBinary(bytes));
}

/// What the payload is said to be.
Result<DecodedPayload> PayloadDecoder::asMessage(const QByteArray &bytes)
{
    const QString doing = u"reading protobuf"_s;
    if (!m_message.isSaid()) {
        return fail(Error::Kind::Unsupported, doing, u"nobody has said which message it is"_s, {},
                    u"The profile says that, or --descriptor-set and --message-type."_s);
    }
    if (!m_message.schema)
        return fail(Error::Kind::Invalid, doing, m_message.problem);
    const ProtobufReading reading
        = TRY(readProtobufMessage(*m_message.schema, m_message.name, bytes, m_left));
    DecodedPayload payload = asDocument(PayloadFormat::Message, bytes.size(), reading.tree);
    if (reading.unknownFields > 0) {
        payload.notes += decodePhrase("%n fields are not known to the descriptor set.", nullptr,
                                      reading.unknownFields);
    }
    return payload;
}

/// nullopt where nothing is said, or it is not that.
std::optional<DecodedPayload> PayloadDecoder::saidMessage(const QByteArray &bytes)
{
    if (!m_message.isSaid() || m_isWithinDocument)
        return std::nullopt;
    auto payload = asMessage(bytes);
    if (payload)
        return std::move(*payload);
    m_misfit = payload.error().text;
    return std::nullopt;
}

/// Says why it is not what it was said to be.
void PayloadDecoder::tellMisfit(DecodedPayload &payload) const
{
    const bool isMessage
        = std::any_of(payload.layers.cbegin(), payload.layers.cend(),
                      [](const PayloadLayer &one) { return one.format == PayloadFormat::Message; });
    if (!isMessage && !m_misfit.isEmpty()) {
        payload.notes.prepend(
            decodePhrase("It is not read as %1: %2.").arg(m_message.name, m_misfit));
    }
}

DecodedPayload PayloadDecoder::whole(const QByteArray &payload)
{
    m_json = readJson(payload, m_limits.bytes, m_limits.nodes);
    DecodedPayload decoded = found(payload, 0);
    tellMisfit(decoded);
    decoded.json = std::move(m_json);
    return decoded;
}

Result<DecodedPayload> PayloadDecoder::foundAs(PayloadFormat format, const QByteArray &bytes)
{
    if (bytes.size() > m_limits.bytes) {
        return fail(Error::Kind::Unsupported, u"decoding a payload"_s,
                    u"payloads above %1 are not taken apart"_s.arg(bytesText(m_limits.bytes)));
    }
    switch (format) {
    case PayloadFormat::Gzip:
    case PayloadFormat::Zlib:
    case PayloadFormat::Zstd:
    case PayloadFormat::Base64: {
        const QByteArray inner = TRY(unpacked(format, bytes));
        DecodedPayload payload = within(format, bytes, inner, 0);
        tellMisfit(payload);
        return payload;
    }
    case PayloadFormat::Json:
    case PayloadFormat::Cbor:
    case PayloadFormat::MessagePack:
    case PayloadFormat::Protobuf: {
        PayloadTree tree = TRY(read(format, bytes));
        DecodedPayload payload = asDocument(format, bytes.size(), std::move(tree));
        if (format == PayloadFormat::Json)
            decodeTexts(payload, 0);
        return payload;
    }
    case PayloadFormat::Message:
        return asMessage(bytes);
    case PayloadFormat::Text:
        if (const auto text = utf8Text(bytes))
            return asTextAlone(bytes.size(), *text);
        return fail(Error::Kind::Invalid, u"reading text"_s, u"it is not UTF-8"_s);
    case PayloadFormat::Bytes:
        break;
    }
    return asBytesAlone(bytes);
}

} // namespace

QString word(PayloadFormat format)
{
    return payloadFormats.word(format);
}

QString label(PayloadFormat format)
{
    return payloadFormats.label(format, "outbox::PayloadFormat");
}

std::optional<PayloadFormat> payloadFormatFromWord(QStringView text)
{
    return payloadFormats.fromWord(text, Qt::CaseInsensitive);
}

QStringList payloadFormatWords()
{
    QStringList words;
    for (const PayloadFormat format : payloadFormats.all())
        words += word(format);
    return words;
}

bool DecodedPayload::saysMore() const
{
    if (layers.size() > 1 || hasInner)
        return true;
    switch (layers.isEmpty() ? PayloadFormat::Bytes : layers.constFirst().format) {
    case PayloadFormat::Json:
    case PayloadFormat::Text:
    case PayloadFormat::Bytes:
        return false;
    default:
        return true;
    }
}

QString chainText(const QList<PayloadLayer> &layers)
{
    if (layers.isEmpty())
        return {};
    const QString first = bytesText(layers.constFirst().bytes);
    const QString size = layers.size() > 1
        ? QString(first + u" → "_s + bytesText(layers.constLast().bytes))
        : first;
    return chainNames(layers) + u", "_s + size;
}

DecodedPayload decodePayload(const QByteArray &payload, const DecodeLimits &limits,
                             const MessageType &message)
{
    return PayloadDecoder(limits, message).whole(payload);
}

Result<DecodedPayload> decodePayloadAs(PayloadFormat format, const QByteArray &payload,
                                       const DecodeLimits &limits, const MessageType &message)
{
    return PayloadDecoder(limits, message).foundAs(format, payload);
}

Result<DecodedPayload> decodedAsAsked(const PayloadQuestion &question)
{
    if (question.format) {
        return decodePayloadAs(*question.format, question.payload, question.limits,
                               question.message);
    }
    return decodePayload(question.payload, question.limits, question.message);
}

} // namespace outbox
