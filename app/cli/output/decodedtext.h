// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A payload that was taken apart, as text and as JSON.
#pragma once

#include "models/payload/decode.h"

#include <QJsonObject>
#include <QString>

namespace outbox {

/// The chain, one line for each value (`  name: value  type`), then notes and offers. Made plain;
/// a value is cut at 400 characters, which ends with "…".
[[nodiscard]] QString decodedText(const DecodedPayload &decoded);

/// `chain` and `layers`, `nodes` in the order of the document (each with its `path`, `depth`,
/// `name`, `type` and exact `value`, which is null for what has members), `notes`, `offers`.
[[nodiscard]] QJsonObject decodedJson(const DecodedPayload &decoded);

} // namespace outbox
