// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/payload/cborreader.h"

#include <QCborStreamReader>
#include <QFloat16>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

using CborKind = PayloadNode::Kind;

/// -1 is told as 1; the least number, -2^64, as 0.
QString negativeText(QCborNegativeInteger number)
{
    const auto absolute = static_cast<quint64>(number);
    return absolute == 0 ? u"-18446744073709551616"_s : u"-%1"_s.arg(absolute);
}

class CborTreeReader
{
public:
    CborTreeReader(const QByteArray &source, const DecodeLimits &limits)
        : m_reader(source), m_size(source.size()), m_limits(limits)
    { }

    [[nodiscard]] Result<PayloadTree> read();

private:
    [[nodiscard]] bool isSound() { return m_reader.lastError() == QCborError::NoError; }
    [[nodiscard]] bool readItem(int parent, const QString &name, int depth);
    [[nodiscard]] bool readInside(int parent, const QString &name, int depth);
    [[nodiscard]] bool readTag(int parent, const QString &name, int depth);
    [[nodiscard]] bool readSimple(int parent, const QString &name);
    [[nodiscard]] std::optional<QString> takeKey();
    [[nodiscard]] std::optional<QString> takeText();
    [[nodiscard]] std::optional<QByteArray> takeBytes();

    QCborStreamReader m_reader;
    qsizetype m_size;
    DecodeLimits m_limits;
    PayloadTree m_tree;
    QString m_beyond;
};

std::optional<QString> CborTreeReader::takeText()
{
    QString text;
    auto part = m_reader.readString();
    while (part.status == QCborStreamReader::Ok) {
        text += part.data;
        part = m_reader.readString();
    }
    return part.status == QCborStreamReader::EndOfString ? std::optional(text) : std::nullopt;
}

std::optional<QByteArray> CborTreeReader::takeBytes()
{
    QByteArray bytes;
    auto part = m_reader.readByteArray();
    while (part.status == QCborStreamReader::Ok) {
        bytes += part.data;
        part = m_reader.readByteArray();
    }
    return part.status == QCborStreamReader::EndOfString ? std::optional(bytes) : std::nullopt;
}

std::optional<QString> CborTreeReader::takeKey()
{
    QString key;
    switch (m_reader.type()) {
    case QCborStreamReader::String:
        return takeText();
    case QCborStreamReader::ByteArray: {
        const auto bytes = takeBytes();
        if (!bytes)
            return std::nullopt;
        return QString(u"0x"_s + bytesValue(*bytes));
    }
    case QCborStreamReader::UnsignedInteger:
        key = QString::number(m_reader.toUnsignedInteger());
        break;
    case QCborStreamReader::NegativeInteger:
        key = negativeText(m_reader.toNegativeInteger());
        break;
    default:
        if (m_reader.type() != QCborStreamReader::Invalid)
            m_beyond = u"a key that is neither text, number nor bytes"_s;
        return std::nullopt;
    }
    return m_reader.next() ? std::optional(key) : std::nullopt;
}

bool CborTreeReader::readInside(int parent, const QString &name, int depth)
{
    const bool isMap = m_reader.isMap();
    const int node = m_tree.add(parent, isMap ? CborKind::Map : CborKind::Array, name,
                                isMap ? u"map"_s : u"array"_s);
    if (!m_reader.enterContainer())
        return false;
    while (isSound() && m_reader.hasNext()) {
        QString key;
        if (isMap) {
            const auto read = takeKey();
            if (!read || !isSound())
                return false;
            key = *read;
        }
        if (!readItem(node, key, depth + 1))
            return false;
    }
    return isSound() && m_reader.leaveContainer();
}

bool CborTreeReader::readTag(int parent, const QString &name, int depth)
{
    const int node = m_tree.add(parent, CborKind::Tag, name,
                                u"tag %1"_s.arg(static_cast<quint64>(m_reader.toTag())));
    return m_reader.next() && readItem(node, {}, depth + 1);
}

bool CborTreeReader::readSimple(int parent, const QString &name)
{
    if (m_reader.isBool())
        m_tree.add(parent, CborKind::Flag, name, u"flag"_s,
                   m_reader.toBool() ? u"true"_s : u"false"_s);
    else if (m_reader.isNull())
        m_tree.add(parent, CborKind::Null, name, u"null"_s, u"null"_s);
    else if (m_reader.isUndefined())
        m_tree.add(parent, CborKind::Null, name, u"undefined"_s, u"undefined"_s);
    else
        m_tree.add(parent, CborKind::Number, name, u"simple"_s,
                   QString::number(static_cast<uint>(m_reader.toSimpleType())));
    return m_reader.next();
}

bool CborTreeReader::readItem(int parent, const QString &name, int depth)
{
    m_beyond = passedLimit(m_tree, depth, m_limits);
    if (!m_beyond.isEmpty())
        return false;
    const auto number = [&](const QString &type, const QString &value) {
        m_tree.add(parent, CborKind::Number, name, type, value);
        return m_reader.next();
    };
    switch (m_reader.type()) {
    case QCborStreamReader::UnsignedInteger:
        return number(u"uint"_s, QString::number(m_reader.toUnsignedInteger()));
    case QCborStreamReader::NegativeInteger:
        return number(u"int"_s, negativeText(m_reader.toNegativeInteger()));
    case QCborStreamReader::Float16:
        return number(u"float 16"_s,
                      realValue(static_cast<double>(static_cast<float>(m_reader.toFloat16()))));
    case QCborStreamReader::Float:
        return number(u"float 32"_s, realValue(static_cast<double>(m_reader.toFloat())));
    case QCborStreamReader::Double:
        return number(u"float 64"_s, realValue(m_reader.toDouble()));
    case QCborStreamReader::String: {
        const auto text = takeText();
        if (text)
            m_tree.add(parent, CborKind::Text, name, u"text"_s, *text);
        return text.has_value();
    }
    case QCborStreamReader::ByteArray: {
        const auto bytes = takeBytes();
        if (bytes)
            m_tree.add(parent, CborKind::Bytes, name, u"bytes"_s, bytesValue(*bytes));
        return bytes.has_value();
    }
    case QCborStreamReader::Array:
    case QCborStreamReader::Map:
        return readInside(parent, name, depth);
    case QCborStreamReader::Tag:
        return readTag(parent, name, depth);
    case QCborStreamReader::SimpleType:
        return readSimple(parent, name);
    case QCborStreamReader::Invalid:
        break;
    }
    return false;
}

Result<PayloadTree> CborTreeReader::read()
{
    const QString doing = u"reading CBOR"_s;
    const bool isRead = readItem(-1, {}, 1);
    if (!m_beyond.isEmpty())
        return fail(Error::Kind::Unsupported, doing, m_beyond);
    if (!isRead || !isSound()) {
        const QString why = isSound() ? u"no value"_s : m_reader.lastError().toString();
        return fail(Error::Kind::Invalid, doing,
                    u"byte %1: %2"_s.arg(QString::number(m_reader.currentOffset()), why));
    }
    if (m_reader.currentOffset() != m_size) {
        return fail(Error::Kind::Invalid, doing,
                    u"byte %1: bytes follow its end"_s.arg(m_reader.currentOffset()));
    }
    return std::move(m_tree);
}

} // namespace

Result<PayloadTree> readCbor(const QByteArray &source, const DecodeLimits &limits)
{
    return CborTreeReader(source, limits).read();
}

} // namespace outbox
