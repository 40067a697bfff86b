// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Cancel: asks the worker that runs a task to give up.
#pragma once

#include "app/operations/core/taskoperation.h"

namespace outbox {

/// Best effort: whoever runs the task may hear it, and nobody answers. What was cancelled is tried
/// again by the queue's own rules.
/// Errors: those of `Operation`.
class Cancel : public TaskOperation
{
public:
    [[nodiscard]] Verb verb() const override { return Verb::Cancel; }
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override;

protected:
    [[nodiscard]] Result<QList<TaskAnswer>> send(OperatorSession &session, TaskEditor &editor,
                                                 const QueueName &queue,
                                                 const QList<TaskGuard> &tasks,
                                                 const OperationControl &control) const override;
};

} // namespace outbox
