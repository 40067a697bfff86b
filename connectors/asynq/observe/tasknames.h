// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tasks by a part of their id, found among the names of all keys.
// Errors: those of `RedisConnection`.
#pragma once

#include "connectors/asynq/observe/inspector.h"

namespace outbox::asynq {

/// What SCAN's pattern would read as a wildcard is meant as itself.
[[nodiscard]] QByteArray literally(const QByteArray &text);

/// See `AsynqInspector::tasksNamed`; `cursor` is "0" at first, and again after the last step.
[[nodiscard]] Result<QList<std::pair<QueueName, TaskId>>>
namesOf(RedisConnection &connection, const QStringList &parts, QByteArray &cursor);

} // namespace outbox::asynq
