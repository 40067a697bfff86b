// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Run: moves a task to pending, from wherever it waits, is dead or is kept.
#pragma once

#include "app/operations/core/taskoperation.h"

namespace outbox {

/// Source: asynq-protocol 10.6. The message stays as it is, its count of retries too.
/// Errors: those of `Operation`.
class Run : public TaskOperation
{
public:
    [[nodiscard]] Verb verb() const override { return Verb::Run; }
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override;

protected:
    [[nodiscard]] Result<QList<TaskAnswer>> send(OperatorSession &session, TaskEditor &editor,
                                                 const QueueName &queue,
                                                 const QList<TaskGuard> &tasks,
                                                 const OperationControl &control) const override;
    [[nodiscard]] bool isUndoable(const Receipt &receipt) const override;
};

} // namespace outbox
