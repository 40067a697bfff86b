// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bytes in, replies out: the length gate before the hiredis reader, and nothing of hiredis outside.
#pragma once

#include "connectors/redis/lengthgate.h"
#include "connectors/redis/reply.h"

#include <QByteArray>
#include <QString>

#include <memory>
#include <optional>

struct redisReader;

namespace outbox {

/// Belongs to one connection and dies with it: after an error neither it nor its bytes are of use.
class ReplyReader
{
public:
    ReplyReader();
    ~ReplyReader();

    /// False: the bytes are no replies of ours, `error()` says why.
    [[nodiscard]] bool feed(const QByteArray &bytes);
    /// The next whole reply; nullopt when more bytes are needed, or after an error.
    [[nodiscard]] std::optional<RedisReply> next();
    /// True when no byte waits to become part of a reply.
    [[nodiscard]] bool isEmpty() const;
    [[nodiscard]] const QString &error() const { return m_error; }

private:
    std::unique_ptr<redisReader, void (*)(redisReader *)> m_reader;
    LengthGate m_gate;
    QString m_error;
};

} // namespace outbox
