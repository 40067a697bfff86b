// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/wire/enqueuemessage.h"

#include <google/protobuf/io/coded_stream.h>

#include <cstring>

namespace outbox::asynq {

namespace {

using google::protobuf::io::CodedOutputStream;

/// Tags of task.proto: field number and wire type.
enum Tag : quint32 {
    Type = 1 << 3 | 2,
    Payload = 2 << 3 | 2,
    Id = 3 << 3 | 2,
    Queue = 4 << 3 | 2,
    Retry = 5 << 3,
    Timeout = 8 << 3,
    Retention = 12 << 3,
};

/// Empty fields are not written at all.
qsizetype fieldBytes(QByteArrayView text)
{
    if (text.isEmpty())
        return 0;
    const auto length = static_cast<quint64>(text.size());
    return 1 + static_cast<qsizetype>(CodedOutputStream::VarintSize64(length)) + text.size();
}

uchar *writeField(uchar *to, Tag tag, QByteArrayView text)
{
    if (text.isEmpty())
        return to;
    to = CodedOutputStream::WriteTagToArray(tag, to);
    to = CodedOutputStream::WriteVarint64ToArray(static_cast<quint64>(text.size()), to);
    std::memcpy(to, text.data(), static_cast<size_t>(text.size()));
    return to + text.size();
}

QByteArray field(Tag tag, QByteArrayView text)
{
    QByteArray bytes(fieldBytes(text), Qt::Uninitialized);
    writeField(reinterpret_cast<uchar *>(bytes.data()), tag, text);
    return bytes;
}

QByteArray field(Tag tag, qint64 number)
{
    if (number == 0)
        return {};
    constexpr qsizetype longest = 11;
    QByteArray bytes(longest, Qt::Uninitialized);
    auto *const begin = reinterpret_cast<uchar *>(bytes.data());
    uchar *end = CodedOutputStream::WriteTagToArray(tag, begin);
    end = CodedOutputStream::WriteVarint64ToArray(static_cast<quint64>(number), end);
    bytes.truncate(end - begin);
    return bytes;
}

bool hasOptionsOf(const EnqueueRequest &left, const EnqueueRequest &right)
{
    return left.queue == right.queue && left.maxRetry == right.maxRetry
        && left.timeoutSeconds == right.timeoutSeconds
        && left.retentionSeconds == right.retentionSeconds;
}

} // namespace

void EnqueueMessage::set(const EnqueueRequest &request, QByteArrayView id)
{
    if (m_type.isEmpty() || m_typeText != request.type) {
        m_typeText = request.type;
        m_type = field(Type, request.type.toUtf8());
    }
    if (m_rest.isEmpty() || !hasOptionsOf(m_options, request)) {
        m_options = {{},
                     request.queue,
                     {},
                     {},
                     request.retentionSeconds,
                     request.maxRetry,
                     request.timeoutSeconds};
        m_rest = field(Queue, request.queue.text.toUtf8()) + field(Retry, request.maxRetry)
            + field(Timeout, request.timeoutSeconds) + field(Retention, request.retentionSeconds);
    }
    m_payload = request.payload;
    m_id = id;
    m_identityBytes = m_type.size() + fieldBytes(m_payload) + fieldBytes(m_id);
}

void EnqueueMessage::write(char *to) const
{
    auto *at = reinterpret_cast<uchar *>(to);
    std::memcpy(at, m_type.constData(), static_cast<size_t>(m_type.size()));
    at = writeField(at + m_type.size(), Payload, m_payload);
    at = writeField(at, Id, m_id);
    std::memcpy(at, m_rest.constData(), static_cast<size_t>(m_rest.size()));
}

} // namespace outbox::asynq
