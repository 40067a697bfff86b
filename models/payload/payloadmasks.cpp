// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/payload/payloadmasks.h"

#include "models/payload/jsontokens.h"
#include "models/payload/unpack.h"
#include "models/translation.h"

#include <QHash>

#include <algorithm>
#include <optional>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation maskPhrase("outbox::PayloadMasks");

constexpr int mostMaskedLayers = 8; ///< texts inside texts
constexpr qsizetype readingsOfAll = 4; ///< so many times the limit is read inside texts, in all

/// How much of each path leads to a value.
using PassedPaths = QList<MaskPath::Passed>;

/// What of a tree is not to be seen, by its nodes.
struct MaskedNodes
{
    QList<bool> hidden; ///< the value and all inside it
    QList<bool> packs; ///< a text with something hidden inside: the text is not shown, either
    QHash<int, QString> rewritten; ///< a text that is JSON, with `•••` in it
    bool isAny = false;
};

bool isStructured(PayloadFormat format)
{
    return format == PayloadFormat::Json || format == PayloadFormat::Cbor
        || format == PayloadFormat::MessagePack;
}

/// The text behind the mark of a byte order.
QString withoutMark(const QString &text)
{
    return text.startsWith(QChar(QChar::ByteOrderMark)) ? text.sliced(1) : text;
}

/// A text that begins like JSON and is none: what it lacks may be its end alone.
bool isLikeDocument(const QString &text)
{
    if (text.startsWith(u'{'))
        return text.contains(u'"') || text.contains(u':');
    if (text.startsWith(u'['))
        return text.contains(u'"') || text.contains(u'{');
    return text.contains(u'{') || text.contains(u'[');
}

/// The document with other strings in place of what is not to be seen; all other bytes stay.
/// `nodes` has those of `json` first, in their order.
QByteArray rewrittenJson(const JsonTree &json, const MaskedNodes &nodes)
{
    QByteArray text;
    qsizetype written = 0; // bytes of the source that are done with
    for (int number = 0; number < json.nodes.size(); ++number) {
        const JsonNode &node = json.nodes.at(number);
        const bool isHidden = nodes.hidden.at(number) || nodes.packs.at(number);
        const auto other = nodes.rewritten.constFind(number);
        if (node.at < written || (!isHidden && other == nodes.rewritten.cend()))
            continue;
        text.append(QByteArrayView(json.source).sliced(written, node.at - written));
        text += jsonString(isHidden ? maskedValue() : *other);
        written = node.at + node.length;
    }
    text.append(QByteArrayView(json.source).sliced(written));
    return text;
}

/// The tree without what is not to be seen.
PayloadTree maskedTree(const PayloadTree &tree, const MaskedNodes &nodes)
{
    struct Copied
    {
        int node;
        int parent;
    };
    PayloadTree masked;
    QList<Copied> open{Copied{0, -1}};
    while (!open.isEmpty()) {
        const Copied one = open.takeLast();
        const PayloadNode &node = tree.nodes.at(one.node);
        if (nodes.hidden.at(one.node)) {
            masked.add(one.parent, PayloadNode::Kind::Text, node.name, u"masked"_s, maskedValue());
            continue;
        }
        const QString value = nodes.packs.at(one.node)
            ? maskedValue()
            : nodes.rewritten.value(one.node, node.value);
        const int copy = masked.add(one.parent, node.kind, node.name, node.type, value);
        for (auto child = node.children.crbegin(); child != node.children.crend(); ++child)
            open += Copied{*child, copy};
    }
    return masked;
}

/// Looks for values under masks through one payload.
class MaskSearch
{
public:
    MaskSearch(const QList<MaskPath> &paths, const DecodeLimits &limits)
        : m_paths(paths), m_limits(limits), m_bytesLeft(readingsOfAll * limits.bytes)
    { }

    [[nodiscard]] PassedPaths atRoot() const
    {
        PassedPaths passed;
        for (const MaskPath &path : m_paths)
            passed += path.atRoot();
        return passed;
    }
    /// In a tree whose root has `passed`, `depth` texts inside.
    [[nodiscard]] MaskedNodes within(const PayloadTree &tree, const PassedPaths &passed, int depth);
    /// Something under a mask may be in these bytes, or nobody can tell.
    [[nodiscard]] bool mayHide(const QByteArray &bytes, const PassedPaths &passed, int depth);
    /// `found` are `bytes`, which can be read as something else that holds it, or have no names.
    [[nodiscard]] bool mayBeOther(const DecodedPayload &found, const QByteArray &bytes,
                                  const PassedPaths &passed, int depth);

private:
    /// What stands in the place of a text; nullopt: it may be shown.
    [[nodiscard]] std::optional<QString> insteadOf(const QString &text, const PassedPaths &passed,
                                                   int depth);
    /// The text has a tree beneath it: it may be another tree, or one without names.
    [[nodiscard]] bool hidesBeneath(const QString &text, const PassedPaths &passed, int depth);
    /// Something under a mask may be in bytes, which are in hex.
    [[nodiscard]] bool hidesInHex(const QString &hex, const PassedPaths &passed, int depth);
    [[nodiscard]] PassedPaths below(const PayloadTree &tree, const PayloadNode &node,
                                    const PassedPaths &passed) const;
    [[nodiscard]] bool isMeant(const PassedPaths &passed) const;
    /// False where there is no more to be read.
    [[nodiscard]] bool spend(qsizetype bytes)
    {
        m_bytesLeft -= bytes;
        return m_bytesLeft >= 0;
    }
    void judge(const PayloadTree &tree, int number, const PassedPaths &passed, int depth,
               MaskedNodes &nodes);

