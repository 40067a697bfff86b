// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/payload/protobufmessage.h"

#include "models/payload/protobufrecord.h"

#include <QHash>
#include <QSet>

#include <bit>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

using FieldKind = PayloadNode::Kind;
using StoredKind = WireRecord::Kind;

QString typeWord(const ProtobufField &field)
{
    switch (field.type) {
    case ProtobufType::Double:
        return u"double"_s;
    case ProtobufType::Float:
        return u"float"_s;
    case ProtobufType::Int64:
        return u"int64"_s;
    case ProtobufType::Uint64:
        return u"uint64"_s;
    case ProtobufType::Int32:
        return u"int32"_s;
    case ProtobufType::Fixed64:
        return u"fixed64"_s;
    case ProtobufType::Fixed32:
        return u"fixed32"_s;
    case ProtobufType::Bool:
        return u"bool"_s;
    case ProtobufType::String:
        return u"string"_s;
    case ProtobufType::Bytes:
        return u"bytes"_s;
    case ProtobufType::Uint32:
        return u"uint32"_s;
    case ProtobufType::Sfixed32:
        return u"sfixed32"_s;
    case ProtobufType::Sfixed64:
        return u"sfixed64"_s;
    case ProtobufType::Sint32:
        return u"sint32"_s;
    case ProtobufType::Sint64:
        return u"sint64"_s;
    case ProtobufType::Group:
    case ProtobufType::Message:
    case ProtobufType::Enum:
        break;
    }
    return field.typeName;
}

StoredKind storedAs(ProtobufType type)
{
    switch (type) {
    case ProtobufType::Double:
    case ProtobufType::Fixed64:
    case ProtobufType::Sfixed64:
        return StoredKind::Fixed64;
    case ProtobufType::Float:
    case ProtobufType::Fixed32:
    case ProtobufType::Sfixed32:
        return StoredKind::Fixed32;
    case ProtobufType::String:
    case ProtobufType::Bytes:
    case ProtobufType::Message:
        return StoredKind::Sized;
    case ProtobufType::Group:
        return StoredKind::Group;
    default:
        return StoredKind::Varint;
    }
}

/// A number and a flag stand in one run of bytes where they are repeated.
bool mayBePacked(ProtobufType type)
{
    const StoredKind stored = storedAs(type);
    return stored != StoredKind::Sized && stored != StoredKind::Group;
}

QString storedWord(StoredKind kind)
{
    switch (kind) {
    case StoredKind::Varint:
        return u"a varint"_s;
    case StoredKind::Fixed64:
        return u"64 fixed bits"_s;
    case StoredKind::Sized:
        return u"bytes with a length"_s;
    case StoredKind::Group:
        return u"a group"_s;
    case StoredKind::Fixed32:
        break;
    }
    return u"32 fixed bits"_s;
}

struct FieldValue
{
    FieldKind kind = FieldKind::Number;
    QString type;
    QString value;
};

/// What of `stored` its readers do not see.
QString cutFrom(quint64 stored, bool isCut)
{
    return isCut ? u", cut from %1"_s.arg(stored) : QString();
}

qint64 zigzag(quint64 number)
{
    return std::bit_cast<qint64>((number >> 1) ^ (~(number & 1) + 1));
}

FieldValue enumValue(const ProtobufSchema &schema, const ProtobufField &field, quint64 stored)
{
    const auto number = static_cast<qint32>(static_cast<quint32>(stored));
    const QString name = schema.enums.value(field.typeName).value(number);
    const bool isCut = std::bit_cast<qint64>(stored) != number && stored > 0xffff'ffff;
    const QString type = u"enum "_s + field.typeName;
    if (name.isEmpty()) {
        return {FieldKind::Number, type + u", no name"_s + cutFrom(stored, isCut),
                QString::number(number)};
    }
    return {FieldKind::Text, type + u", "_s + QString::number(number) + cutFrom(stored, isCut),
            name};
}

