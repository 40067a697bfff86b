// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Parses and writes protobuf messages: quietly, and the same bytes for the same message.
#pragma once

#include <QByteArray>

namespace google::protobuf {
class MessageLite;
}

namespace outbox::asynq {

/// False when the bytes are no such message; the library's own complaint on stderr is switched off.
[[nodiscard]] bool parse(google::protobuf::MessageLite &message, const QByteArray &bytes);
/// Maps in the order of their keys. The texts must be UTF-8: the library would only complain.
[[nodiscard]] QByteArray serialise(const google::protobuf::MessageLite &message);

} // namespace outbox::asynq
