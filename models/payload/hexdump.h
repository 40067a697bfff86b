// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bytes as people read them: offset, sixteen values, their printable characters.
#pragma once

#include <QByteArrayView>
#include <QString>

namespace outbox {

/// One line for each 16 bytes, in ASCII only. Beyond `limit` bytes a last line says how many are
/// left out. `offset` is that of the first byte.
[[nodiscard]] QString hexDump(QByteArrayView bytes, qsizetype limit = 65'536, qint64 offset = 0);

} // namespace outbox
