// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tasks of one queue in one state, and those that are completed and kept.
#pragma once

#include "models/message/task.h"
#include "models/payload/payloadmasks.h"
#include "models/tables/keyedtablemodel.h"

#include <memory>

namespace outbox {

class TaskModel : public KeyedTableModel<Task, TaskId>
{
    Q_OBJECT

public:
    enum Columns { State, Id, Type, Retried, When, LastError, Payload, ColumnCount };

    /// `masks` say what of the payloads is not to be seen.
    explicit TaskModel(const PayloadMasks &masks, QObject *parent = nullptr);

    void setMasks(const PayloadMasks &masks);

private:
    TaskModel(std::shared_ptr<PayloadMasks> masks, QObject *parent);

    std::shared_ptr<PayloadMasks> m_masks; ///< the column of payloads has it, too
};

/// The time that matters in a task's state, in words: "next 14:03:20", "since 14:02:11",
/// "kept until 14:02:50". Empty where none is known.
[[nodiscard]] QString whenWords(const Task &task);

/// Completed tasks whose ids are still refused, the one that frees itself first on top.
class RetainedModel : public KeyedTableModel<Task, TaskId>
{
    Q_OBJECT

public:
    enum Columns { KeptUntil, Id, Completed, Retention, Payload, Type, ColumnCount };

    explicit RetainedModel(QObject *parent = nullptr);
};

} // namespace outbox
