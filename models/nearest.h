// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The word someone probably meant.
#pragma once

#include <QString>
#include <QStringList>

namespace outbox {

/// Levenshtein distance, ignoring case: letters to put in, take out or change.
[[nodiscard]] qsizetype editDistance(QStringView left, QStringView right);

/// The candidate with the fewest typing errors between it and `word`, ignoring case; empty when
/// none is near (more than a third of the letters differ, at least one may).
[[nodiscard]] QString nearestWord(QStringView word, const QStringList &candidates);

} // namespace outbox
