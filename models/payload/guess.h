// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a payload probably is; decides only which view of it opens first.
#pragma once

#include <QByteArray>

namespace outbox {

enum class PayloadKind { Empty, Json, Text, Binary };

/// Looks at the bytes alone. A prefix is enough: a character cut at the end is forgiven, and what
/// begins like a JSON object or array and is text counts as JSON.
[[nodiscard]] PayloadKind guessPayload(const QByteArray &payload);

[[nodiscard]] QString label(PayloadKind kind);

} // namespace outbox
