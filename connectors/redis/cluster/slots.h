// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// In which slot of a Redis Cluster a key lies.
#pragma once

#include <QByteArrayView>

namespace outbox {

constexpr int slotCount = 16'384;

/// CRC16 of the kind XMODEM: polynomial 0x1021, begun with 0.
[[nodiscard]] quint16 crc16(QByteArrayView bytes);
/// What of a key counts: what stands between its first "{" and the next "}", where that is not
/// empty; else the whole key.
[[nodiscard]] QByteArrayView hashedPart(QByteArrayView key);
/// 0 to `slotCount` - 1. Keys with the same part in braces share a slot.
[[nodiscard]] int slotOf(QByteArrayView key);

} // namespace outbox