    const QList<MaskPath> &m_paths;
    DecodeLimits m_limits;
    qsizetype m_bytesLeft;
};

/// Of a child of a value that has `passed`. What is inside a tag, or was decoded of a text, is
/// where that is.
PassedPaths MaskSearch::below(const PayloadTree &tree, const PayloadNode &node,
                              const PassedPaths &passed) const
{
    const PayloadNode &parent = tree.nodes.at(node.parent);
    if (parent.kind != PayloadNode::Kind::Map && parent.kind != PayloadNode::Kind::Array)
        return passed;
    const bool isMember = parent.kind == PayloadNode::Kind::Map;
    const QString name = isMember ? node.name.toCaseFolded() : QString();
    PassedPaths next;
    for (qsizetype path = 0; path < m_paths.size(); ++path) {
        next += isMember ? m_paths.at(path).atMember(passed.at(path), name)
                         : m_paths.at(path).atElement(passed.at(path), node.row);
    }
    return next;
}

bool MaskSearch::isMeant(const PassedPaths &passed) const
{
    for (qsizetype path = 0; path < m_paths.size(); ++path) {
        if (m_paths.at(path).isAtEnd(passed.at(path)))
            return true;
    }
    return false;
}

/// A value that is not meant itself: what may be inside of it.
void MaskSearch::judge(const PayloadTree &tree, int number, const PassedPaths &passed, int depth,
                       MaskedNodes &nodes)
{
    const PayloadNode &node = tree.nodes.at(number);
    if (node.kind == PayloadNode::Kind::Bytes) {
        nodes.hidden[number] = hidesInHex(node.value, passed, depth);
    } else if (node.kind == PayloadNode::Kind::Text && !node.children.isEmpty()) {
        nodes.hidden[number] = hidesBeneath(node.value, passed, depth);
    } else if (node.kind == PayloadNode::Kind::Text) {
        if (const auto instead = insteadOf(node.value, passed, depth)) {
            if (*instead == maskedValue())
                nodes.hidden[number] = true;
            else
                nodes.rewritten.insert(number, *instead);
        }
    }
}

MaskedNodes MaskSearch::within(const PayloadTree &tree, const PassedPaths &passed, int depth)
{
    struct Open
    {
        int node;
        PassedPaths passed; ///< of its parent
    };
    MaskedNodes nodes;
    nodes.hidden.fill(false, tree.nodes.size());
    nodes.packs.fill(false, tree.nodes.size());
    QList<Open> open{Open{0, passed}};
    while (!open.isEmpty()) {
        const Open one = open.takeLast();
        const PayloadNode &node = tree.nodes.at(one.node);
        const PassedPaths here = node.parent < 0 ? one.passed : below(tree, node, one.passed);
        if (isMeant(here))
            nodes.hidden[one.node] = true;
        else
            judge(tree, one.node, here, depth, nodes);
        if (!nodes.hidden.at(one.node)) {
            for (const int child : node.children)
                open += Open{child, here};
            if (!nodes.rewritten.contains(one.node))
                continue;
        }
        nodes.isAny = true;
        // A text that was decoded holds it, too.
        for (int above = node.parent; above >= 0; above = tree.nodes.at(above).parent) {
            if (tree.nodes.at(above).kind == PayloadNode::Kind::Text)
                nodes.packs[above] = true;
        }
    }
    return nodes;
}

bool MaskSearch::hidesBeneath(const QString &text, const PassedPaths &passed, int depth)
{
    const auto inner = unpackBase64(text.toUtf8(), m_limits.bytes);
    if (!inner || !spend(inner->size()))
        return true;
    return mayBeOther(decodePayload(*inner, m_limits), *inner, passed, depth + 1);
}

bool MaskSearch::hidesInHex(const QString &hex, const PassedPaths &passed, int depth)
{
    const QByteArray digits = hex.toLatin1();
    const QByteArray bytes = QByteArray::fromHex(digits);
    if (bytes.toHex() != digits)
        return true; // only its beginning is here
    return !bytes.isEmpty() && mayHide(bytes, passed, depth + 1);
}

