// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/payload/protobufschema.h"

#include "models/payload/protobufrecord.h"
#include "models/phrases.h"

#include <algorithm>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

using Wire = WireRecord::Kind;

constexpr qsizetype longestTypeName = 1000; ///< else nested names would be far more than the file
constexpr int deepestType = 32; ///< types inside types
constexpr int mostNames = 500'000;
constexpr qsizetype mostTypeCharacters = qsizetype(32) * 1024 * 1024; ///< of all full names

Failure unreadSet(const QString &why, Error::Kind kind = Error::Kind::Invalid)
{
    return fail(kind, u"reading a descriptor set"_s, why, {},
                u"protoc --include_imports --descriptor_set_out=FILE writes one."_s);
}

class DescriptorReader
{
public:
    [[nodiscard]] Result<ProtobufSchema> read(QByteArrayView set);

private:
    /// Calls `take(record)` for each field of a message.
    template <typename Take> [[nodiscard]] Result<void> each(QByteArrayView bytes, Take take);
    [[nodiscard]] Result<QString> nameOf(const WireRecord &record, bool dotted = false);
    /// One more thing takes memory.
    [[nodiscard]] Result<void> count();
    [[nodiscard]] Result<void> readFile(QByteArrayView file);
    [[nodiscard]] Result<void> readMessage(QByteArrayView bytes, const QString &scope, int depth);
    [[nodiscard]] Result<void> readField(QByteArrayView bytes, const QStringList &oneofs,
                                         ProtobufMessageType &message);
    [[nodiscard]] Result<void> readEnum(QByteArrayView bytes, const QString &scope);
    /// The full name of a type that is not there yet.
    [[nodiscard]] Result<QString> fullName(const QString &scope, const QString &name);
    [[nodiscard]] Result<void> check();

    ProtobufSchema m_schema;
    QHash<QString, QByteArrayView> m_files; ///< by their names
    int m_names = 0;
    qsizetype m_typeCharacters = 0;
};

template <typename Take> Result<void> DescriptorReader::each(QByteArrayView bytes, Take take)
{
    for (qsizetype at = 0; at < bytes.size();) {
        const auto record = takeRecord(bytes, at);
        if (!record)
            return unreadSet(u"it is cut, or something else"_s);
        const Result<void> taken = take(*record);
        if (!taken)
            return taken;
    }
    return {};
}

Result<void> DescriptorReader::count()
{
    if (++m_names <= mostNames)
        return {};
    return unreadSet(u"it names more than %1 things"_s.arg(countText(mostNames)),
                     Error::Kind::Unsupported);
}

Result<QString> DescriptorReader::nameOf(const WireRecord &record, bool dotted)
{
    TRY(count());
    if (record.kind != Wire::Sized || record.bytes.size() > longestTypeName)
        return unreadSet(u"a name is too long, or none"_s);
    const QString name = QString::fromUtf8(record.bytes);
    if (!isProtobufName(name, dotted))
        return unreadSet(u"a name is none that protobuf allows"_s);
    return name;
}

Result<QString> DescriptorReader::fullName(const QString &scope, const QString &name)
{
    const QString full = scope.isEmpty() ? name : QString(scope + u'.' + name);
    if (name.isEmpty() || full.size() > longestTypeName)
        return unreadSet(u"a type has no name, or one that is too long"_s);
    m_typeCharacters += full.size();
    if (m_typeCharacters > mostTypeCharacters) {
        return unreadSet(u"the names of its types are too long together"_s,
                         Error::Kind::Unsupported);
    }
    if (m_schema.messages.contains(full) || m_schema.enums.contains(full))
        return unreadSet(u"%1 is there twice"_s.arg(full));
    return full;
}

Result<void> DescriptorReader::readEnum(QByteArrayView bytes, const QString &scope)
{
    QString name;
    QMap<qint32, QString> values;
    TRY(each(bytes, [&](const WireRecord &record) -> Result<void> {
        if (record.field == 1) {
            const auto read = nameOf(record);
            if (!read)
                return passOn(read);
            name = *read;
        }
        if (record.field != 2 || record.kind != Wire::Sized)
            return {};
        if (const auto counted = count(); !counted)
            return counted;
        QString word;
        qint32 number = 0;
        const auto value = each(record.bytes, [&](const WireRecord &part) -> Result<void> {
            if (part.field == 1) {
                const auto read = nameOf(part);
                if (!read)
                    return passOn(read);
                word = *read;
            }
            if (part.field == 2 && part.kind == Wire::Varint)
                number = static_cast<qint32>(static_cast<quint32>(part.number));
            return {};
        });
        if (!value)
            return value;
        if (!values.contains(number))
            values.insert(number, word);
        return {};
    }));
    const QString full = TRY(fullName(scope, name));
    m_schema.enums.insert(full, values);
    return {};
}

