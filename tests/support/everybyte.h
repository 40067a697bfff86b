// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bytes that are no text: each value once.
#pragma once

#include <QByteArray>

namespace outbox {

/// 0 to 255, in this order.
[[nodiscard]] inline QByteArray everyByte()
{
    QByteArray bytes;
    for (int value = 0; value < 256; ++value)
        bytes += static_cast<char>(value);
    return bytes;
}

} // namespace outbox
