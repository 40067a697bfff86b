// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Archive: moves tasks to the archive, which never loses one in silence.
#pragma once

#include "app/operations/core/taskoperation.h"

#include <QHash>
#include <QList>

#include <functional>

namespace outbox {

/// Source: asynq-protocol 13.1: an archive holds 9,999 tasks. Where more come, the oldest must go:
/// they are exported first, recorded like everything that is acted on, and removed whole, hash and
/// all, before the chunk that needs their place.
/// Errors: those of `Operation`.
class Archive : public TaskOperation
{
public:
    [[nodiscard]] Verb verb() const override { return Verb::Archive; }
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override;
    /// As `plan`, but `narrow` first leaves items alone: room is made for the others only.
    [[nodiscard]] Result<Plan> planNarrowed(OperatorSession &session, const Selection &selection,
                                            const std::function<void(Plan &)> &narrow) const;

protected:
    [[nodiscard]] Result<void> prepare(OperatorSession &session, const Plan &plan, Receipt &receipt,
                                       const OperationControl &control) const override;
    [[nodiscard]] Result<Clearing> inTheWayOf(OperatorSession &session, const Items &chunk,
                                              const OperationControl &control) const override;
    [[nodiscard]] Result<QList<TaskAnswer>> send(OperatorSession &session, TaskEditor &editor,
                                                 const QueueName &queue,
                                                 const QList<TaskGuard> &tasks,
                                                 const OperationControl &control) const override;
    [[nodiscard]] bool isUndoable(const Receipt &receipt) const override;

private:
    [[nodiscard]] static Result<QList<ReceiptItem>>
    trim(OperatorSession &session, const Items &items, const OperationControl &control);

    /// What the export holds, as it stands there and in the order in which it goes; nothing else
    /// may. Filled by `prepare` for the chunks after it.
    mutable Items m_leaving;
    /// Of what came with this operation and may have to leave again: its stamps in the archive.
    mutable QHash<TaskId, QByteArray> m_stamps;
};

} // namespace outbox
