// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the cells of the tables, their tooltips and their copies are written: exact times, previews
// of bytes.
#pragma once

#include "models/payload/payloadmasks.h"

#include <QByteArray>
#include <QDateTime>
#include <QString>

namespace outbox {

/// Local time and UTC to the millisecond, for tooltips; empty for an invalid time.
[[nodiscard]] QString exactTime(const QDateTime &at);

/// `one` for a single thing, else `many` with its count in place of %1.
[[nodiscard]] QString counted(qint64 count, const QString &one, const QString &many);

/// The beginning of a payload on one line, safe to show, with what is missing as a size:
/// `{"to":"a@x"… 4.2 kB`. Of one that is hidden, why.
[[nodiscard]] QString payloadPreview(const ShownPayload &payload);

/// Text from outside for a table cell: at most 400 characters of one line, safe to show.
[[nodiscard]] QString cellText(const QString &text);

/// A cell of CSV in UTF-8, in quotes where it needs them. What a spreadsheet would take for a
/// formula has an apostrophe before it.
[[nodiscard]] QByteArray csvCell(QString text);

/// Text from outside for a tooltip: at most 2,000 characters, safe to show, escaped because
/// tooltips guess whether they were given markup. Empty stays empty: no tooltip.
[[nodiscard]] QString tipText(const QString &text);

} // namespace outbox
