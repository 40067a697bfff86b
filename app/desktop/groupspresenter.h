// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/settings/groupnotes.h"
#include "app/system/jobs/failurefeed.h"

#include <QObject>

namespace outbox {

class FailuresPane;
struct Folders;
struct Pages;
class System;

/// Joins the groups of failures to the looks that fill them. Made anew for each opened profile,
/// gone with it. Lives in the GUI thread.
class GroupsPresenter : public QObject
{
public:
    /// `system` and `pages` outlive this.
    GroupsPresenter(System &system, const Pages &pages, const Folders &folders,
                    QObject *parent = nullptr);

    /// The profile is called so from now on; its notes have moved already.
    void setProfileName(const QString &name) { m_profile = name; }

private:
    void join(FailureFeed &feed, FailuresPane *pane);
    void takeNotes(const Result<QList<GroupNote>> &notes);

    const Pages &m_pages;
    QString m_profile;
    QString m_notes; ///< the file
    RowFailures m_rows;
    TaskFailures m_tasks;
};

} // namespace outbox
