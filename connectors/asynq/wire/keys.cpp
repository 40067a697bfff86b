// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/wire/keys.h"

namespace outbox::asynq {

QByteArray QueueKeys::container(TaskState state) const
{
    switch (state) {
    case TaskState::Pending:
        return pending();
    case TaskState::Active:
        return active();
    case TaskState::Scheduled:
        return scheduled();
    case TaskState::Retry:
        return retry();
    case TaskState::Archived:
        return archived();
    case TaskState::Completed:
        return completed();
    case TaskState::Aggregating: // one zset a group
    case TaskState::None:
    case TaskState::Stub:
    case TaskState::Orphan:
    case TaskState::WrongType:
        break;
    }
    return {};
}

} // namespace outbox::asynq
