// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What words of names mean: rare words and those of other languages as the English ones that rules
// know. Whoever uses a meaning tells that it is a guess. Pure.
#pragma once

#include <QStringList>

namespace outbox {

/// The words of a name or a value; "gesperrt bis" is "locked until". A word that the list does not
/// know stays as it is.
[[nodiscard]] QStringList meantWords(const QString &name);

} // namespace outbox
