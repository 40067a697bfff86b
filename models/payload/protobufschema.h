// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the messages of protobuf mean: the names and types of a descriptor set, which is what
// `protoc --include_imports --descriptor_set_out` writes.
#pragma once

#include "models/result.h"

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

#include <memory>

namespace outbox {

/// By the numbers of descriptor.proto.
enum class ProtobufType {
    Double = 1,
    Float = 2,
    Int64 = 3,
    Uint64 = 4,
    Int32 = 5,
    Fixed64 = 6,
    Fixed32 = 7,
    Bool = 8,
    String = 9,
    Group = 10,
    Message = 11,
    Bytes = 12,
    Uint32 = 13,
    Enum = 14,
    Sfixed32 = 15,
    Sfixed64 = 16,
    Sint32 = 17,
    Sint64 = 18
};

struct ProtobufField
{
    QString name;
    ProtobufType type = ProtobufType::Int32;
    QString typeName; ///< of a message, a group and an enum: its full name
    QString oneof; ///< of which it is one; empty: of none
    bool isRepeated = false;

    /// It has fields of its own.
    [[nodiscard]] bool isMessage() const
    {
        return type == ProtobufType::Message || type == ProtobufType::Group;
    }
};

struct ProtobufMessageType
{
    QMap<int, ProtobufField> fields; ///< by their numbers
    QList<int> required; ///< numbers of those that must be there
    bool isMapEntry = false; ///< field 1 is a key, field 2 its value
};

/// All types of a descriptor set, by full names: `shop.v1.InvoiceCreated`. Types that its fields
/// name are in it.
struct ProtobufSchema
{
    QHash<QString, ProtobufMessageType> messages;
    QHash<QString, QMap<qint32, QString>> enums; ///< names of numbers; of several names the first

    /// Those that a person may name, sorted: the entries of maps are left out.
    [[nodiscard]] QStringList messageNames() const;
};

/// Letters, digits and underscores, as protoc demands; between dots where `dotted`.
[[nodiscard]] bool isProtobufName(const QString &name, bool dotted);

/// Reads a descriptor set. Fails with Unsupported where it is larger than 16 MiB, names more than
/// 500,000 things or types whose names are too long together, or has files of another syntax than
/// proto2 and proto3; with Invalid where it is cut, is something else, or names a type that is not
/// in it. Pure; any thread.
[[nodiscard]] Result<ProtobufSchema> readDescriptorSet(const QByteArray &set);

/// The largest descriptor set that is read.
inline constexpr qsizetype largestDescriptorSet = qsizetype(16) * 1024 * 1024;

/// What is said of the payloads of one type of row.
struct MessageType
{
    std::shared_ptr<const ProtobufSchema> schema; ///< nullptr: it could not be read
    QString name; ///< of the message; empty: nothing is said
    QString problem; ///< why there is no schema

    [[nodiscard]] bool isSaid() const { return !name.isEmpty(); }
};

/// Which messages the payloads of a system are, and where their fields are described.
struct MessageTypes
{
    std::shared_ptr<const ProtobufSchema> schema; ///< nullptr: none was read
    QString problem; ///< why not; empty: none is wanted
    QMap<QString, QString> messages; ///< names of messages by types of rows; `*`: of all others

    /// What is said of the payload of a row of this type.
    [[nodiscard]] MessageType of(const QString &rowType) const;
};

} // namespace outbox
