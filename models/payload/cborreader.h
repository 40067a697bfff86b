// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// CBOR (RFC 8949) as a tree.
#pragma once

#include "models/payload/payloadtree.h"
#include "models/result.h"

#include <QByteArray>

namespace outbox {

/// Reads one item that ends with the bytes. Fails with Invalid where it does not, or a text is no
/// UTF-8, and with Unsupported beyond a limit and for a key that is neither text, number nor
/// bytes. Pure; any thread.
[[nodiscard]] Result<PayloadTree> readCbor(const QByteArray &source,
                                           const DecodeLimits &limits = {});

} // namespace outbox
