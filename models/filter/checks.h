// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the terms of a filter ask of a row, a task or an operation: values with their types. The
// predicate evaluates it and the dialects write it as SQL, so that both mean the same.
#pragma once

#include "models/filter/fields.h"
#include "models/filter/filter.h"

#include <QDateTime>
#include <QStringList>

#include <optional>

namespace outbox {

/// A range of numbers; seconds for durations, bytes for sizes, milliseconds since 1970 for times.
struct FilterSpan
{
    std::optional<double> from;
    std::optional<double> to;
    bool withFrom = true; ///< `from` itself belongs to it
    bool withTo = true;

    [[nodiscard]] bool has(double value) const;
    bool operator==(const FilterSpan &) const = default;
};

/// Whole: `*` and `?` are wildcards. Part: anywhere, ignoring the case of letters; `text` is
/// folded. A bare word asks by Start for ids, and by Part for types.
struct FilterPattern
{
    enum class How { Exact, Whole, Start, Part };
    How how = How::Exact;
    QString text;

    [[nodiscard]] bool fits(const QString &whole) const;
    bool operator==(const FilterPattern &) const = default;
};

/// A test on one field: any of its alternatives.
struct FieldCheck
{
    FilterField field = FilterField::Word;
    QStringList path; ///< below payload, header and col; the places of elements as digits
    bool negated = false;
    bool orMissing = false; ///< `none`
    bool orGiven = false; ///< `any`
    QStringList words; ///< lower case, each is known
    QList<FilterPattern> patterns;
    QList<FilterSpan> spans;
    bool spansAreTimes = false;
    int position = 0; ///< of its term in the text
    QString name; ///< the field as it was written

    bool operator==(const FieldCheck &) const = default;
};

/// The filter again, with what its terms mean.
struct CheckNode
{
    FilterNode::Kind kind = FilterNode::Kind::All;
    FieldCheck check; ///< of a Term
    QList<CheckNode> parts;

    [[nodiscard]] bool isEverything() const
    {
        return kind == FilterNode::Kind::All && parts.isEmpty();
    }
    bool operator==(const CheckNode &) const = default;
};

/// Reads the values of all terms. `now` is what `-15m` and `today` count from, and its zone is that
/// of times that name none; it must be given where the filter speaks of times. Fails with Invalid,
/// the position of the fault and what was meant.
[[nodiscard]] Result<CheckNode> checksOf(const Filter &filter, FilterSubject subject,
                                         const QDateTime &now);

} // namespace outbox
