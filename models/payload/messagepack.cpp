// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/payload/messagepack.h"

#include <bit>
#include <cstdint>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

using PackKind = PayloadNode::Kind;

class MessagePackReader
{
public:
    MessagePackReader(QByteArrayView source, const DecodeLimits &limits)
        : m_source(source), m_limits(limits)
    { }

    [[nodiscard]] Result<PayloadTree> read();

private:
    [[nodiscard]] bool readValue(int parent, const QString &name, int depth);
    [[nodiscard]] bool readTyped(quint8 mark, int parent, const QString &name, int depth);
    [[nodiscard]] bool readMembers(quint64 count, int parent, const QString &name, int depth);
    [[nodiscard]] bool readElements(quint64 count, int parent, const QString &name, int depth);
    [[nodiscard]] bool readText(quint64 length, int parent, const QString &name);
    [[nodiscard]] bool readBytes(quint64 length, int parent, const QString &name,
                                 const QString &type);
    [[nodiscard]] bool readExtension(quint64 length, int parent, const QString &name);
    [[nodiscard]] bool readUnsigned(int width, int parent, const QString &name);
    [[nodiscard]] bool readSigned(int width, int parent, const QString &name);
    [[nodiscard]] bool readReal(int width, int parent, const QString &name);
    [[nodiscard]] std::optional<quint64> takeUnsigned(int width);
    [[nodiscard]] std::optional<QByteArrayView> take(quint64 length);
    /// The key of a map: the value of a node that is taken away again.
    [[nodiscard]] std::optional<QString> takeKey(int parent, int depth);
    void add(int parent, PackKind kind, const QString &name, const QString &type,
             const QString &value)
    {
        m_tree.add(parent, kind, name, type, value);
    }

    QByteArrayView m_source;
    qsizetype m_at = 0;
    DecodeLimits m_limits;
    PayloadTree m_tree;
    QString m_beyond;
};

std::optional<QByteArrayView> MessagePackReader::take(quint64 length)
{
    if (length > static_cast<quint64>(m_source.size() - m_at))
        return std::nullopt;
    const QByteArrayView bytes = m_source.sliced(m_at, static_cast<qsizetype>(length));
    m_at += bytes.size();
    return bytes;
}

/// `width` bytes, the highest first.
std::optional<quint64> MessagePackReader::takeUnsigned(int width)
{
    const auto bytes = take(static_cast<quint64>(width));
    if (!bytes)
        return std::nullopt;
    quint64 number = 0;
    for (const char byte : *bytes)
        number = (number << 8) | static_cast<quint8>(byte);
    return number;
}

bool MessagePackReader::readUnsigned(int width, int parent, const QString &name)
{
    const auto number = takeUnsigned(width);
    if (number)
        add(parent, PackKind::Number, name, u"uint"_s, QString::number(*number));
    return number.has_value();
}

bool MessagePackReader::readSigned(int width, int parent, const QString &name)
{
    const auto number = takeUnsigned(width);
    if (!number)
        return false;
    const int unused = 64 - 8 * width; // the sign goes to the top, and comes back by the shift
    const qint64 whole = std::bit_cast<qint64>(*number << unused) >> unused;
    add(parent, PackKind::Number, name, u"int"_s, QString::number(whole));
    return true;
}

bool MessagePackReader::readReal(int width, int parent, const QString &name)
{
    const auto bits = takeUnsigned(width);
    if (!bits)
        return false;
    add(parent, PackKind::Number, name, width == 8 ? u"float 64"_s : u"float 32"_s,
        realValue(*bits, width));
    return true;
}

bool MessagePackReader::readText(quint64 length, int parent, const QString &name)
{
    const auto bytes = take(length);
    if (!bytes)
        return false;
    if (const auto text = utf8Text(*bytes))
        add(parent, PackKind::Text, name, u"text"_s, *text);
    else
        add(parent, PackKind::Bytes, name, u"text, not UTF-8"_s, bytesValue(*bytes));
    return true;
}

bool MessagePackReader::readBytes(quint64 length, int parent, const QString &name,
                                  const QString &type)
{
    const auto bytes = take(length);
    if (bytes)
        add(parent, PackKind::Bytes, name, type, bytesValue(*bytes));
    return bytes.has_value();
}

bool MessagePackReader::readExtension(quint64 length, int parent, const QString &name)
{
    const auto type = takeUnsigned(1);
    if (!type)
        return false;
    const int number = std::bit_cast<qint8>(static_cast<quint8>(*type));
    return readBytes(length, parent, name, u"extension %1"_s.arg(number));
}

