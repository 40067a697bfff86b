// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The wire format of protobuf, one field after another; what they mean is not known here.
#pragma once

#include <QByteArrayView>

#include <optional>

namespace outbox {

/// The largest number that a field may have.
inline constexpr quint64 largestFieldNumber = (quint64(1) << 29) - 1;

/// One field of a message as it stands in the bytes.
struct WireRecord
{
    /// By the numbers of the wire format.
    enum class Kind { Varint = 0, Fixed64 = 1, Sized = 2, Group = 3, Fixed32 = 5 };
    int field = 0; ///< its number
    Kind kind = Kind::Varint;
    quint64 number = 0; ///< of a varint; the bits of a fixed one
    QByteArrayView bytes; ///< what has a length, or stands between the marks of a group
};

// `at` is moved behind what was taken; where nothing is taken, it has no meaning. Groups are nested
// 64 deep at most. Pure; any thread.

/// At most ten bytes, of the last of them one bit; nullopt where no varint ends within `source`.
[[nodiscard]] std::optional<quint64> takeVarint(QByteArrayView source, qsizetype &at);

/// nullopt where no whole field with a number that is allowed stands at `at`.
[[nodiscard]] std::optional<WireRecord> takeRecord(QByteArrayView source, qsizetype &at);

/// `width` bytes, the lowest first; nullopt where there are fewer.
[[nodiscard]] std::optional<quint64> takeFixed(QByteArrayView source, qsizetype &at, int width);

} // namespace outbox
