// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Completed tasks whose ids are still refused, the one that frees itself first on top.
#pragma once

#include "models/message/task.h"
#include "models/tables/keyedtablemodel.h"

namespace outbox {

class RetainedModel : public KeyedTableModel<Task, TaskId>
{
    Q_OBJECT

public:
    enum Columns { KeptUntil, Id, Completed, Retention, Payload, Type, ColumnCount };

    explicit RetainedModel(QObject *parent = nullptr);
};

} // namespace outbox