std::optional<QString> MaskSearch::insteadOf(const QString &text, const PassedPaths &passed,
                                             int depth)
{
    const QString trimmed = withoutMark(text.trimmed()).trimmed();
    const bool isLikeJson
        = trimmed.startsWith(u'{') || trimmed.startsWith(u'[') || trimmed.startsWith(u'"');
    const QByteArray bytes = trimmed.toUtf8();
    if (isLikeJson) {
        if (depth >= mostMaskedLayers || !spend(bytes.size()))
            return maskedValue();
        const auto json = readJson(bytes, m_limits.bytes, m_limits.nodes);
        if (json) {
            const MaskedNodes nodes = within(treeOf(*json), passed, depth + 1);
            // The whole of a text that is JSON is where the text is, which is not meant.
            return nodes.isAny ? std::optional(QString::fromUtf8(rewrittenJson(*json, nodes)))
                               : std::nullopt;
        }
        // A document that was cut, or is written in another way: its names are not known.
        const bool isDocument
            = isLikeDocument(trimmed) || json.error().kind == Error::Kind::Unsupported;
        return isDocument ? std::optional(maskedValue()) : std::nullopt;
    }
    const auto inner = unpackBase64(bytes, m_limits.bytes);
    if (!inner) {
        return inner.error().kind == Error::Kind::Unsupported ? std::optional(maskedValue())
                                                              : std::nullopt;
    }
    return mayHide(*inner, passed, depth + 1) ? std::optional(maskedValue()) : std::nullopt;
}

bool MaskSearch::mayHide(const QByteArray &bytes, const PassedPaths &passed, int depth)
{
    if (depth > mostMaskedLayers || !spend(bytes.size()))
        return true;
    const DecodedPayload found = decodePayload(bytes, m_limits);
    if (!found.notes.isEmpty() || mayBeOther(found, bytes, passed, depth))
        return true;
    // The tree of bytes that are nothing else has these bytes again.
    return found.layers.constLast().format != PayloadFormat::Bytes
        && within(found.tree, passed, depth).isAny;
}

bool MaskSearch::mayBeOther(const DecodedPayload &found, const QByteArray &bytes,
                            const PassedPaths &passed, int depth)
{
    const PayloadFormat last = found.layers.constLast().format;
    if (last == PayloadFormat::Protobuf) // its fields have numbers alone
        return true;
    return std::any_of(found.offers.cbegin(), found.offers.cend(), [&](PayloadFormat offer) {
        if (offer == last)
            return false;
        if (found.layers.size() > 1) // the bytes of the last layer are not here
            return isStructured(offer);
        const auto other = decodePayloadAs(offer, bytes, m_limits);
        return other && within(other->tree, passed, depth).isAny;
    });
}

} // namespace

QString maskedValue()
{
    return u"\u2022\u2022\u2022"_s;
}

Result<PayloadMasks> PayloadMasks::fromTexts(const QStringList &texts)
{
    PayloadMasks masks;
    for (qsizetype at = 0; at < texts.size(); ++at) {
        const QString text = texts.at(at).trimmed();
        if (text.isEmpty())
            continue;
        auto path = MaskPath::fromText(text);
        if (!path) {
            Error error = path.error();
            error.text = u"path %1, %2"_s.arg(at + 1).arg(error.text);
            return Failure(error);
        }
        if (!masks.m_paths.contains(*path))
            masks.m_paths += *path;
    }
    if (masks.m_paths.size() > most) {
        return fail(Error::Kind::Invalid, u"reading the paths of masks"_s,
                    u"there are %1, at most %2 are taken"_s.arg(masks.m_paths.size()).arg(most));
    }
    return masks;
}

QStringList PayloadMasks::texts() const
{
    QStringList texts;
    for (const MaskPath &path : m_paths)
        texts += path.text();
    return texts;
}

ShownPayload PayloadMasks::shown(const QByteArray &payload, qint64 storedBytes,
                                 const DecodeLimits &limits) const
{
    ShownPayload answer;
    answer.m_storedBytes = storedBytes;
    const bool isNothing = payload.isEmpty() && storedBytes <= 0;
    if (isEmpty() || isNothing) {
        answer.m_bytes = payload;
        return answer;
    }
    const auto hide = [&answer] {
        answer.m_how = ShownPayload::How::Hidden;
        answer.m_why = maskPhrase("hidden: it cannot be read, so masks cannot be applied");
        return answer;
    };
    if (payload.size() < storedBytes)
        return hide();
    DecodedPayload found = decodePayload(payload, limits);
    if (!found.notes.isEmpty() || !isStructured(found.layers.constLast().format))
        return hide();
    MaskSearch search(m_paths, limits);
    const PassedPaths root = search.atRoot();
    const MaskedNodes nodes = search.within(found.tree, root, 0);
    if (search.mayBeOther(found, payload, root, 0)) // read so, it has other names
        return hide();
    if (!nodes.isAny) {
        answer.m_bytes = payload;
        return answer;
    }
    if (found.layers.size() == 1 && found.layers.constFirst().format == PayloadFormat::Json) {
        if (!found.json)
            return hide();
        answer.m_bytes = rewrittenJson(*found.json, nodes);
        found.json = readJson(answer.m_bytes, limits.bytes, limits.nodes);
    } else {
        answer.m_why = maskPhrase("masked inside: only decoded can it be shown");
        found.json = fail(Error::Kind::Unsupported, u"reading the payload as JSON"_s, answer.m_why);
    }
    answer.m_how = ShownPayload::How::Masked;
    found.tree = maskedTree(found.tree, nodes);
    found.offers.clear();
    answer.m_decoded = std::move(found);
    return answer;
}

} // namespace outbox
