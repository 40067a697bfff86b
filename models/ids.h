// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Names that must not be mixed up: an outbox id cannot be passed where a queue name is expected.
#pragma once

#include <QHashFunctions>
#include <QString>

namespace outbox {

/// A text with a meaning. Compares, sorts and hashes like its text.
template <typename Tag> struct StrongText
{
    QString text;

    [[nodiscard]] bool isEmpty() const { return text.isEmpty(); }
    bool operator==(const StrongText &) const = default;
    auto operator<=>(const StrongText &) const = default;
    friend size_t qHash(const StrongText &id, size_t seed = 0) { return qHash(id.text, seed); }
};

/// Key of an outbox row as text: lower-case UUID with dashes, decimal number, or the text itself.
using MessageId = StrongText<struct MessageIdTag>;
/// Id of a task in the queue, made from the key by the shape's template; raw, not blank.
using TaskId = StrongText<struct TaskIdTag>;
/// Name of an asynq queue; raw, not blank.
using QueueName = StrongText<struct QueueNameTag>;

} // namespace outbox
