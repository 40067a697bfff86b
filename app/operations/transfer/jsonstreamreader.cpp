// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/transfer/jsonstreamreader.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 blockPulled = qint64{64} * 1024;
constexpr qsizetype longestNumberRead = 1000;
constexpr qsizetype longestName = 64;

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool belongsToNumber(char c)
{
    return isDigit(c) || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

/// Digits from `at` on; false when there is none.
bool digits(QByteArrayView text, qsizetype &at)
{
    const qsizetype first = at;
    while (at < text.size() && isDigit(text[at]))
        ++at;
    return at > first;
}

} // namespace

bool isJsonNumber(QByteArrayView text)
{
    qsizetype at = text.startsWith('-') ? 1 : 0;
    const qsizetype whole = at;
    if (!digits(text, at) || (text[whole] == '0' && at > whole + 1))
        return false;
    if (at < text.size() && text[at] == '.' && !digits(text, ++at))
        return false;
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
        ++at;
        if (at < text.size() && (text[at] == '+' || text[at] == '-'))
            ++at;
        if (!digits(text, at))
            return false;
    }
    return at == text.size();
}

JsonStreamReader::JsonStreamReader(const PrivateFile &file, qint64 offset, qint64 end,
                                   qint64 longestLine)
    : m_file(file), m_offset(offset), m_end(end), m_longestLine(longestLine),
      m_lineEnd(offset + longestLine)
{ }

bool JsonStreamReader::refuse(const QString &sentence)
{
    if (!m_fault)
        m_fault = Error{Error::Kind::Invalid, {}, sentence, {}, {}, -1};
    return false;
}

/// At least one byte in the block, or a fault.
bool JsonStreamReader::fill()
{
    if (m_fault)
        return false;
    if (m_at < m_block.size())
        return true;
    if (atEnd())
        return refuse(u"it ends in the middle"_s);
    if (m_offset >= m_lineEnd)
        return refuse(u"it is longer than %1 bytes"_s.arg(m_longestLine));
    auto bytes = m_file.readAt(m_offset, std::min(blockPulled, m_end - m_offset));
    if (!bytes) {
        m_fault = bytes.error();
        return false;
    }
    if (bytes->isEmpty())
        return refuse(u"it ends in the middle"_s);
    m_block = *std::move(bytes);
    m_at = 0;
    return true;
}

void JsonStreamReader::skip(qsizetype count)
{
    m_at += count;
    m_offset += count;
}

bool JsonStreamReader::take(QByteArrayView text)
{
    for (const char c : text) {
        if (!fill())
            return false;
        if (m_block.at(m_at) != c) {
            return refuse(u"there should be `%1` at byte %2 of the file"_s.arg(
                QString::fromLatin1(text), QString::number(m_offset)));
        }
        skip(1);
    }
    return true;
}

bool JsonStreamReader::takeIf(char c)
{
    if (peek() != c || m_fault)
        return false;
    skip(1);
    return true;
}

bool JsonStreamReader::run(QByteArrayView &into)
{
    if (!fill())
        return false;
    const char *const first = m_block.constData() + m_at;
    const char *const last = std::find_if(first, m_block.constData() + m_block.size(), [](char c) {
        return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20;
    });
    into = QByteArrayView(first, last);
    skip(into.size());
    return true;
}

bool JsonStreamReader::escape(QByteArray &into)
{
    if (!fill())
        return false;
    const char kind = m_block.at(m_at);
    skip(1);
    switch (kind) {
    case '"':
    case '\\':
        into += kind;
        return true;
    case 'n':
        into += '\n';
        return true;
    case 'r':
        into += '\r';
        return true;
    case 't':
        into += '\t';
        return true;
    case 'u': {
        QByteArray hex;
        while (hex.size() < 4 && fill()) {
            hex += m_block.at(m_at);
            skip(1);
        }
        bool isNumber = false;
        const int code = hex.toInt(&isNumber, 16);
        if (isNumber && code >= 0 && code < 0x20) {
            into += static_cast<char>(code);
            return true;
        }
        break;
    }
    default:
        break;
    }
    return refuse(u"the escape before byte %1 of the file is none of ours"_s.arg(m_offset));
}

bool JsonStreamReader::string(QByteArray &into)
{
    if (!take("\""))
        return false;
    into.clear();
    QByteArrayView plain;
    while (run(plain)) {
        into += plain;
        if (takeIf('"')) {
            return into.isValidUtf8()
                || refuse(u"a text before byte %1 of the file is no UTF-8"_s.arg(m_offset));
        }
        const char next = peek();
        if (next == '\\') {
            skip(1);
            if (!escape(into))
                return false;
        } else if (!atEnd() && static_cast<unsigned char>(next) < 0x20) {
            return refuse(
                u"a line break or control character in a text at byte %1 of the file"_s.arg(
                    m_offset));
        }
    }
    return false;
}

bool JsonStreamReader::string(QString &into)
{
    QByteArray bytes;
    if (!string(bytes))
        return false;
    into = QString::fromUtf8(bytes);
    return true;
}

bool JsonStreamReader::base64(QByteArray &into)
{
    if (!take("\""))
        return false;
    into.clear();
    QByteArray rest; // what is no whole group of four yet
    QByteArrayView plain;
    while (run(plain)) {
        rest += plain;
        const bool last = takeIf('"');
        const qsizetype count = rest.size() - (last ? 0 : rest.size() % 4 + 4);
        if (count > 0) {
            const auto decoded = QByteArray::fromBase64Encoding(
                rest.first(count), QByteArray::AbortOnBase64DecodingErrors);
            // Between groups there is no padding: it would make the bytes ambiguous.
            const bool whole = count % 4 == 0
                && decoded.decoded.size() / 3 * 4 + (decoded.decoded.size() % 3 != 0 ? 4 : 0)
                    == count;
            if (!decoded || !whole || (!last && decoded.decoded.size() % 3 != 0))
                break;
            into += decoded.decoded;
            rest.remove(0, count);
        }
        if (last)
            return true;
        if (plain.isEmpty())
            break;
    }
    return refuse(u"there is no base64 before byte %1 of the file"_s.arg(m_offset));
}

bool JsonStreamReader::number(QByteArray &into)
{
    into.clear();
    while (belongsToNumber(peek()) && into.size() <= longestNumberRead) {
        into += m_block.at(m_at);
        skip(1);
    }
    return (into.size() <= longestNumberRead && isJsonNumber(into))
        || refuse(u"there should be a value before byte %1 of the file"_s.arg(m_offset));
}

bool JsonStreamReader::object(const std::function<bool(const QByteArray &)> &member)
{
    if (!take("{"))
        return false;
    if (takeIf('}'))
        return true;
    QByteArray name;
    do {
        if (!string(name))
            return false;
        if (name.size() > longestName)
            return refuse(u"a name is too long"_s);
        if (!take(":") || !member(name))
            return false;
    } while (takeIf(','));
    return take("}");
}

bool JsonStreamReader::array(const std::function<bool()> &element)
{
    if (!take("["))
        return false;
    if (takeIf(']'))
        return true;
    do {
        if (!element())
            return false;
    } while (takeIf(','));
    return take("]");
}

bool JsonStreamReader::nextLine()
{
    if (!take("\n"))
        return false;
    m_lineEnd = m_offset + m_longestLine;
    return true;
}

} // namespace outbox
