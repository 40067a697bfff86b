// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Names of tables and columns as words (shapes.md 5.1): "nextAttemptTime" is next attempt time.
#pragma once

#include <QString>
#include <QStringList>

namespace outbox {

/// Lower case, plurals as they stand. A long word without a border is cut by the known words.
[[nodiscard]] QStringList wordsOf(const QString &name);
/// Words with a blank between them.
[[nodiscard]] QStringList wordList(const QString &words);
/// Whether `word` is among `words`, in singular or plural.
[[nodiscard]] bool hasWord(const QStringList &words, const QString &word);
[[nodiscard]] bool hasAnyWord(const QStringList &words, const QStringList &wanted);

} // namespace outbox
