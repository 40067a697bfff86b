// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the queue would say against messages, asked before they are sent.
#pragma once

#include "app/designs/dispatch.h"
#include "app/operations/core/planning.h"
#include "connectors/asynq/observe/inspector.h"

#include <QList>

#include <optional>

namespace outbox {

/// For each message, in their order: another message has its id, a damaged task stands under it, or
/// the queue takes no such message. nullopt: the queue would take it, or holds this very message.
/// Blocking; looks only.
[[nodiscard]] Result<QList<std::optional<Expectation>>>
objectionsTo(const QList<OutgoingMessage> &messages, const DispatchRules &rules,
             AsynqInspector &queues);

} // namespace outbox
