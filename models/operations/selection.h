// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the operator pointed at, before anything was looked up.
#pragma once

#include "models/ids.h"
#include "models/operations/newtask.h"

#include <QList>
#include <QString>

#include <optional>

namespace outbox {

/// Ids, or a filter (console.md 7), or whole queues. A plan freezes it into ids.
struct Selection
{
    QList<MessageId> rows;
    QList<TaskId> tasks;
    QueueName queue; ///< of the tasks; the queue itself for Pause and Unpause
    QString filter; ///< rows or tasks, as the verb acts on; used when no id is given
    QString kind; ///< Reconcile: "K17"; findings of that kind only
    QString file; ///< Import: the export to take
    std::optional<NewTask> newTask; ///< Enqueue

    [[nodiscard]] bool isEmpty() const
    {
        return rows.isEmpty() && tasks.isEmpty() && filter.isEmpty() && file.isEmpty()
            && kind.isEmpty() && !newTask;
    }
    bool operator==(const Selection &) const = default;
};

} // namespace outbox
