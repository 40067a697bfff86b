// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How numbers, spans and moments are written inside a sentence; one wording for every sentence.
#pragma once

#include <QDateTime>
#include <QString>
#include <QStringList>

namespace outbox {

/// Numbers and the names of days are written as the words around them are: in English, whatever the
/// desktop's language is, as long as no translation is there. Once in a program, at its start.
void useLocaleOfWords();
/// "0.2 s", "38 s", "4 min", "2 h 10 min", "3 days": as coarse as a person needs.
[[nodiscard]] QString spanText(double seconds);
/// A count with the grouping of the default locale.
[[nodiscard]] QString countText(qint64 count);
/// A rate a second without the unit: "0.4", "96".
[[nodiscard]] QString rateText(double perSecond);
/// The same with its unit: "0.4/s", "96/s".
[[nodiscard]] QString perSecondText(double perSecond);
/// A size in memory by powers of 1,024: "512 bytes", "8.1 MB".
[[nodiscard]] QString bytesText(qint64 bytes);
/// A moment in local time: "14:02:40" on the day of `now`, "tomorrow 14:02:40", else with its date.
[[nodiscard]] QString momentText(const QDateTime &moment, const QDateTime &now);
/// As momentText, to the minute: for estimates.
[[nodiscard]] QString aboutMomentText(const QDateTime &moment, const QDateTime &now);
/// The longest that `spanText` says of less than a thousand days, in each of its forms: what has
/// room for these cuts no span.
[[nodiscard]] QStringList spanSamples();
/// The same of `momentText`.
[[nodiscard]] QStringList momentSamples();
/// One line of a text that came from a server: first line, trimmed, at most `limit` characters.
[[nodiscard]] QString clipped(const QString &text, int limit = 160);
/// The same text with a capital first, as a sentence begins.
[[nodiscard]] QString capital(const QString &text);

} // namespace outbox
