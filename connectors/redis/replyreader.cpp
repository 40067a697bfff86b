// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/redis/replyreader.h"

#include <hiredis/hiredis.h>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

struct FreeReply
{
    void operator()(redisReply *reply) const { freeReplyObject(reply); }
};
using OwnedReply = std::unique_ptr<redisReply, FreeReply>;

/// The gate lets only the five RESP2 types through, so every type of the reader's is known here.
RedisReply toValue(const redisReply &reply)
{
    RedisReply value;
    switch (reply.type) {
    case REDIS_REPLY_INTEGER:
        value.kind = RedisReply::Kind::Integer;
        value.integer = reply.integer;
        break;
    case REDIS_REPLY_STRING:
        value.kind = RedisReply::Kind::Bulk;
        break;
    case REDIS_REPLY_STATUS:
        value.kind = RedisReply::Kind::Status;
        break;
    case REDIS_REPLY_ERROR:
        value.kind = RedisReply::Kind::Error;
        break;
    case REDIS_REPLY_ARRAY:
        value.kind = RedisReply::Kind::Array;
        value.elements.reserve(static_cast<qsizetype>(reply.elements));
        for (size_t i = 0; i < reply.elements; ++i)
            value.elements += toValue(*reply.element[i]);
        break;
    default:
        value.kind = RedisReply::Kind::Nil;
        break;
    }
    const bool hasBytes = value.kind == RedisReply::Kind::Bulk
        || value.kind == RedisReply::Kind::Status || value.kind == RedisReply::Kind::Error;
    if (hasBytes)
        value.bytes = QByteArray(reply.str, static_cast<qsizetype>(reply.len));
    return value;
}

} // namespace

ReplyReader::ReplyReader() : m_reader(redisReaderCreate(), redisReaderFree)
{ }

ReplyReader::~ReplyReader() = default;

bool ReplyReader::feed(const QByteArray &bytes)
{
    if (!m_error.isEmpty())
        return false;
    if (!m_gate.admits(bytes)) {
        m_error = m_gate.refusal();
        return false;
    }
    if (redisReaderFeed(m_reader.get(), bytes.constData(), static_cast<size_t>(bytes.size()))
        != REDIS_OK) {
        m_error = QString::fromUtf8(m_reader->errstr);
    }
    return m_error.isEmpty();
}

std::optional<RedisReply> ReplyReader::next()
{
    if (!m_error.isEmpty())
        return std::nullopt;
    void *raw = nullptr;
    if (redisReaderGetReply(m_reader.get(), &raw) != REDIS_OK) {
        m_error = QString::fromUtf8(m_reader->errstr);
        return std::nullopt;
    }
    if (!raw)
        return std::nullopt;
    const OwnedReply reply(static_cast<redisReply *>(raw));
    return toValue(*reply);
}

bool ReplyReader::isEmpty() const
{
    return m_gate.atBorder() && m_reader->pos == m_reader->len;
}

} // namespace outbox
