// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the texts of a catalog say: the value of a default, the values of a list.
#pragma once

#include <QMap>
#include <QString>
#include <QStringList>

namespace outbox {

/// More columns than these are not read.
inline constexpr int mostColumns = 50'000;

/// How a literal writes a quotation mark and a backslash.
enum class Literals { Standard, WithBackslashes };

/// The value of a default that is a plain one: 'new'::text, 0; empty for an expression.
[[nodiscard]] QString plainDefault(const QString &expression,
                                   Literals literals = Literals::Standard);

/// The quoted values of a list: 'a', 'b'.
[[nodiscard]] QStringList labelsIn(const QString &list, Literals literals = Literals::Standard);

/// What a comment calls the numbers, or the letters, of its column: "0: pending, 1 = sent",
/// "pending (0)", "N: new, S: sent". Empty where it names fewer than two.
[[nodiscard]] QMap<QString, QString> meaningsIn(const QString &comment);

/// What a database means by now, where it names no zone: UTC, or what each session says.
enum class Clock { Utc, Session };
/// Whether a default, an expression, is the time of UTC.
[[nodiscard]] bool isTimeOfUtc(const QString &expression, Clock clock);

} // namespace outbox
