// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows and tasks as JSON objects and table lines, one wording for every command.
#pragma once

#include "models/message/message.h"
#include "models/message/task.h"
#include "models/payload/payloadmasks.h"
#include "models/shape/outboxshape.h"

#include <QJsonObject>
#include <QJsonValue>
#include <QStringList>

#include <optional>

namespace outbox {

/// A payload as text when it is UTF-8, else as base64: {"text":…} or {"base64":…}, with "bytes" and
/// "cut" when only a prefix is there. Where there are masks, "masked" when values are replaced, and
/// "hidden", why nothing is shown.
[[nodiscard]] QJsonObject payloadJson(const ShownPayload &payload);
/// The value; null where it is not known.
template <typename Value> [[nodiscard]] QJsonValue valueOrNull(const std::optional<Value> &value)
{
    return value ? QJsonValue(*value) : QJsonValue();
}
/// ISO 8601 in UTC with milliseconds; null where it is not known.
[[nodiscard]] QJsonValue timeJson(const std::optional<QDateTime> &time);
[[nodiscard]] QJsonObject holderJson(const LockHolder &holder);
/// Payloads and results are those that `masks` let be seen.
[[nodiscard]] QJsonObject rowJson(const Message &row, const PayloadMasks &masks);
[[nodiscard]] QJsonObject taskJson(const Task &task, const PayloadMasks &masks);

/// The payload on one line, made plain, at most `limit` characters.
[[nodiscard]] QString payloadLine(const ShownPayload &payload, int limit = 48);
[[nodiscard]] QString holderCell(const LockHolder &holder);

} // namespace outbox
