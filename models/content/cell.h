// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One value of a row, byte for byte.
#pragma once

#include <QByteArray>

namespace outbox {

/// One cell of a row, byte for byte. `kind` says how it is bound again.
struct Cell
{
    enum class Kind { Null, Text, Bytes, Integer, Real };
    Kind kind = Kind::Null;
    QByteArray bytes; ///< Text: UTF-8 as the server writes it; numbers: decimal text

    [[nodiscard]] bool isNull() const { return kind == Kind::Null; }
    /// The bytes as they are bound: a null array would be bound as NULL, and empty is not NULL.
    [[nodiscard]] QByteArray boundBytes() const { return bytes.isNull() ? QByteArray("") : bytes; }
    bool operator==(const Cell &) const = default;
};

} // namespace outbox