std::optional<QString> MessagePackReader::takeKey(int parent, int depth)
{
    const int node = static_cast<int>(m_tree.nodes.size());
    if (!readValue(parent, {}, depth))
        return std::nullopt;
    const PayloadNode key = m_tree.nodes.at(node);
    m_tree.truncate(node);
    switch (key.kind) {
    case PackKind::Text:
    case PackKind::Number:
        return key.value;
    case PackKind::Bytes:
        return QString(u"0x"_s + key.value);
    default:
        m_beyond = u"a key that is neither text, number nor bytes"_s;
        return std::nullopt;
    }
}

bool MessagePackReader::readMembers(quint64 count, int parent, const QString &name, int depth)
{
    const int node = m_tree.add(parent, PackKind::Map, name, u"map"_s);
    for (quint64 member = 0; member < count; ++member) {
        const auto key = takeKey(node, depth + 1);
        if (!key || !readValue(node, *key, depth + 1))
            return false;
    }
    return true;
}

bool MessagePackReader::readElements(quint64 count, int parent, const QString &name, int depth)
{
    const int node = m_tree.add(parent, PackKind::Array, name, u"array"_s);
    for (quint64 element = 0; element < count; ++element) {
        if (!readValue(node, {}, depth + 1))
            return false;
    }
    return true;
}

bool MessagePackReader::readValue(int parent, const QString &name, int depth)
{
    m_beyond = passedLimit(m_tree, depth, m_limits);
    if (!m_beyond.isEmpty())
        return false;
    const auto taken = takeUnsigned(1);
    if (!taken)
        return false;
    const auto mark = static_cast<quint8>(*taken);
    if (mark <= 0x7f || mark >= 0xe0) {
        add(parent, PackKind::Number, name, mark <= 0x7f ? u"uint"_s : u"int"_s,
            QString::number(static_cast<int>(std::bit_cast<qint8>(mark))));
        return true;
    }
    if (mark <= 0x8f)
        return readMembers(mark & 0x0f, parent, name, depth);
    if (mark <= 0x9f)
        return readElements(mark & 0x0f, parent, name, depth);
    if (mark <= 0xbf)
        return readText(mark & 0x1f, parent, name);
    return readTyped(mark, parent, name, depth);
}

/// Marks from 0xc0 to 0xdf: those with a type of their own, and lengths that follow.
bool MessagePackReader::readTyped(quint8 mark, int parent, const QString &name, int depth)
{
    switch (mark) {
    case 0xc0:
        add(parent, PackKind::Null, name, u"null"_s, u"null"_s);
        return true;
    case 0xc2:
    case 0xc3:
        add(parent, PackKind::Flag, name, u"flag"_s, mark == 0xc3 ? u"true"_s : u"false"_s);
        return true;
    case 0xca:
    case 0xcb:
        return readReal(mark == 0xcb ? 8 : 4, parent, name);
    case 0xcc:
    case 0xcd:
    case 0xce:
    case 0xcf:
        return readUnsigned(1 << (mark - 0xcc), parent, name);
    case 0xd0:
    case 0xd1:
    case 0xd2:
    case 0xd3:
        return readSigned(1 << (mark - 0xd0), parent, name);
    case 0xd4:
    case 0xd5:
    case 0xd6:
    case 0xd7:
    case 0xd8:
        return readExtension(quint64(1) << (mark - 0xd4), parent, name);
    case 0xc1: // never used
        return false;
    default:
        break;
    }
    // The rest has its length behind the mark: of three kinds in 8, 16 or 32 bits, of two in 16 or
    // 32.
    const bool isLong = mark >= 0xdc;
    const int first = mark <= 0xc6 ? 0xc4 : mark <= 0xc9 ? 0xc7 : 0xd9;
    const auto length = takeUnsigned(isLong ? ((mark & 1) == 0 ? 2 : 4) : 1 << (mark - first));
    if (!length)
        return false;
    if (mark >= 0xde)
        return readMembers(*length, parent, name, depth);
    if (isLong)
        return readElements(*length, parent, name, depth);
    if (mark >= 0xd9)
        return readText(*length, parent, name);
    if (mark >= 0xc7)
        return readExtension(*length, parent, name);
    return readBytes(*length, parent, name, u"bytes"_s);
}

Result<PayloadTree> MessagePackReader::read()
{
    const QString doing = u"reading MessagePack"_s;
    const bool isRead = readValue(-1, {}, 1);
    if (!m_beyond.isEmpty())
        return fail(Error::Kind::Unsupported, doing, m_beyond);
    if (!isRead) {
        return fail(Error::Kind::Invalid, doing,
                    u"byte %1: no value, or its end is missing"_s.arg(m_at));
    }
    if (m_at != m_source.size())
        return fail(Error::Kind::Invalid, doing, u"byte %1: bytes follow its end"_s.arg(m_at));
    return std::move(m_tree);
}

} // namespace

Result<PayloadTree> readMessagePack(QByteArrayView source, const DecodeLimits &limits)
{
    return MessagePackReader(source, limits).read();
}

} // namespace outbox