Result<void> DescriptorReader::readField(QByteArrayView bytes, const QStringList &oneofs,
                                         ProtobufMessageType &message)
{
    ProtobufField field;
    quint64 number = 0;
    quint64 type = 0;
    quint64 cardinality = 0; // its label
    qsizetype oneof = -1;
    bool isOptional = false; // proto3: its oneof is none that somebody wrote
    TRY(each(bytes, [&](const WireRecord &record) -> Result<void> {
        if (record.field == 1) {
            const auto read = nameOf(record);
            if (!read)
                return passOn(read);
            field.name = *read;
        } else if (record.field == 6 && record.kind == Wire::Sized) {
            WireRecord name = record;
            if (!name.bytes.startsWith("."))
                return unreadSet(u"a field names its type in part only"_s);
            name.bytes = name.bytes.sliced(1);
            const auto read = nameOf(name, true);
            if (!read)
                return passOn(read);
            field.typeName = *read;
        }
        if (record.kind != Wire::Varint)
            return {};
        switch (record.field) {
        case 3:
            number = record.number;
            break;
        case 4:
            cardinality = record.number;
            break;
        case 5:
            type = record.number;
            break;
        case 9:
            oneof = static_cast<qsizetype>(std::min(record.number, quint64(mostNames)));
            break;
        case 17:
            isOptional = record.number != 0;
            break;
        default:
            break;
        }
        return {};
    }));
    if (field.name.isEmpty() || number == 0 || number > largestFieldNumber || type == 0
        || type > static_cast<quint64>(ProtobufType::Sint64))
        return unreadSet(u"a field has no name, number or type that is known"_s);
    field.type = static_cast<ProtobufType>(type);
    field.isRepeated = cardinality == 3;
    if (!isOptional)
        field.oneof = oneofs.value(oneof); // empty where there is none
    if (message.fields.contains(static_cast<int>(number)))
        return unreadSet(u"two fields of a message have the number %1"_s.arg(number));
    message.fields.insert(static_cast<int>(number), field);
    if (cardinality == 2)
        message.required += static_cast<int>(number);
    return {};
}

Result<void> DescriptorReader::readMessage(QByteArrayView bytes, const QString &scope, int depth)
{
    if (depth > deepestType)
        return unreadSet(u"types are nested deeper than %1"_s.arg(deepestType),
                         Error::Kind::Unsupported);
    QString name;
    QStringList oneofs;
    ProtobufMessageType message;
    TRY(each(bytes, [&](const WireRecord &record) -> Result<void> {
        if (record.field == 1) {
            const auto read = nameOf(record);
            if (!read)
                return passOn(read);
            name = *read;
        }
        if (record.kind != Wire::Sized || (record.field != 7 && record.field != 8))
            return {};
        if (record.field == 8) {
            if (const auto counted = count(); !counted)
                return counted;
            oneofs += QString();
        }
        return each(record.bytes, [&](const WireRecord &part) -> Result<void> {
            if (record.field == 7 && part.field == 7 && part.kind == Wire::Varint)
                message.isMapEntry = part.number != 0;
            if (record.field == 8 && part.field == 1) {
                const auto read = nameOf(part);
                if (!read)
                    return passOn(read);
                oneofs.last() = *read;
            }
            return {};
        });
    }));
    const QString full = TRY(fullName(scope, name));
    m_schema.messages.insert(full, {}); // its name is taken before those inside it are read
    TRY(each(bytes, [&](const WireRecord &record) -> Result<void> {
        if (record.kind != Wire::Sized)
            return {};
        if (record.field == 2)
            return readField(record.bytes, oneofs, message);
        if (record.field == 3)
            return readMessage(record.bytes, full, depth + 1);
        return record.field == 4 ? readEnum(record.bytes, full) : Result<void>();
    }));
    m_schema.messages.insert(full, message);
    return {};
}