/// What the bits of a number, a flag or an enum mean.
FieldValue numberValue(const ProtobufSchema &schema, const ProtobufField &field, quint64 stored)
{
    const auto low = static_cast<quint32>(stored);
    const bool isWide = stored != low;
    const auto told = [&field](const QString &value, const QString &more = {}) {
        return FieldValue{FieldKind::Number, typeWord(field) + more, value};
    };
    switch (field.type) {
    case ProtobufType::Double:
        return told(realValue(stored, 8));
    case ProtobufType::Float:
        return told(realValue(stored, 4));
    case ProtobufType::Int64:
    case ProtobufType::Sfixed64:
        return told(QString::number(std::bit_cast<qint64>(stored)));
    case ProtobufType::Int32: {
        const auto number = static_cast<qint32>(low);
        const bool isCut = isWide && std::bit_cast<qint64>(stored) != number;
        return told(QString::number(number), cutFrom(stored, isCut));
    }
    case ProtobufType::Sfixed32:
        return told(QString::number(static_cast<qint32>(low)));
    case ProtobufType::Uint32:
        return told(QString::number(low), cutFrom(stored, isWide));
    case ProtobufType::Sint32:
        return told(QString::number(static_cast<qint32>(zigzag(low))), cutFrom(stored, isWide));
    case ProtobufType::Sint64:
        return told(QString::number(zigzag(stored)));
    case ProtobufType::Bool:
        return {FieldKind::Flag,
                stored > 1 ? QString(u"bool, stored as "_s + QString::number(stored)) : u"bool"_s,
                stored != 0 ? u"true"_s : u"false"_s};
    case ProtobufType::Enum:
        return enumValue(schema, field, stored);
    default:
        return told(QString::number(stored));
    }
}

/// A string or bytes.
FieldValue sizedValue(const ProtobufField &field, QByteArrayView bytes)
{
    if (field.type != ProtobufType::String)
        return {FieldKind::Bytes, u"bytes"_s, bytesValue(bytes)};
    const auto text = utf8Text(bytes);
    if (!text)
        return {FieldKind::Bytes, u"string, not UTF-8"_s, bytesValue(bytes)};
    return {FieldKind::Text, u"string"_s, *text};
}

/// Of a field that is no message. A record that nobody filled is the value where none is stored.
FieldValue plainValue(const ProtobufSchema &schema, const ProtobufField &field,
                      const WireRecord &record)
{
    return storedAs(field.type) == StoredKind::Sized ? sizedValue(field, record.bytes)
                                                     : numberValue(schema, field, record.number);
}

/// Named by its number: its type is not known.
FieldValue unknownValue(const WireRecord &record)
{
    switch (record.kind) {
    case StoredKind::Varint:
        return {FieldKind::Number, u"unknown, varint"_s, QString::number(record.number)};
    case StoredKind::Fixed64:
        return {FieldKind::Number, u"unknown, fixed 64"_s, QString::number(record.number)};
    case StoredKind::Fixed32:
        return {FieldKind::Number, u"unknown, fixed 32"_s, QString::number(record.number)};
    case StoredKind::Group:
        return {FieldKind::Bytes, u"unknown, group"_s, bytesValue(record.bytes)};
    case StoredKind::Sized:
        break;
    }
    if (const auto text = wholeText(record.bytes))
        return {FieldKind::Text, u"unknown, perhaps text"_s, *text};
    return {FieldKind::Bytes, u"unknown, bytes"_s, bytesValue(record.bytes)};
}

class ProtobufMessageReader
{
public:
    ProtobufMessageReader(const ProtobufSchema &schema, QByteArrayView source,
                          const DecodeLimits &limits)
        : m_schema(schema), m_source(source), m_limits(limits)
    { }

    [[nodiscard]] Result<ProtobufReading> read(const QString &name);

private:
    /// What is known of the fields of one message so far.
    struct Seen
    {
        int node = -1; ///< of the message
        int depth = 1;
        QHash<int, int> nodes; ///< of a field: of all its values, or of the last one
        QHash<QString, int> chosen; ///< of a oneof: the field that came last
    };

    [[nodiscard]] Result<void> readFields(const ProtobufMessageType &type, QByteArrayView source,
                                          Seen &seen);
    [[nodiscard]] Result<void> readField(const ProtobufField &field, const WireRecord &record,
                                         Seen &seen);
    [[nodiscard]] Result<void> readRepeated(const ProtobufField &field, const WireRecord &record,
                                            Seen &seen);
    [[nodiscard]] Result<void> readPacked(const ProtobufField &field, QByteArrayView bytes,
                                          const Seen &list);
    [[nodiscard]] Result<void> readEntry(const ProtobufMessageType &entry, const WireRecord &record,
                                         const Seen &map);
    [[nodiscard]] Result<void> readValue(const ProtobufField &field, const WireRecord &record,
                                         const QString &name, const Seen &parent);
    [[nodiscard]] Result<void> addDefault(const ProtobufField &field, const QString &name,
                                          const Seen &parent);
    [[nodiscard]] Result<void> room(int depth) const;
    /// The message is not of its type, as its bytes at `where` show.
    [[nodiscard]] Failure misfit(QByteArrayView where, const QString &why) const;
    [[nodiscard]] Result<void> checkKind(const ProtobufField &field, const WireRecord &record,
                                         StoredKind wanted) const;
    void replaced(int node, const QString &by);

