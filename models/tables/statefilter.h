// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The `state:` term of a filter text, which the state buttons read and write.
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

} // namespace outbox
