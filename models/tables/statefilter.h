// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The `state:` term of a filter text, which the state buttons read and write, and terms that come
// from the cells of a table.
#pragma once

#include <QString>
#include <QStringList>

namespace outbox {

/// The words of the top-level `state:` terms, lower case; empty where there is none.
[[nodiscard]] QStringList statesInFilter(const QString &text);

/// The values of the top-level terms of any other field, as they were written.
[[nodiscard]] QStringList valuesInFilter(const QString &text, const QString &field);

/// The text with its `state:` terms replaced by one of these words, at the place of the first; with
/// no words they are taken out. Everything else stays as it was typed.
[[nodiscard]] QString filterWithStates(const QString &text, const QStringList &words);

/// `field=value`, as a filter writes it; empty where there is no value, one that no filter can
/// hold, or one too long for a filter with something beside it.
[[nodiscard]] QString termFor(const QString &field, const QString &value);

/// The text with `term` besides, in the place of its other top-level terms of that field. `term` is
/// a whole filter of one term; what cannot be understood leaves the text as it is.
[[nodiscard]] QString filterNarrowedTo(const QString &text, const QString &term);

} // namespace outbox
