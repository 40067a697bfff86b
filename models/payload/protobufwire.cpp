// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/payload/protobufwire.h"

#include "models/payload/protobufrecord.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

using WireKind = PayloadNode::Kind;

constexpr int deepestWire = 32; ///< what has a length is tried as a message that often

/// What a varint is if its field is signed; empty where it is the same number.
QString signedReading(quint64 number)
{
    const auto whole = std::bit_cast<qint64>(number);
    return whole < 0 ? u", or %1"_s.arg(whole) : QString();
}

class ProtobufWireReader
{
public:
    ProtobufWireReader(QByteArrayView source, const DecodeLimits &limits)
        : m_source(source), m_limits(limits)
    { }

    [[nodiscard]] Result<PayloadTree> read();

private:
    /// The fields between `m_at` and `end`, as children of `parent`.
    [[nodiscard]] bool readFields(qsizetype end, int parent, int depth);
    [[nodiscard]] bool readField(qsizetype end, int parent, int depth);
    [[nodiscard]] bool readFixed(qsizetype end, int width, int parent, const QString &name);
    [[nodiscard]] bool readSized(qsizetype end, int parent, const QString &name, int depth);
    [[nodiscard]] bool isMessage(qsizetype end, int node, int depth);

    QByteArrayView m_source;
    qsizetype m_at = 0;
    DecodeLimits m_limits;
    PayloadTree m_tree;
    QString m_beyond;
};

bool ProtobufWireReader::readFixed(qsizetype end, int width, int parent, const QString &name)
{
    const auto number = takeFixed(m_source.first(end), m_at, width);
    if (!number)
        return false;
    m_tree.add(
        parent, WireKind::Number, name,
        u"fixed %1, or float %2"_s.arg(QString::number(8 * width), realValue(*number, width)),
        QString::number(*number));
    return true;
}

bool ProtobufWireReader::isMessage(qsizetype end, int node, int depth)
{
    const qsizetype start = m_at;
    if (start < end && depth < std::min(deepestWire, m_limits.depth)
        && readFields(end, node, depth + 1))
        return true;
    m_tree.truncate(node + 1);
    m_at = start;
    return false;
}

bool ProtobufWireReader::readSized(qsizetype end, int parent, const QString &name, int depth)
{
    const auto length = takeVarint(m_source.first(end), m_at);
    if (!length || *length > static_cast<quint64>(end - m_at))
        return false;
    const QByteArrayView bytes = m_source.sliced(m_at, static_cast<qsizetype>(*length));
    const qsizetype behind = m_at + bytes.size();
    if (const auto text = wholeText(bytes)) {
        m_tree.add(parent, WireKind::Text, name, u"perhaps text"_s, *text);
    } else {
        const int node = m_tree.add(parent, WireKind::Map, name, u"perhaps message"_s);
        if (!isMessage(behind, node, depth)) {
            m_tree.nodes[node].kind = WireKind::Bytes;
            m_tree.nodes[node].type = u"bytes"_s;
            m_tree.nodes[node].value = bytesValue(bytes);
        }
    }
    m_at = behind;
    return m_beyond.isEmpty();
}

bool ProtobufWireReader::readField(qsizetype end, int parent, int depth)
{
    m_beyond = passedLimit(m_tree, depth, m_limits);
    if (!m_beyond.isEmpty())
        return false;
    const auto tag = takeVarint(m_source.first(end), m_at);
    const quint64 field = tag.value_or(0) >> 3;
    if (field == 0 || field > largestFieldNumber)
        return false;
    const QString name = QString::number(field);
    switch (*tag & 7) {
    case 0: {
        const auto number = takeVarint(m_source.first(end), m_at);
        if (number)
            m_tree.add(parent, WireKind::Number, name,
                       QString(u"varint"_s + signedReading(*number)), QString::number(*number));
        return number.has_value();
    }
    case 1:
        return readFixed(end, 8, parent, name);
    case 2:
        return readSized(end, parent, name, depth);
    case 5:
        return readFixed(end, 4, parent, name);
    default: // groups, and two numbers that mean nothing
        return false;
    }
}

bool ProtobufWireReader::readFields(qsizetype end, int parent, int depth)
{
    while (m_at < end) {
        if (!readField(end, parent, depth))
            return false;
    }
    return true;
}

Result<PayloadTree> ProtobufWireReader::read()
{
    const QString doing = u"reading protobuf"_s;
    const int root = m_tree.add(-1, WireKind::Map, {}, u"message"_s);
    const bool isRead = !m_source.isEmpty() && readFields(m_source.size(), root, 1);
    if (!m_beyond.isEmpty())
        return fail(Error::Kind::Unsupported, doing, m_beyond);
    if (!isRead)
        return fail(Error::Kind::Invalid, doing,
                    u"byte %1: no field, or its end is missing"_s.arg(m_at));
    return std::move(m_tree);
}

} // namespace

Result<PayloadTree> readProtobufWire(QByteArrayView source, const DecodeLimits &limits)
{
    return ProtobufWireReader(source, limits).read();
}

} // namespace outbox
