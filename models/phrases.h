// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Numbers as people read them: durations, counts, rates and sizes, short and of steady width.
#pragma once

#include <QDateTime>
#include <QString>

namespace outbox {

/// "0.4 s", "38 s", "4 min", "2 h 10 min", "3 d 4 h".
[[nodiscard]] QString durationText(double seconds);
/// By the locale: "10,233"; from a million on "1.2 M".
[[nodiscard]] QString countText(qint64 count);
/// "0/s", "0.4/s", "96/s", "1,240/s".
[[nodiscard]] QString rateText(double perSecond);
/// "512 B", "8.1 MB", by powers of 1,024.
[[nodiscard]] QString bytesText(qint64 bytes);

/// "0.2 s", "38 s", "4 min", "2 h 10 min", "3 days": as coarse as a person needs.
[[nodiscard]] QString spanText(double seconds);
/// A moment in local time: "14:02:40" on the day of `now`, "14:02:40 tomorrow", else with its date.
[[nodiscard]] QString momentText(const QDateTime &moment, const QDateTime &now);
/// As momentText, to the minute: for estimates.
[[nodiscard]] QString aboutMomentText(const QDateTime &moment, const QDateTime &now);

} // namespace outbox
