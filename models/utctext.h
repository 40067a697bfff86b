// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How files, records and JSON say a moment.
#pragma once

#include <QDateTime>
#include <QString>

namespace outbox {

/// "2026-01-02T03:04:05.678Z"; empty for a moment that is not known.
[[nodiscard]] inline QString utcText(const QDateTime &at)
{
    return at.toUTC().toString(Qt::ISODateWithMs);
}

} // namespace outbox
