// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Looks up the rows that an operator pointed at, each with what stands under its task id.
// Errors: those of the store, and Invalid for a filter that cannot be understood.
#pragma once

#include "app/operations/core/operatorsession.h"
#include "connectors/sql/outbox/parkedrows.h"
#include "models/operations/plan.h"
#include "models/operations/selection.h"
#include "models/result.h"
#include "models/system/verdict.h"

#include <QList>
#include <QStringList>

#include <optional>

namespace outbox {

/// A row and its task, as they were seen by the looking pair.
struct RowWithTask
{
    MessageId id;
    std::optional<Message> row; ///< nullopt: there is no such row
    TaskId task;
    QueueName queue;
    std::optional<TaskSeen> taskSeen; ///< nullopt: not looked at, see `taskError`
    std::optional<Error> taskError; ///< Unsupported: the profile names no queue

    /// Held by a session, or by a lease that is alive.
    [[nodiscard]] bool isClaimed() const;
    /// For models/verdict: payloads are compared by their length only.
    [[nodiscard]] IdVerdict facts() const;
    /// With everything but what is expected of it.
    [[nodiscard]] PlanItem item() const;
};

/// The rows of a selection: by id in the order of the ids, else by its filter and the oldest first.
/// `states` are used where the filter names none. `warnings` takes sentences about what was left
/// out: where more rows match than a plan may freeze, and what was not searched. Fails when the
/// database does not answer; a queue that does not is told row by row.
[[nodiscard]] Result<QList<RowWithTask>> readRowsOf(OperatorSession &session,
                                                    const Selection &selection,
                                                    const QList<MessageState> &states,
                                                    QStringList &warnings);
/// Those rows, now; rows that are gone stay in the list, with the task that `tasks` names for them.
[[nodiscard]] Result<QList<RowWithTask>> readRowsOf(OperatorSession &session,
                                                    const QList<MessageId> &ids,
                                                    const QHash<MessageId, TaskId> &tasks = {});
/// What stands under the tasks of these items now, in their order. Fails when a queue does not
/// answer.
[[nodiscard]] Result<QList<TaskSeen>> readTasksOf(OperatorSession &session,
                                                  const QList<PlanItem> &items);

/// The rows that are set aside, wherever that is kept.
[[nodiscard]] Result<ParkedById> parkedRowsOf(OperatorSession &session);

/// Where the relay sends this row: the queue that it names, or that its task names where the rest
/// of the row is not known; else the profile's.
[[nodiscard]] QueueName queueFor(const OperatorSession &session, const Message &row);
/// What a verdict needs beside the facts, for this session.
[[nodiscard]] VerdictTerms verdictTermsOf(OperatorSession &session);

} // namespace outbox
