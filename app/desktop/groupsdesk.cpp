// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/groupsdesk.h"

#include "app/desktop/pages.h"
#include "app/system/system.h"
#include "views/failurespane.h"
#include "views/mainwindow.h"
#include "views/outboxview.h"
#include "views/queueview.h"
#include "views/rowsorgroups.h"

namespace outbox {

GroupsDesk::GroupsDesk(System &system, const Pages &pages, const QString &stateFolder,
                       QObject *parent)
    : QObject(parent), m_rows(system.profile(), system.secrets(), stateFolder),
      m_tasks(system.profile(), system.secrets())
{
    join(m_rows, pages.outbox->groups()->groups());
    join(m_tasks, pages.queue->failures());
    connect(&system.database(), &DatabaseFeed::shapeKnown, &m_rows, &RowFailures::setShape);
    connect(&system.database(), &DatabaseFeed::taken, &m_rows, &RowFailures::setCounts);
    connect(&m_rows, &FailureFeed::looked, &system.database(), &DatabaseFeed::addCost);
    connect(&m_tasks, &FailureFeed::looked, &system.queue(), &QueueFeed::addCost);
    connect(pages.window, &MainWindow::pauseAsked, this, [this](bool paused) {
        m_rows.setRunning(!paused);
        m_tasks.setRunning(!paused);
    });
}

void GroupsDesk::join(FailureFeed &feed, FailuresPane *pane)
{
    connect(pane, &FailuresPane::sampleAsked, &feed, &FailureFeed::show);
    connect(pane, &FailuresPane::sampleNotWanted, &feed, &FailureFeed::hide);
    connect(&feed, &FailureFeed::taken, pane, &FailuresPane::setSample);
    connect(&feed, &FailureFeed::failed, pane, &FailuresPane::setError);
    if (pane->isVisible())
        feed.show(pane->question());
}

} // namespace outbox
