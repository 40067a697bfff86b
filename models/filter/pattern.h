// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How texts are compared in filters, the same wherever it is done: by whole characters, and with a
// case that does not depend on a language.
#pragma once

#include <QString>
#include <QStringView>

namespace outbox {

/// Whether the whole of `text` fits; `*` is any number of characters, `?` one. Takes at most the
/// product of the two lengths in steps, whatever the pattern.
[[nodiscard]] bool fitsWildcards(QStringView pattern, QStringView text);

/// A text in which letters that differ by case alone are the same. No other letter becomes one of
/// ASCII by it, so that databases can do the same for texts of ASCII.
[[nodiscard]] QString foldedText(QStringView text);

/// Whether `part`, folded already, stands anywhere in `text`.
[[nodiscard]] bool holdsFolded(QStringView text, QStringView part);

} // namespace outbox
