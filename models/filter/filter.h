// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The filter language as values (console 7): what was written, as a tree. What its fields mean is
// said by `checks.h`.
#pragma once

#include "models/result.h"

#include <QList>
#include <QString>

#include <optional>

namespace outbox {

/// `:` `=` `!=` `<` `<=` `>` `>=` `~` `!~`
enum class FilterOp {
    Matches,
    Equals,
    Differs,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Contains,
    Lacks,
};

[[nodiscard]] QString sign(FilterOp op);

/// One value of a term. With `to` it is a range, both ends in.
struct FilterValue
{
    QString text;
    QString to; ///< end of a range; empty = no range
    bool quoted = false;
    int position = 0; ///< index of its first character

    [[nodiscard]] bool isRange() const { return !to.isEmpty(); }
    [[nodiscard]] int endPosition() const { return position + static_cast<int>(text.size()) + 2; }
    /// What it says; where it stood does not matter.
    bool operator==(const FilterValue &other) const
    {
        return text == other.text && to == other.to && quoted == other.quoted;
    }
};

/// `field op values`, or a bare word, which has no field.
struct FilterTerm
{
    QString field; ///< its first name in lower case, the rest as written; empty = a bare word
    FilterOp op = FilterOp::Matches;
    QList<FilterValue> values; ///< any of them; a word has one
    int position = 0;
    int length = 0; ///< characters from `position` to its end

    [[nodiscard]] bool isWord() const { return field.isEmpty(); }
    /// `payload` of `payload.user[0].id`.
    [[nodiscard]] QString name() const;
    bool operator==(const FilterTerm &other) const
    {
        return field == other.field && op == other.op && values == other.values;
    }
};

/// A part of a filter. Groups hold no groups of their own kind and, but for the root, at least two
/// parts; a `Not` holds one.
struct FilterNode
{
    enum class Kind { All, Any, Not, Term };
    Kind kind = Kind::All;
    FilterTerm term;
    QList<FilterNode> parts;

    bool operator==(const FilterNode &) const = default;
};

/// A filter that can be understood. One without parts is everything.
struct Filter
{
    /// What hostile input may cost.
    static constexpr qsizetype mostCharacters = 4096;
    static constexpr int mostDepth = 32;
    static constexpr int mostTerms = 256;

    FilterNode root; ///< always of the kind All

    /// Text to tree: a pure function, bounded by the limits above whatever it is given. Fails with
    /// Invalid and the position of the fault. Where that goes away when more is written at the end,
    /// `unfinished` takes the term that misses its value, or else a bare word.
    [[nodiscard]] static Result<Filter> fromText(QStringView text,
                                                 std::optional<FilterTerm> *unfinished = nullptr);
    /// `terms`, all of which must hold.
    [[nodiscard]] static Filter of(const QList<FilterTerm> &terms);
    /// As one would write it; reading it again gives an equal filter.
    [[nodiscard]] QString text() const;
    [[nodiscard]] bool isEmpty() const { return root.parts.isEmpty(); }
    /// Whether a term anywhere speaks of the field with this first name.
    [[nodiscard]] bool mentions(const QString &name) const;
    bool operator==(const Filter &) const = default;
};

/// An Error with the position of the fault.
[[nodiscard]] Failure filterFault(int position, QString text, QString hint = {},
                                  Error::Kind kind = Error::Kind::Invalid);
/// Whether it is one: somebody wrote the filter in another way than it can be taken.
[[nodiscard]] bool isFilterFault(const Error &error);

} // namespace outbox