Result<void> DescriptorReader::readFile(QByteArrayView file)
{
    TRY(count());
    QString name;
    QString package;
    TRY(each(file, [&](const WireRecord &record) -> Result<void> {
        if (record.field == 1)
            name = QString::fromUtf8(record.bytes);
        if (record.field == 2) {
            const auto read = nameOf(record, true);
            if (!read)
                return passOn(read);
            package = *read;
        }
        if (record.field == 12 && record.bytes != QByteArrayView("proto2")
            && record.bytes != QByteArrayView("proto3")) {
            return unreadSet(u"a file has a syntax that is neither proto2 nor proto3"_s,
                             Error::Kind::Unsupported);
        }
        return {};
    }));
    // Sets that were put together have what both import twice.
    if (const auto former = m_files.constFind(name); former != m_files.cend()) {
        if (*former == file)
            return {};
        return unreadSet(u"two different files have one name"_s);
    }
    m_files.insert(name, file);
    return each(file, [&](const WireRecord &record) -> Result<void> {
        if (record.kind != Wire::Sized)
            return {};
        if (record.field == 4)
            return readMessage(record.bytes, package, 1);
        return record.field == 5 ? readEnum(record.bytes, package) : Result<void>();
    });
}

bool mayBeKey(ProtobufType type)
{
    switch (type) {
    case ProtobufType::Double:
    case ProtobufType::Float:
    case ProtobufType::Group:
    case ProtobufType::Message:
    case ProtobufType::Bytes:
    case ProtobufType::Enum:
        return false;
    default:
        return true;
    }
}

/// Types that are named are there, and entries of maps are such.
Result<void> DescriptorReader::check()
{
    for (auto message = m_schema.messages.begin(); message != m_schema.messages.end(); ++message) {
        for (const ProtobufField &field : std::as_const(message->fields)) {
            const bool isThere = field.isMessage() ? m_schema.messages.contains(field.typeName)
                : field.type == ProtobufType::Enum ? m_schema.enums.contains(field.typeName)
                                                   : true;
            if (!isThere) {
                return unreadSet(u"%1 of %2 is a %3, which is not in the file"_s.arg(
                    field.name, message.key(), field.typeName));
            }
        }
        if (!message->isMapEntry)
            continue;
        const auto key = message->fields.constFind(1);
        const auto value = message->fields.constFind(2);
        const bool isEntry = message->fields.size() == 2 && key != message->fields.cend()
            && value != message->fields.cend() && mayBeKey(key->type) && !key->isRepeated
            && !value->isRepeated && value->type != ProtobufType::Group;
        if (!isEntry)
            return unreadSet(u"%1 is no entry of a map"_s.arg(message.key()));
    }
    return {};
}

Result<ProtobufSchema> DescriptorReader::read(QByteArrayView set)
{
    TRY(each(set, [&](const WireRecord &record) -> Result<void> {
        if (record.field != 1 || record.kind != Wire::Sized)
            return unreadSet(u"it is something else"_s);
        return readFile(record.bytes);
    }));
    if (m_schema.messages.isEmpty())
        return unreadSet(u"no message is described in it"_s);
    TRY(check());
    return std::move(m_schema);
}

} // namespace

bool isProtobufName(const QString &name, bool dotted)
{
    bool isFirst = true;
    for (const QChar c : name) {
        const bool isLetter = (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || c == u'_';
        const bool isDigit = c >= u'0' && c <= u'9';
        if (dotted && c == u'.' && !isFirst) {
            isFirst = true;
            continue;
        }
        if (!isLetter && (!isDigit || isFirst))
            return false;
        isFirst = false;
    }
    return !isFirst;
}

QStringList ProtobufSchema::messageNames() const
{
    QStringList names;
    for (auto message = messages.cbegin(); message != messages.cend(); ++message) {
        if (!message->isMapEntry)
            names += message.key();
    }
    names.sort();
    return names;
}

Result<ProtobufSchema> readDescriptorSet(const QByteArray &set)
{
    if (set.size() > largestDescriptorSet) {
        return unreadSet(u"it is larger than %1"_s.arg(bytesText(largestDescriptorSet)),
                         Error::Kind::Unsupported);
    }
    return DescriptorReader().read(set);
}

MessageType MessageTypes::of(const QString &rowType) const
{
    const QString name = messages.value(rowType, messages.value(u"*"_s));
    if (name.isEmpty() || (!schema && problem.isEmpty()))
        return {}; // nothing is said, or nobody has read it yet
    if (!schema)
        return {nullptr, name, problem};
    if (!schema->messages.contains(name))
        return {nullptr, name, u"the descriptor set has no message of this name"_s};
    return {schema, name, {}};
}

} // namespace outbox
