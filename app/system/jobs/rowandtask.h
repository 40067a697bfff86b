// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One message asked for by key: its row, and the task under its id.
#pragma once

#include "connectors/asynq/observe/inspector.h"
#include "models/shape/outboxshape.h"
#include "models/system/systemview.h"

#include <functional>

namespace outbox {

/// One row by its key; nullopt when it is not there.
using FindRow = std::function<Result<std::optional<Message>>(const MessageId &key)>;

/// `id` is the key of a row or the id of its task, `queue` the one that rows are sent to where they
/// name none. Each source fails alone and says why in the answer; sentence and forecast are empty.
/// The message of a task that is larger than `mostBytes` (0: of any size) is not read, see
/// `AsynqInspector::find`. Blocking; the inspector is open.
[[nodiscard]] IdVerdict rowAndTask(const FindRow &findRow,
                                   const Result<AsynqInspector *> &inspector,
                                   const OutboxShape &shape, const QueueName &queue,
                                   const MessageId &id, qint64 mostBytes = 0);

} // namespace outbox
