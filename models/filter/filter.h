// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The filter language as values (console 7): terms that must all hold.
#pragma once

#include "models/result.h"

#include <QList>
#include <QString>

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

    /// What it says; where it stood does not matter.
    bool operator==(const FilterValue &other) const
    {
        return text == other.text && to == other.to && quoted == other.quoted;
    }
};

/// `field op values`, or a bare word, which has no field.
struct FilterTerm
{
    QString field; ///< empty = a bare word, in the only value
    FilterOp op = FilterOp::Matches;
    QList<FilterValue> values; ///< any of them
    int position = 0;

    [[nodiscard]] bool isWord() const { return field.isEmpty(); }
    bool operator==(const FilterTerm &other) const
    {
        return field == other.field && op == other.op && values == other.values;
    }
};

struct Filter
{
    QList<FilterTerm> terms; ///< all of them; empty = everything

    /// Reads a filter. Fails with Invalid and the position of the fault, and with Unsupported for
    /// what the language has and this version does not evaluate (`or`, `not`, parentheses).
    [[nodiscard]] static Result<Filter> fromText(const QString &text);
    /// As one would write it; reading it again gives an equal filter.
    [[nodiscard]] QString text() const;
    bool operator==(const Filter &) const = default;
};

/// An Error with the position of the fault.
[[nodiscard]] Failure filterFault(Error::Kind kind, int position, QString text, QString hint = {});

/// Seconds of `90s`, `5m`, `2h`, `30d` (`1.5h` too). Fails with Invalid.
[[nodiscard]] Result<double> secondsOf(const QString &text, int position = 0);

} // namespace outbox
