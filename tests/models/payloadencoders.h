// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Writes payloads for tests of decoding: packed bytes, and random documents beside the trees that
// are expected of them.
#pragma once

#include "models/payload/payloadtree.h"

#include <QCborStreamWriter>
#include <QRandomGenerator>

#define ZLIB_CONST
#include <zlib.h>
#include <zstd.h>

#include <bit>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

/// `windowBits` is that of zlib; 16 more mean gzip. Empty where zlib refuses.
inline QByteArray deflated(const QByteArray &bytes, int windowBits)
{
    z_stream stream{};
    if (deflateInit2_(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY,
                      ZLIB_VERSION, static_cast<int>(sizeof(z_stream)))
        != Z_OK)
        return {};
    QByteArray packed(
        static_cast<qsizetype>(deflateBound(&stream, static_cast<uLong>(bytes.size())) + 64),
        Qt::Uninitialized);
    stream.next_in = reinterpret_cast<const Bytef *>(bytes.constData());
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef *>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    const bool isDone = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    packed.truncate(static_cast<qsizetype>(stream.total_out));
    deflateEnd(&stream);
    return isDone ? packed : QByteArray();
}

inline QByteArray gzipped(const QByteArray &bytes)
{
    return deflated(bytes, MAX_WBITS + 16);
}

inline QByteArray zstdOf(const QByteArray &bytes)
{
    const std::size_t size = static_cast<std::size_t>(bytes.size());
    QByteArray packed(static_cast<qsizetype>(ZSTD_compressBound(size)), Qt::Uninitialized);
    const std::size_t written = ZSTD_compress(
        packed.data(), static_cast<std::size_t>(packed.size()), bytes.constData(), size, 3);
    return ZSTD_isError(written) ? QByteArray() : packed.first(static_cast<qsizetype>(written));
}

/// A random document, written in one format and beside that as the tree that is expected.
class Encoder
{
public:
    explicit Encoder(QRandomGenerator &random) : m_random(random) { }
    virtual ~Encoder() = default;
    Encoder(const Encoder &) = delete;
    Encoder &operator=(const Encoder &) = delete;

