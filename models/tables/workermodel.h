// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The servers that serve queues, and what their workers are running now.
#pragma once

#include "models/system/snapshots.h"
#include "models/tables/keyedtablemodel.h"

namespace outbox {

class ServerModel : public KeyedTableModel<QueueServer, QString>
{
    Q_OBJECT

public:
    enum Columns { Host, Process, Status, Busy, Queues, Started, ColumnCount };

    explicit ServerModel(QObject *parent = nullptr);
};

class WorkerModel : public KeyedTableModel<QueueWorker, QString>
{
    Q_OBJECT

public:
    enum Columns { Task, Type, Queue, Started, Deadline, Server, ColumnCount };

    explicit WorkerModel(QObject *parent = nullptr);
};

} // namespace outbox
