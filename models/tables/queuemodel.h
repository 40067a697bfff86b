// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The queues of one Redis database, one line each, the servers that serve them, and what their
// workers are running now.
#pragma once

#include "models/system/snapshots.h"
#include "models/tables/keyedtablemodel.h"

namespace outbox {

class QueueModel : public KeyedTableModel<QueueSnapshot, QueueName>
{
    Q_OBJECT

public:
    enum Columns {
        Name,
        Pending,
        Active,
        Scheduled,
        Retry,
        Dead,
        Done,
        Oldest,
        ServedBy,
        ColumnCount
    };

    explicit QueueModel(QObject *parent = nullptr);
};

/// "2 servers", "NOBODY", or "not known".
[[nodiscard]] QString servedWords(const QueueSnapshot &queue);

/// The servers that serve queues.
class ServerModel : public KeyedTableModel<QueueServer, QString>
{
    Q_OBJECT

public:
    enum Columns { Host, Process, Status, Busy, Queues, Started, ColumnCount };

    explicit ServerModel(QObject *parent = nullptr);
};

/// What the workers of these servers are running now.
class WorkerModel : public KeyedTableModel<QueueWorker, QString>
{
    Q_OBJECT

public:
    enum Columns { Task, Type, Queue, Started, Deadline, Server, ColumnCount };

    explicit WorkerModel(QObject *parent = nullptr);
};

} // namespace outbox
