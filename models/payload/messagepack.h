// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// MessagePack as a tree, and read after its public specification.
#pragma once

#include "models/payload/payloadtree.h"
#include "models/result.h"

#include <QByteArrayView>

namespace outbox {

/// Reads one value that ends with the bytes. A text that is no UTF-8 is told as bytes with the type
/// "text, not UTF-8". Fails with Invalid where the value does not end there, and with Unsupported
/// beyond a limit and for a key that is neither text, number nor bytes. Pure; any thread.
[[nodiscard]] Result<PayloadTree> readMessagePack(QByteArrayView source,
                                                  const DecodeLimits &limits = {});

} // namespace outbox
