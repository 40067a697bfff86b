// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sends the messages of an entry, under the ids that were stored with them.
#pragma once

#include "connectors/taskqueue.h"
#include "models/designs/outboxstate.h"
#include "models/ids.h"
#include "models/message/rowverdict.h"
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

/// The task of a message: its id is the message's own, or its token where it has one, since then
/// the token is what tells copies apart.
[[nodiscard]] EnqueueRequest requestFor(const OutgoingMessage &message, const DispatchRules &rules);

/// In one pipeline; an answer for each, in their order. Its reason is empty where the message is
/// out or a copy of ours came before, and names the message where it is not out. Fails where the
/// outcome is unknown: sending again is safe. So it does with Unreachable where a node of a Cluster
/// does not answer for the queue of one message; the others may be out then, too.
[[nodiscard]] Result<QList<RowVerdict>>
dispatch(TaskQueue &queue, const QList<OutgoingMessage> &messages, const DispatchRules &rules);

} // namespace outbox
