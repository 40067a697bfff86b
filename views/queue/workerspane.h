// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The servers that take tasks, and what they are running.
#pragma once

#include "models/system/snapshots.h"

#include <QWidget>

namespace outbox {

class LiveTable;
class ServerModel;
class WorkerModel;

class WorkersPane : public QWidget
{
    Q_OBJECT

public:
    explicit WorkersPane(QWidget *parent = nullptr);

    void setWorkers(const QList<QueueServer> &servers, const QList<QueueWorker> &workers);
    void setStale(bool stale);

private:
    ServerModel *m_servers;
    WorkerModel *m_workers;
    LiveTable *m_serverTable;
    LiveTable *m_workerTable;
};

} // namespace outbox
