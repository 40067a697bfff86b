// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A message of protobuf whose type is known: fields by their names, enums by theirs, exact numbers.
#pragma once

#include "models/payload/payloadtree.h"
#include "models/payload/protobufschema.h"
#include "models/result.h"

#include <QByteArrayView>

namespace outbox {

struct ProtobufReading
{
    PayloadTree tree;
    int unknownFields = 0; ///< that the type does not have; they are in the tree, by their numbers
};

/// The message `name` of the schema, in the order of the bytes; what is repeated stands together,
/// an entry of a map under its key. A number is told as its type means it; where it was stored in a
/// way that its readers would cut, its type tells the stored one. A value that a later one replaces
/// stays, and its type says so.
///
/// Fails with Invalid, which says the byte or the field, where the bytes do not end with a field, a
/// field is stored in another way than its type is, a required one is missing, or no field of the
/// message is one of this type; with Unsupported beyond a limit. Pure; any thread.
///
/// A message that was cut between two fields is a message: nothing tells that a part is missing.
[[nodiscard]] Result<ProtobufReading> readProtobufMessage(const ProtobufSchema &schema,
                                                          const QString &name,
                                                          QByteArrayView source,
                                                          const DecodeLimits &limits = {});

} // namespace outbox
