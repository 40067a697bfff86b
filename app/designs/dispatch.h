// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sends the messages of an entry, under the ids that were stored with them.
#pragma once

#include "connectors/taskqueue.h"
#include "models/designs/outboxstate.h"
#include "models/ids.h"
#include "models/result.h"

#include <QList>
#include <QString>

namespace outbox {

struct DispatchRules
{
    QueueName queue; ///< where a message names none itself
    qint64 retentionSeconds = 86'400;

    bool operator==(const DispatchRules &) const = default;
};

/// What the queue made of one message.
struct Dispatched
{
    bool isStored = false; ///< else a copy of ours came before, or there is a problem
    QString problem; ///< not empty: it is not out, and why

    bool operator==(const Dispatched &) const = default;
};

/// The task of a message: its id is the message's own, or its token where it has one, since then
/// the token is what tells copies apart.
[[nodiscard]] EnqueueRequest requestFor(const OutgoingMessage &message, const DispatchRules &rules);

/// In one pipeline; an answer for each, in their order. Fails where the outcome is unknown: sending
/// again is safe.
[[nodiscard]] Result<QList<Dispatched>>
dispatch(TaskQueue &queue, const QList<OutgoingMessage> &messages, const DispatchRules &rules);

} // namespace outbox
