// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Another type or payload in a stored message, and every other byte as it was.
#pragma once

#include "models/result.h"

#include <QByteArray>
#include <QString>

#include <optional>

namespace outbox::asynq {

/// The bytes of `stored` with this type and this payload in the place of its own; nullopt: it
/// stays. Other fields, unknown ones among them, are copied, in their order. Fails with Protocol
/// where `stored` is no message, with Invalid for a type that no worker could be given, and for a
/// message that Redis does not take.
[[nodiscard]] Result<QByteArray> withContent(const QByteArray &stored,
                                             const std::optional<QString> &type,
                                             const std::optional<QByteArray> &payload);

} // namespace outbox::asynq
