// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A message of protobuf without its schema: what its wire format tells, and what it leaves open.
#pragma once

#include "models/payload/payloadtree.h"
#include "models/result.h"

#include <QByteArrayView>

namespace outbox {

/// Fields are named by their numbers, in the order of the bytes, a repeated one several times. A
/// number is told unsigned; what else it may mean stands in its type ("varint, or -1"). What has a
/// length is a text, else a message where it can be read as one to its end ("perhaps message"),
/// else bytes. Fails with Invalid where no message ends with the bytes, and with Unsupported beyond
/// a limit; groups, which newer schemas do not have, are not read. Pure; any thread.
///
/// A message that was cut between two fields is a message: nothing tells that a part is missing.
[[nodiscard]] Result<PayloadTree> readProtobufWire(QByteArrayView source,
                                                   const DecodeLimits &limits = {});

} // namespace outbox
