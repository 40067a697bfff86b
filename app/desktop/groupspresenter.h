// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Joins the groups of failures to the looks that fill them.
#pragma once

#include "app/settings/folders.h"
#include "app/settings/groupnotes.h"
#include "app/system/jobs/failurefeed.h"

#include <QObject>

namespace outbox {

struct Pages;
class FailuresPane;
class System;

/// Made anew for each opened profile, gone with it. Lives in the GUI thread.
class GroupsPresenter : public QObject
{
    Q_OBJECT

public:
    /// `system` and `pages` outlive the presenter.
    GroupsPresenter(System &system, const Pages &pages, const Folders &folders,
                    QObject *parent = nullptr);

private:
    void join(FailureFeed &feed, FailuresPane *pane);
    void takeNotes(const Result<QList<GroupNote>> &notes);

    const Pages &m_pages;
    QString m_profile;
    GroupNotes m_notes;
    RowFailures m_rows;
    TaskFailures m_tasks;
};

} // namespace outbox
