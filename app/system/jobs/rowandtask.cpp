// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/jobs/rowandtask.h"

#include "models/system/verdict.h"

namespace outbox {

IdVerdict rowAndTask(const FindRow &findRow, const Result<AsynqInspector *> &inspector,
                     const OutboxShape &shape, const QueueName &queue, const MessageId &id,
                     qint64 mostBytes)
{
    IdVerdict verdict;
    verdict.message = id;
    verdict.taskId = taskOfTyped(shape, id);
    verdict.queue = queueOfTyped(shape, verdict.taskId, queue);
    auto row = findRow(id);
    const auto key = shape.keyIn({id.text});
    if (row && !*row && key && *key != id) // somebody gave the id of a task
        row = findRow(*key);
    noteRow(verdict, row);
    if (verdict.row)
        verdict.message = verdict.row->id;

    Result<std::optional<Task>> task;
    if (!inspector)
        task = passOn(inspector);
    else if (verdict.row) // it goes to this queue, and an id counts in one queue
        task = (*inspector)->find(verdict.queue, verdict.taskId, mostBytes);
    else
        task = (*inspector)
                   ->findAnywhere(verdict.queue, {verdict.taskId, TaskId{id.text}}, mostBytes);
    noteTask(verdict, task);
    return verdict;
}

} // namespace outbox
