// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Numbers as people read them: durations, counts, rates and sizes, short and of steady width.
#pragma once

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

} // namespace outbox
