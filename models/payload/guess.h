// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the bytes of a payload probably are, and how people read them.
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QString>

namespace outbox {

enum class PayloadKind { Empty, Json, Text, Binary };

/// Looks at the bytes alone. A prefix is enough: a character cut at the end is forgiven, and what
/// begins like a JSON object or array and is text counts as JSON.
[[nodiscard]] PayloadKind guessPayload(const QByteArray &payload);

[[nodiscard]] QString label(PayloadKind kind);

/// One line for each 16 bytes, in ASCII only. Beyond `limit` bytes a last line says how many are
/// left out. `offset` is that of the first byte.
[[nodiscard]] QString hexDump(QByteArrayView bytes, qsizetype limit = 65'536, qint64 offset = 0);

} // namespace outbox
