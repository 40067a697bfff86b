// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A task as it was seen: what is done to it is done only if it still is so.
#pragma once

#include "models/ids.h"
#include "models/message/messagestate.h"

#include <QByteArray>

namespace outbox {

/// A task and what was seen of it (`TaskSeen`).
struct TaskGuard
{
    TaskId id;
    TaskState state = TaskState::None;
    QByteArray stamp;

    bool operator==(const TaskGuard &) const = default;
};

} // namespace outbox
