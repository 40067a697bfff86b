// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where one message stands and what sending its id again would do: pure words over seen facts.
#pragma once

#include "models/result.h"
#include "models/shape/outboxshape.h"
#include "models/system/systemview.h"

#include <QDateTime>

#include <optional>

namespace outbox {

/// What would happen to an id if it were enqueued now (console 8.3).
enum class Forecast {
    Accepted, ///< nothing under the id: the task would be stored
    SecondExecution, ///< accepted, though it was processed before
    InFlight, ///< the same message is on its way: nothing to do
    RefusedUntil, ///< completed and kept: swallowed until its window ends
    RefusedExpired, ///< its window is over, but no janitor has removed it yet
    Dead, ///< archived: refused by its own id
    Collision, ///< another message owns the id
    Parked, ///< nothing under the id, but its row is set aside: no relay sends it
    Blocked, ///< a damaged task stands in the way
    Unknown, ///< the queue was not read
};

/// What a verdict needs beside the row and the task.
struct VerdictTerms
{
    QDateTime now; ///< UTC
    qint64 retentionSeconds = 86'400; ///< the dedup window
    bool rowsAreDeleted = true; ///< the shape deletes delivered rows
};

/// "Held by relay-7 (process 4711) since 2 s".
[[nodiscard]] QString holderText(const LockHolder &holder);
/// End of the dedup window of a task that is completed; nullopt where nothing tells it.
[[nodiscard]] std::optional<QDateTime> idKeptUntil(const Task &task);
[[nodiscard]] QString word(Forecast forecast); ///< "accepted", "in-flight", "refused", …
/// True when row and task are not the same message. Bytes are compared only where both are whole.
[[nodiscard]] bool collides(const Message &row, const Task &task);
[[nodiscard]] Forecast forecast(const IdVerdict &facts, const VerdictTerms &terms);
/// The task that somebody means who gave `typed` where no row is known: that of the row's key, or
/// the one whose id it is.
[[nodiscard]] TaskId taskOfTyped(const OutboxShape &shape, const MessageId &typed);
/// The queue in which the task of a row that is not known is looked for first; `usual` where
/// nothing tells.
[[nodiscard]] QueueName queueOfTyped(const OutboxShape &shape, const TaskId &task,
                                     const QueueName &usual);
/// Takes in what was found of the row: its queue and its task are those to be asked for.
void noteRow(IdVerdict &verdict, const Result<std::optional<Message>> &row);
/// The same of the task, which may stand in another queue than was thought.
void noteTask(IdVerdict &verdict, const Result<std::optional<Task>> &task);
/// `facts` with `sentence` and `replay` filled in.
[[nodiscard]] IdVerdict judged(IdVerdict facts, const VerdictTerms &terms);

} // namespace outbox
