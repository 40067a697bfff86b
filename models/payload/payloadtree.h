// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What was decoded, as one tree for every format: names, types in the format's own words, and
// values as text, because no number may lose a digit.
#pragma once

#include "models/payload/jsontokens.h"

#include <QByteArrayView>
#include <QList>
#include <QString>

#include <optional>

namespace outbox {

struct PayloadNode
{
    enum class Kind {
        Map, ///< children have names
        Array, ///< children have none
        Tag, ///< a mark of CBOR around its one child
        Number,
        Text,
        Bytes, ///< the value is in hex
        Flag,
        Null,
    };
    Kind kind = Kind::Null;
    QString name; ///< of a member or a field; empty for elements, and for the root
    QString type; ///< "uint", "float 32", "text, not UTF-8"; a technical word, not translated
    QString value; ///< exact; empty for maps, arrays and tags. Untrusted: show it as plain text
    int parent = -1;
    int row = 0; ///< place among the parent's children
    QList<int> children; ///< indexes of nodes

    /// It has children instead of a value.
    [[nodiscard]] bool isContainer() const
    {
        return kind == Kind::Map || kind == Kind::Array || kind == Kind::Tag;
    }
    bool operator==(const PayloadNode &) const = default;
};

/// A tree that was read to its end. A parent stands before its children; the root is the first.
struct PayloadTree
{
    QList<PayloadNode> nodes;

    /// Adds a node behind the children of `parent` (-1: as the root), and answers its index.
    int add(int parent, PayloadNode::Kind kind, const QString &name, const QString &type,
            const QString &value = {});
    /// Takes away the node `from` and all that came after it.
    void truncate(int from);
    /// Where a node is: `$`, `$.card.number`, `$.list[0]`, `$["a b"]`. Of a path whose names have
    /// more than 1,000 characters the end alone, behind "…".
    [[nodiscard]] QString path(int node) const;
    bool operator==(const PayloadTree &) const = default;
};

/// What a decoder is given.
struct DecodeLimits
{
    qsizetype bytes = qsizetype(16) * 1024 * 1024; ///< of a payload, and of all that is unpacked
    int nodes = 200'000; ///< values of the whole tree
    int depth = 64; ///< nesting of one document; JSON has its own limit
    int layers = 8; ///< formats inside each other
};

/// Which limit one more value of the tree, nested so deep, would pass; empty: none.
[[nodiscard]] QString passedLimit(const PayloadTree &tree, int depth, const DecodeLimits &limits);

/// The text of bytes that are UTF-8 to their end; nullopt for others.
[[nodiscard]] std::optional<QString> utf8Text(QByteArrayView bytes);

/// The text of bytes that are UTF-8 to their end and hold nothing that cannot be seen but line
/// breaks and tabs; nullopt for others. Nothing is text, too.
[[nodiscard]] std::optional<QString> wholeText(QByteArrayView bytes);

/// Bytes in hex without blanks; beyond 4,096 of them it ends with "… N bytes in all".
[[nodiscard]] QString bytesValue(QByteArrayView bytes);

/// The shortest text that means exactly this number; "nan", "inf" and "-inf", too.
[[nodiscard]] QString realValue(double value);
/// The same of the bits of a float that is 4 or 8 bytes wide.
[[nodiscard]] QString realValue(quint64 bits, int width);

/// The same document as such a tree, node for node: numbers are their source text.
[[nodiscard]] PayloadTree treeOf(const JsonTree &json);

} // namespace outbox
