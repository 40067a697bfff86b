// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Text from outside made harmless to look at: what cannot be seen is shown as an escape.
#pragma once

#include <QString>

#include <optional>

namespace outbox {

enum class Lines {
    One, ///< line breaks and tabs are escaped too
    Many, ///< line breaks and tabs stay
};

/// Control, bidirectional, zero-width and other invisible characters as `\u202e`, line breaks as
/// `\n`; halves of surrogate pairs likewise, and of marks on one letter those beyond the eighth:
/// laying out thousands of them takes minutes. Everything else is unchanged. For display only,
/// never for data.
[[nodiscard]] QString plainText(const QString &text, Lines lines = Lines::One);

/// The same for labels: at most `most` characters, as they are shown, and 40 line breaks of it, so
/// that no text makes a window slow or large. A label is laid out many times for one change.
[[nodiscard]] QString shownText(const QString &text, Lines lines = Lines::One,
                                qsizetype most = 1000);

/// The same for fields that scroll: at most 20,000 characters. Laying out a line of a million takes
/// minutes.
[[nodiscard]] QString shownPage(const QString &text);

/// The same for buttons and menus, where an & would mark the next letter.
[[nodiscard]] QString buttonText(const QString &text);

inline constexpr qsizetype tipCharacters = 2000;

/// As much as a label shows, for places that guess whether they were given HTML (tooltips, message
/// boxes).
[[nodiscard]] QString plainTooltip(const QString &text);
/// The text in a `plainTooltip`; nullopt: this is none.
[[nodiscard]] std::optional<QString> textOfTooltip(const QString &tooltip);

} // namespace outbox
