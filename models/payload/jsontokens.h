// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// JSON as it stands in the bytes: numbers keep every digit and members their order, because a
// payload is looked at and never written again.
#pragma once

#include "models/result.h"

#include <QByteArray>
#include <QList>
#include <QString>

namespace outbox {

/// One value of the document. `at` and `length` point into the source; a string includes its
/// quotes.
struct JsonNode
{
    enum class Kind { Object, Array, String, Number, True, False, Null };
    Kind kind = Kind::Null;
    qsizetype at = 0;
    qsizetype length = 0;
    qsizetype keyAt = -1; ///< the member's name with quotes; -1 for elements and the root
    qsizetype keyLength = 0;
    int parent = -1;
    int row = 0; ///< place among the parent's children
    QList<int> children; ///< indexes of nodes

    bool operator==(const JsonNode &) const = default;
};

/// A document that was read to its end. `nodes` is in document order; the root is the first.
struct JsonTree
{
    QByteArray source;
    QList<JsonNode> nodes;

    /// The bytes of a value exactly as they stand in the source.
    [[nodiscard]] QByteArrayView raw(const JsonNode &node) const;
    /// The member's name with escapes undone; empty for elements and the root.
    [[nodiscard]] QString key(const JsonNode &node) const;
    /// A string with escapes undone, otherwise the source text. Untrusted: show it as plain text.
    [[nodiscard]] QString text(const JsonNode &node) const;
    bool operator==(const JsonTree &) const = default;
};

/// Reads one JSON document (RFC 8259). Fails with Invalid (line, column and what was expected) or
/// with Unsupported beyond a limit, and for what is nested deeper than 256: a payload may be
/// anything. Does not recurse and never reads outside `source`.
[[nodiscard]] Result<JsonTree> readJson(const QByteArray &source,
                                        qsizetype mostBytes = qsizetype(8) * 1024 * 1024,
                                        qsizetype mostNodes = 200'000);

/// A text as a JSON string, with its quotes.
[[nodiscard]] QByteArray jsonString(const QString &text);

} // namespace outbox