    virtual QByteArray encode() = 0;
    [[nodiscard]] const PayloadTree &tree() const { return m_tree; }

protected:
    int upTo(int most) { return m_random.bounded(most + 1); }
    quint64 number() { return m_random.generate64() >> upTo(63); }
    double real() { return static_cast<double>(upTo(1'000'000) - 500'000) / 64; }
    QString text() { return u"ä<b>\u202e🚀x"_s.repeated(upTo(8)) + u'y'; }
    QByteArray bytes() { return QByteArray("\xff\x00\x80", 3).repeated(1 + upTo(3)); }

    using Kind = PayloadNode::Kind;

    QRandomGenerator &m_random;
    PayloadTree m_tree;
};

class CborEncoder : public Encoder
{
public:
    using Encoder::Encoder;

    QByteArray encode() override
    {
        QByteArray written;
        QCborStreamWriter writer(&written);
        const int root = m_tree.add(-1, Kind::Map, {}, u"map"_s);
        const int members = 1 + upTo(4);
        writer.startMap(static_cast<quint64>(members));
        for (int row = 0; row < members; ++row)
            member(writer, root, row, 1);
        writer.endMap();
        return written;
    }

private:
    void member(QCborStreamWriter &writer, int parent, int row, int depth)
    {
        const QString name = u"name%1"_s.arg(row);
        writer.append(name);
        value(writer, parent, name, depth);
    }

    void value(QCborStreamWriter &writer, int parent, const QString &name, int depth)
    {
        switch (upTo(depth > 4 ? 6 : 8)) {
        case 0: {
            const quint64 one = number();
            writer.append(one);
            m_tree.add(parent, Kind::Number, name, u"uint"_s, QString::number(one));
            break;
        }
        case 1: {
            const quint64 absolute = (number() >> 1) + 1;
            writer.append(static_cast<QCborNegativeInteger>(absolute));
            m_tree.add(parent, Kind::Number, name, u"int"_s, u"-%1"_s.arg(absolute));
            break;
        }
        case 2: {
            const double one = real();
            writer.append(one);
            m_tree.add(parent, Kind::Number, name, u"float 64"_s, realValue(one));
            break;
        }
        case 3: {
            const QString one = text();
            writer.append(one);
            m_tree.add(parent, Kind::Text, name, u"text"_s, one);
            break;
        }
        case 4: {
            const QByteArray one = bytes();
            writer.append(one);
            m_tree.add(parent, Kind::Bytes, name, u"bytes"_s, bytesValue(one));
            break;
        }
        case 5:
            writer.append(true);
            m_tree.add(parent, Kind::Flag, name, u"flag"_s, u"true"_s);
            break;
        case 6:
            writer.appendNull();
            m_tree.add(parent, Kind::Null, name, u"null"_s, u"null"_s);
            break;
        case 7: {
            const int node = m_tree.add(parent, Kind::Array, name, u"array"_s);
            writer.startArray(); // of no told length
            for (int left = upTo(3); left > 0; --left)
                value(writer, node, {}, depth + 1);
            writer.endArray();
            break;
        }
        default: {
            const int node = m_tree.add(parent, Kind::Map, name, u"map"_s);
            const int members = upTo(3);
            writer.startMap(static_cast<quint64>(members));
            for (int row = 0; row < members; ++row)
                member(writer, node, row, depth + 1);
            writer.endMap();
            break;
        }
        }
    }
};

class MessagePackEncoder : public Encoder
{
public:
    using Encoder::Encoder;

    QByteArray encode() override
    {
        const int root = m_tree.add(-1, Kind::Map, {}, u"map"_s);
        members(root, 1 + upTo(4), 1);
        return m_written;
    }

private:
    void put(int mark) { m_written += static_cast<char>(mark); }
    void put(quint64 number, int width)
    {
        for (int byte = width - 1; byte >= 0; --byte)
            m_written += static_cast<char>(number >> (8 * byte));
    }
    void putText(const QString &text)
    {
        const QByteArray utf8 = text.toUtf8();
        if (utf8.size() < 32) {
            put(0xa0 | static_cast<int>(utf8.size()));
        } else {
            put(0xd9);
            put(static_cast<quint64>(utf8.size()), 1);
        }
        m_written += utf8;
    }

    void members(int node, int count, int depth)
    {
        if (upTo(1) == 0) {
            put(0x80 | count);
        } else {
            put(0xdf);
            put(static_cast<quint64>(count), 4);
        }
        for (int row = 0; row < count; ++row) {
            const QString name = u"name%1"_s.arg(row);
            putText(name);
            value(node, name, depth);
        }
    }

    void value(int parent, const QString &name, int depth)
    {
        switch (upTo(depth > 4 ? 6 : 8)) {
        case 0: {
            const int log = upTo(3);
            const int unused = 64 - (8 << log);
            const quint64 one = (number() << unused) >> unused;
            put(0xcc + log);
            put(one, 1 << log);
            m_tree.add(parent, Kind::Number, name, u"uint"_s, QString::number(one));
            break;
        }
        case 1: {
            const int log = upTo(3);
            const int unused = 64 - (8 << log);
            const qint64 one = std::bit_cast<qint64>(number() << unused) >> unused;
            put(0xd0 + log);
            put(std::bit_cast<quint64>(one), 1 << log);
            m_tree.add(parent, Kind::Number, name, u"int"_s, QString::number(one));
            break;
        }
        case 2: {
            const double one = real();
            put(0xcb);
            put(std::bit_cast<quint64>(one), 8);
            m_tree.add(parent, Kind::Number, name, u"float 64"_s, realValue(one));
            break;
        }
        case 3: {
            const QString one = text();
            putText(one);
            m_tree.add(parent, Kind::Text, name, u"text"_s, one);
            break;
        }
        case 4: {
            const QByteArray one = bytes();
            put(0xc4);
            put(static_cast<quint64>(one.size()), 1);
            m_written += one;
            m_tree.add(parent, Kind::Bytes, name, u"bytes"_s, bytesValue(one));
            break;
        }
        case 5:
            put(0xc2);
            m_tree.add(parent, Kind::Flag, name, u"flag"_s, u"false"_s);
            break;
        case 6:
            put(0xc0);
            m_tree.add(parent, Kind::Null, name, u"null"_s, u"null"_s);
            break;
        case 7: {
            const int node = m_tree.add(parent, Kind::Array, name, u"array"_s);
            const int elements = upTo(3);
            put(0x90 | elements);
            for (int left = elements; left > 0; --left)
                value(node, {}, depth + 1);
            break;
        }
        default: {
            const int node = m_tree.add(parent, Kind::Map, name, u"map"_s);
            members(node, upTo(3), depth + 1);
            break;
        }
        }
    }

    QByteArray m_written;
};

/// A number as protobuf writes it.
inline QByteArray varint(quint64 number)
{
    QByteArray written;
    for (; number > 0x7f; number >>= 7)
        written += static_cast<char>((number & 0x7f) | 0x80);
    return written + static_cast<char>(number);
}

class ProtobufEncoder : public Encoder
{
public:
    using Encoder::Encoder;

    QByteArray encode() override
    {
        const int root = m_tree.add(-1, Kind::Map, {}, u"message"_s);
        return message(root, 1);
    }

private:
    static QByteArray littleEndian(quint64 number, int width)
    {
        QByteArray written;
        for (int byte = 0; byte < width; ++byte)
            written += static_cast<char>(number >> (8 * byte));
        return written;
    }
    static QByteArray sized(const QByteArray &bytes)
    {
        return varint(static_cast<quint64>(bytes.size())) + bytes;
    }

    /// It begins with a field that no text begins with, so that a message inside is one.
    QByteArray message(int node, int depth)
    {
        QByteArray written("\x08\x01", 2);
        m_tree.add(node, Kind::Number, u"1"_s, u"varint"_s, u"1"_s);
        for (int left = upTo(4); left > 0; --left) {
            const int field = 1 + upTo(3000);
            const QString name = QString::number(field);
            const auto tag = [field](int wire) {
                return varint(static_cast<quint64>(field) * 8 + static_cast<quint64>(wire));
            };
            switch (upTo(depth > 3 ? 4 : 5)) {
            case 0: {
                const quint64 one = number() >> 1;
                written += tag(0) + varint(one);
                m_tree.add(node, Kind::Number, name, u"varint"_s, QString::number(one));
                break;
            }
            case 1: {
                const double one = real();
                const auto bits = std::bit_cast<quint64>(one);
                written += tag(1) + littleEndian(bits, 8);
                m_tree.add(node, Kind::Number, name, u"fixed 64, or float "_s + realValue(one),
                           QString::number(bits));
                break;
            }
            case 2: {
                const auto one = static_cast<float>(upTo(1000)) / 8;
                const auto bits = std::bit_cast<quint32>(one);
                written += tag(5) + littleEndian(bits, 4);
                m_tree.add(node, Kind::Number, name,
                           u"fixed 32, or float "_s + realValue(static_cast<double>(one)),
                           QString::number(bits));
                break;
            }
            case 3: {
                const QString one = text();
                written += tag(2) + sized(one.toUtf8());
                m_tree.add(node, Kind::Text, name, u"perhaps text"_s, one);
                break;
            }
            case 4: {
                const QByteArray one("\xff\xff\xff", 3);
                written += tag(2) + sized(one);
                m_tree.add(node, Kind::Bytes, name, u"bytes"_s, bytesValue(one));
                break;
            }
            default: {
                const int inside = m_tree.add(node, Kind::Map, name, u"perhaps message"_s);
                written += tag(2) + sized(message(inside, depth + 1));
                break;
            }
            }
        }
        return written;
    }
};

} // namespace outbox
