// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A descriptor set, and messages by one: both may come from anybody.
#include "models/payload/decode.h"
#include "models/payload/protobufmessage.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/models/orderschema.h"

using namespace outbox;

namespace {

/// Parents stand before their children and know them, and no bound was passed.
void checkMessage(const ProtobufReading &reading, const DecodeLimits &limits)
{
    const QList<PayloadNode> &nodes = reading.tree.nodes;
    fuzz::demand(!nodes.isEmpty() && nodes.constFirst().parent < 0);
    fuzz::demand(nodes.size() <= limits.nodes);
    for (int node = 1; node < nodes.size(); ++node) {
        const PayloadNode &one = nodes.at(node);
        fuzz::demand(one.parent >= 0 && one.parent < node);
        fuzz::demand(nodes.at(one.parent).isContainer());
        fuzz::demand(nodes.at(one.parent).children.value(one.row, -1) == node);
    }
}

/// All that a field names is there.
void checkSchema(const ProtobufSchema &schema)
{
    fuzz::demand(!schema.messages.isEmpty());
    for (const ProtobufMessageType &message : schema.messages) {
        for (const ProtobufField &field : message.fields) {
            const bool isMessage
                = field.type == ProtobufType::Message || field.type == ProtobufType::Group;
            fuzz::demand(!field.name.isEmpty());
            fuzz::demand(!isMessage || schema.messages.contains(field.typeName));
            fuzz::demand(field.type != ProtobufType::Enum || schema.enums.contains(field.typeName));
        }
    }
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    static const auto orders = readDescriptorSet(sample::orderSet());
    const QByteArray bytes = fuzz::bytesOf(data, size);
    DecodeLimits limits;
    limits.bytes = qsizetype{256} * 1024; // a run has a second
    limits.nodes = 2'000;
    fuzz::demand(orders.has_value());
    const QString order = QStringLiteral("shop.v1.Order");
    if (const auto reading = readProtobufMessage(*orders, order, bytes, limits))
        checkMessage(*reading, limits);
    const auto schema = readDescriptorSet(bytes);
    if (!schema)
        return 0;
    checkSchema(*schema);
    const QStringList names = schema->messageNames().mid(0, 4);
    for (const QString &name : names) {
        for (const QByteArray &message : {sample::order(), bytes}) {
            if (const auto reading = readProtobufMessage(*schema, name, message, limits))
                checkMessage(*reading, limits);
        }
    }
    return 0;
}
