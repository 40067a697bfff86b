// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/transfer/jsonpush.h"

#include <algorithm>
#include <utility>

namespace outbox {

namespace {

constexpr qsizetype blockSize = qsizetype{64} * 1024;
constexpr qsizetype encodedAtOnce = qsizetype{48} * 1024; // a multiple of 3: no padding in between

bool needsEscape(char c)
{
    return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

void appendEscaped(QByteArray &block, char c)
{
    switch (c) {
    case '"':
    case '\\':
        block.append('\\').append(c);
        return;
    case '\n':
        block.append("\\n");
        return;
    case '\r':
        block.append("\\r");
        return;
    case '\t':
        block.append("\\t");
        return;
    default:
        block.append("\\u").append(QByteArray::number(c, 16).rightJustified(4, '0'));
    }
}

} // namespace

JsonPush::JsonPush(PrivateFile file) : m_file(std::move(file))
{
    m_block.reserve(2 * blockSize);
}

void JsonPush::raw(QByteArrayView text)
{
    while (!text.isEmpty() && !m_error) {
        const qsizetype count = std::min(text.size(), blockSize);
        m_block.append(text.first(count));
        text = text.sliced(count);
        flushIfFull();
    }
}

void JsonPush::string(QByteArrayView utf8)
{
    raw("\"");
    const char *at = utf8.data();
    const char *const end = at + utf8.size();
    while (at != end && !m_error) {
        const char *const special = std::find_if(at, end, needsEscape);
        raw(QByteArrayView(at, special));
        at = special;
        // JSON in a text is full of quotes: what is special goes straight into the block.
        for (; at != end && needsEscape(*at) && m_block.size() < blockSize; ++at)
            appendEscaped(m_block, *at);
        flushIfFull();
    }
    raw("\"");
}

void JsonPush::base64(QByteArrayView bytes)
{
    raw("\"");
    while (!bytes.isEmpty() && !m_error) {
        const qsizetype count = std::min(bytes.size(), encodedAtOnce);
        raw(QByteArray::fromRawData(bytes.data(), count).toBase64());
        bytes = bytes.sliced(count);
    }
    raw("\"");
}

QByteArray JsonPush::checksum()
{
    // What is still in the block counts too; an error comes out of the next flush.
    static_cast<void>(flush());
    return m_hash.result().toHex();
}

Result<void> JsonPush::error() const
{
    return m_error ? Result<void>(Failure(*m_error)) : Result<void>();
}

void JsonPush::flushIfFull()
{
    if (m_block.size() >= blockSize)
        static_cast<void>(flush()); // an error is kept, and said by the next flush
}

Result<void> JsonPush::flush()
{
    if (m_error)
        return error();
    m_hash.addData(m_block);
    auto written = m_file.write(m_block);
    m_block.resize(0);
    if (!written)
        m_error = written.error();
    return written;
}

} // namespace outbox
