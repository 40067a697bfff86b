// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Archive: moves tasks to the archive, which never loses one in silence.
#pragma once

#include "app/operations/taskoperation.h"

#include <QList>

namespace outbox {

/// Source: asynq-protocol 13.1: an archive holds 9,999 tasks. Where more come, the oldest must go:
/// they are exported first and removed whole, hash and all, before the chunk that needs their
/// place.
class Archive : public TaskOperation
{
public:
    [[nodiscard]] Verb verb() const override { return Verb::Archive; }
    [[nodiscard]] Result<Plan> plan(Workbench &bench, const Selection &selection) const override;

protected:
    [[nodiscard]] Result<void> prepare(Workbench &bench, const Plan &plan, Receipt &receipt,
                                       const OperationControl &control) const override;
    [[nodiscard]] Result<QList<TaskAnswer>> send(Workbench &bench, TaskEditor &editor,
                                                 const QueueName &queue,
                                                 const QList<TaskGuard> &tasks,
                                                 const OperationControl &control) const override;

private:
    [[nodiscard]] Result<void> makeRoom(Workbench &bench, TaskEditor &editor,
                                        const QueueName &queue, qsizetype coming,
                                        const OperationControl &control) const;

    /// What the export holds, in the order in which it goes; nothing else may. Filled by `prepare`
    /// for the chunks after it.
    mutable QList<TaskId> m_leaving;
};

} // namespace outbox
