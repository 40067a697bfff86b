// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/queue/workerspane.h"

#include "models/tables/workermodel.h"
#include "views/tables/livetable.h"
#include "views/widgets/emptypane.h"

#include <QBoxLayout>
#include <QLabel>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

WorkersPane::WorkersPane(QWidget *parent)
    : QWidget(parent), m_servers(new ServerModel(this)), m_workers(new WorkerModel(this)),
      m_serverTable(new LiveTable(u"serversTable"_s)),
      m_workerTable(new LiveTable(u"workersTable"_s))
{
    setObjectName(u"workersPane"_s);
    m_serverTable->setAccessibleName(tr("Servers"));
    m_serverTable->show(m_servers, {30, 10, 12, 10, 40, 0});
    m_workerTable->setAccessibleName(tr("Running tasks"));
    m_workerTable->show(m_workers, {38, 30, 20, 16, 16, 0});
    m_workerTable->setIdColumns({WorkerModel::Task, WorkerModel::Server});
    m_serverTable->emptyPane()->say(
        tr("No server is running. Nothing takes, forwards, recovers or expires tasks."));
    m_workerTable->emptyPane()->say(tr("No task is running now."));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 10, 0, 0);
    column->setSpacing(6);
    column->addWidget(new QLabel(tr("Servers")));
    column->addWidget(m_serverTable, 2);
    column->addSpacing(6);
    column->addWidget(new QLabel(tr("Running now")));
    column->addWidget(m_workerTable, 3);
}

void WorkersPane::setWorkers(const QList<QueueServer> &servers, const QList<QueueWorker> &workers)
{
    const LiveTable::KeepPlace keepServers(*m_serverTable);
    const LiveTable::KeepPlace keepWorkers(*m_workerTable);
    m_servers->merge(servers);
    m_workers->merge(workers);
}

void WorkersPane::setStale(bool stale)
{
    m_serverTable->setStale(stale);
    m_workerTable->setStale(stale);
}

} // namespace outbox