    const ProtobufSchema &m_schema;
    QByteArrayView m_source;
    DecodeLimits m_limits;
    ProtobufReading m_reading;
};

Failure ProtobufMessageReader::misfit(QByteArrayView where, const QString &why) const
{
    const qsizetype at = where.data() - m_source.data();
    return fail(Error::Kind::Invalid, u"reading protobuf"_s, u"byte %1: %2"_s.arg(at).arg(why));
}

Result<void> ProtobufMessageReader::room(int depth) const
{
    if (const QString beyond = passedLimit(m_reading.tree, depth, m_limits); !beyond.isEmpty())
        return fail(Error::Kind::Unsupported, u"reading protobuf"_s, beyond);
    return {};
}

Result<void> ProtobufMessageReader::checkKind(const ProtobufField &field, const WireRecord &record,
                                              StoredKind wanted) const
{
    if (record.kind == wanted)
        return {};
    // A number has no bytes of its own to point at.
    const QString why = u"field %1 (%2) is stored as %3; its type %4 is stored as %5"_s.arg(
        QString::number(record.field), field.name, storedWord(record.kind), typeWord(field),
        storedWord(wanted));
    return fail(Error::Kind::Invalid, u"reading protobuf"_s, why);
}

/// A later value counts instead of that of `node`.
void ProtobufMessageReader::replaced(int node, const QString &by)
{
    m_reading.tree.nodes[node].type += by;
}

Result<void> ProtobufMessageReader::readValue(const ProtobufField &field, const WireRecord &record,
                                              const QString &name, const Seen &parent)
{
    TRY(checkKind(field, record, storedAs(field.type)));
    TRY(room(parent.depth));
    PayloadTree &tree = m_reading.tree;
    if (field.isMessage()) {
        Seen inside;
        inside.node = tree.add(parent.node, FieldKind::Map, name, typeWord(field));
        inside.depth = parent.depth + 1;
        return readFields(m_schema.messages.value(field.typeName), record.bytes, inside);
    }
    const FieldValue value = plainValue(m_schema, field, record);
    tree.add(parent.node, value.kind, name, value.type, value.value);
    return {};
}

/// An entry of a map has a value, also where none is stored.
Result<void> ProtobufMessageReader::addDefault(const ProtobufField &field, const QString &name,
                                               const Seen &parent)
{
    TRY(room(parent.depth));
    const FieldValue value = field.isMessage() ? FieldValue{FieldKind::Map, typeWord(field), {}}
                                               : plainValue(m_schema, field, {});
    m_reading.tree.add(parent.node, value.kind, name, QString(value.type + u", not stored"_s),
                       value.value);
    return {};
}

/// The value under the key. What has more than one of each, or something else, is shown as it is
/// stored.
Result<void> ProtobufMessageReader::readEntry(const ProtobufMessageType &entry,
                                              const WireRecord &record, const Seen &map)
{
    const ProtobufField keyField = entry.fields.value(1);
    const ProtobufField valueField = entry.fields.value(2);
    WireRecord key; // of the field 0: none is stored
    WireRecord value;
    bool isPlain = true;
    for (qsizetype at = 0; at < record.bytes.size() && isPlain;) {
        const auto part = takeRecord(record.bytes, at);
        if (!part)
            return misfit(record.bytes, u"an entry of a map is cut"_s);
        WireRecord &place = part->field == 1 ? key : value;
        isPlain = place.field == 0 && (part->field == 1 || part->field == 2);
        place = *part;
    }
    if (!isPlain) {
        TRY(room(map.depth));
        Seen inside;
        inside.node = m_reading.tree.add(map.node, FieldKind::Map, u"(entry)"_s, u"entry"_s);
        inside.depth = map.depth + 1;
        return readFields(entry, record.bytes, inside);
    }
    if (key.field != 0) {
        TRY(checkKind(keyField, key, storedAs(keyField.type)));
    }
    const FieldValue name = plainValue(m_schema, keyField, key);
    if (value.field != 0)
        return readValue(valueField, value, name.value, map);
    return addDefault(valueField, name.value, map);
}

Result<void> ProtobufMessageReader::readPacked(const ProtobufField &field, QByteArrayView bytes,
                                               const Seen &list)
{
    WireRecord one;
    one.kind = storedAs(field.type);
    for (qsizetype at = 0; at < bytes.size();) {
        const QByteArrayView where = bytes.sliced(at);
        const auto number = one.kind == StoredKind::Varint
            ? takeVarint(bytes, at)
            : takeFixed(bytes, at, one.kind == StoredKind::Fixed64 ? 8 : 4);
        if (!number)
            return misfit(where, u"a value of %1 is cut"_s.arg(field.name));
        one.number = *number;
        TRY(readValue(field, one, {}, list));
    }
    return {};
}

