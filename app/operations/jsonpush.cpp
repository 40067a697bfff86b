// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/jsonpush.h"

#include <algorithm>
#include <utility>

namespace outbox {

namespace {

constexpr qsizetype block = 64 * 1024;
constexpr qsizetype encodedAtOnce = 48 * 1024; // a multiple of 3: no padding in between

bool needsEscape(char c)
{
    return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

QByteArray escaped(char c)
{
    switch (c) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    default:
        return "\\u" + QByteArray::number(c, 16).rightJustified(4, '0');
    }
}

} // namespace

JsonPush::JsonPush(PrivateFile file) : m_file(std::move(file))
{
    m_block.reserve(2 * block);
}

void JsonPush::raw(QByteArrayView text)
{
    while (!text.isEmpty() && !m_error) {
        const qsizetype count = std::min(text.size(), block);
        m_block.append(text.first(count));
        text = text.sliced(count);
        if (m_block.size() < block)
            continue;
        if (const auto flushed = flush(); !flushed)
            return;
    }
}

void JsonPush::string(QByteArrayView utf8)
{
    raw("\"");
    auto at = utf8.begin();
    while (at != utf8.end()) {
        const auto special = std::find_if(at, utf8.end(), needsEscape);
        raw(QByteArrayView(at, special));
        at = special;
        if (at != utf8.end())
            raw(escaped(*at++));
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
