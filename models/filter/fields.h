// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the filters of rows, of tasks and of what was done have in common: known fields, and the
// fields they read alike.
#pragma once

#include "models/filter/filter.h"

#include <QStringList>

#include <functional>

namespace outbox {

/// `unknown field`, or Unsupported when the language has it and `readable` does not hold it.
[[nodiscard]] Failure fieldFault(const FilterTerm &term, const QStringList &readable);
/// Says that `term`'s sign does not fit its field, and which do.
[[nodiscard]] Failure signFault(const FilterTerm &term, const QString &fitting);
/// Fails when one of `fields` stands twice: the terms would contradict each other.
[[nodiscard]] Result<void> onceEach(const Filter &filter, const QStringList &fields);

/// The only text of a term with one plain value. Fails for lists and ranges.
[[nodiscard]] Result<QString> onlyText(const FilterTerm &term);
/// The pattern a term of text asks for: `:` takes wildcards, `=` none, `~` contains.
[[nodiscard]] Result<QString> patternOf(const FilterTerm &term);
/// Whether the whole of `text` fits; `*` and `?` are wildcards.
[[nodiscard]] bool fitsPattern(const QString &pattern, const QString &text,
                               Qt::CaseSensitivity sensitivity = Qt::CaseSensitive);
/// The prefix an `id` term asks for; a trailing `*` says the same.
[[nodiscard]] Result<QString> idPrefixOf(const FilterTerm &term);
/// Whether a bare word asks for an id (hexadecimal digits and dashes with a digit) or for a type.
[[nodiscard]] bool looksLikeId(const QString &word);

/// Calls `take(word)` for each value of a term that takes words of a list, such as `state`.
[[nodiscard]] Result<void> eachWord(const FilterTerm &term, const QStringList &known,
                                    const std::function<bool(const QString &)> &take);

} // namespace outbox