Result<void> ProtobufMessageReader::readRepeated(const ProtobufField &field,
                                                 const WireRecord &record, Seen &seen)
{
    const bool isMessage = field.type == ProtobufType::Message;
    const ProtobufMessageType entry
        = isMessage ? m_schema.messages.value(field.typeName) : ProtobufMessageType();
    Seen list;
    list.depth = seen.depth + 1;
    list.node = seen.nodes.value(record.field, -1);
    if (list.node < 0) {
        TRY(room(seen.depth));
        const QString type = entry.isMapEntry
            ? u"map<%1, %2>"_s.arg(typeWord(entry.fields.value(1)), typeWord(entry.fields.value(2)))
            : QString(u"repeated "_s + typeWord(field));
        list.node = m_reading.tree.add(
            seen.node, entry.isMapEntry ? FieldKind::Map : FieldKind::Array, field.name, type);
        seen.nodes.insert(record.field, list.node);
    }
    if (entry.isMapEntry) {
        TRY(checkKind(field, record, StoredKind::Sized));
        return readEntry(entry, record, list);
    }
    if (record.kind == StoredKind::Sized && mayBePacked(field.type))
        return readPacked(field, record.bytes, list);
    return readValue(field, record, {}, list);
}

Result<void> ProtobufMessageReader::readField(const ProtobufField &field, const WireRecord &record,
                                              Seen &seen)
{
    if (field.isRepeated)
        return readRepeated(field, record, seen);
    const int node = static_cast<int>(m_reading.tree.nodes.size());
    TRY(readValue(field, record, field.name, seen));
    const int former = seen.nodes.value(record.field, -1);
    if (former >= 0) {
        replaced(former,
                 field.isMessage() ? u", merged with a later one"_s
                                   : u", replaced by a later one"_s);
    }
    seen.nodes.insert(record.field, node);
    if (field.oneof.isEmpty())
        return {};
    const int chosen = seen.chosen.value(field.oneof, record.field);
    if (chosen != record.field) {
        replaced(seen.nodes.value(chosen), u", replaced by "_s + field.name);
        seen.nodes.remove(chosen); // what comes of it later is not merged with it
    }
    seen.chosen.insert(field.oneof, record.field);
    return {};
}

Result<void> ProtobufMessageReader::readFields(const ProtobufMessageType &type,
                                               QByteArrayView source, Seen &seen)
{
    bool hasKnown = source.isEmpty() || seen.node > 0;
    QSet<int> there;
    for (qsizetype at = 0; at < source.size();) {
        const QByteArrayView where = source.sliced(at);
        const auto record = takeRecord(source, at);
        if (!record)
            return misfit(where, u"no field, or its end is missing"_s);
        const auto field = type.fields.constFind(record->field);
        if (field == type.fields.cend()) {
            TRY(room(seen.depth));
            const FieldValue value = unknownValue(*record);
            m_reading.tree.add(seen.node, value.kind, QString::number(record->field), value.type,
                               value.value);
            ++m_reading.unknownFields;
            continue;
        }
        hasKnown = true;
        there.insert(record->field);
        TRY(readField(*field, *record, seen));
    }
    if (!hasKnown)
        return misfit(source, u"none of its fields is one of this type"_s);
    // Not all fields: a message of a few bytes may have a type of many, and stand there often.
    for (const int number : type.required) {
        if (!there.contains(number)) {
            return misfit(
                source.isEmpty() ? m_source : source,
                u"the field %1 is required, and missing"_s.arg(type.fields.value(number).name));
        }
    }
    return {};
}

Result<ProtobufReading> ProtobufMessageReader::read(const QString &name)
{
    const auto type = m_schema.messages.constFind(name);
    if (type == m_schema.messages.cend()) {
        return fail(Error::Kind::Invalid, u"reading protobuf"_s,
                    u"the descriptor set has no message %1"_s.arg(name));
    }
    Seen seen;
    seen.node = m_reading.tree.add(-1, FieldKind::Map, {}, name);
    TRY(readFields(*type, m_source, seen));
    return std::move(m_reading);
}

} // namespace

Result<ProtobufReading> readProtobufMessage(const ProtobufSchema &schema, const QString &name,
                                            QByteArrayView source, const DecodeLimits &limits)
{
    return ProtobufMessageReader(schema, source, limits).read(name);
}

} // namespace outbox
