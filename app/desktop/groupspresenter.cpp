// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/groupspresenter.h"

#include "app/desktop/pages.h"
#include "app/settings/folders.h"
#include "app/system/system.h"
#include "views/failures/failurespane.h"
#include "views/frame/mainwindow.h"
#include "views/frame/messagebar.h"
#include "views/outbox/outboxview.h"
#include "views/queue/queueview.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

GroupsPresenter::GroupsPresenter(System &system, const Pages &pages, const Folders &folders,
                                 QObject *parent)
    : QObject(parent), m_pages(pages), m_profile(system.profile().name),
      m_notes(folders.groupNotesFile()), m_rows(system.profile(), system.secrets(), folders.state),
      m_tasks(system.profile(), system.secrets())
{
    join(m_rows, pages.outbox->groups());
    join(m_tasks, pages.queue->failures());
    connect(&system.messages(), &MessageSource::shapeKnown, &m_rows, &RowFailures::setShape);
    connect(&system.messages(), &MessageSource::taken, &m_rows, &RowFailures::setCounts);
    connect(&m_rows, &FailureFeed::looked, &system.messages(), &MessageSource::addCost);
    connect(&m_tasks, &FailureFeed::looked, &system.queue(), &QueueFeed::addCost);
    connect(pages.window, &MainWindow::pauseAsked, this, [this](bool paused) {
        m_rows.setRunning(!paused);
        m_tasks.setRunning(!paused);
    });
    takeNotes(loadGroupNotes(m_notes, m_profile));
}

void GroupsPresenter::join(FailureFeed &feed, FailuresPane *pane)
{
    connect(pane, &FailuresPane::sampleAsked, &feed, &FailureFeed::show);
    connect(pane, &FailuresPane::sampleNotWanted, &feed, &FailureFeed::hide);
    connect(&feed, &FailureFeed::taken, pane, &FailuresPane::setSample);
    connect(&feed, &FailureFeed::failed, pane, &FailuresPane::setError);
    connect(pane, &FailuresPane::noteWritten, this,
            [this](const GroupNote &note) { takeNotes(keepGroupNote(m_notes, m_profile, note)); });
    if (pane->isVisible())
        feed.show(pane->question());
}

void GroupsPresenter::takeNotes(const Result<QList<GroupNote>> &notes)
{
    if (!notes) {
        m_pages.window->messages()->add(
            {u"group-notes"_s, HealthLevel::Watch, oneLine(notes.error()), {}});
        return;
    }
    m_pages.outbox->groups()->setNotes(*notes);
    m_pages.queue->failures()->setNotes(*notes);
}

} // namespace outbox
