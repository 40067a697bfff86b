// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A Redis reply as a value: nothing of hiredis leaves the codec.
#pragma once

#include <QByteArray>
#include <QList>

namespace outbox {

struct RedisReply
{
    enum class Kind { Nil, Integer, Status, Bulk, Array, Error };
    Kind kind = Kind::Nil;
    qint64 integer = 0;
    QByteArray bytes; ///< Status, Bulk, Error: as sent
    QList<RedisReply> elements; ///< Array

    [[nodiscard]] bool isNil() const { return kind == Kind::Nil; }
    [[nodiscard]] bool isError() const { return kind == Kind::Error; }
    /// First word of an error, such as "NOSCRIPT"; empty otherwise.
    [[nodiscard]] QByteArray errorPrefix() const
    {
        if (!isError())
            return {};
        const qsizetype blank = bytes.indexOf(' ');
        return blank < 0 ? bytes : bytes.left(blank);
    }
    bool operator==(const RedisReply &) const = default;
};

} // namespace outbox
