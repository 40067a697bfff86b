// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Joins the Activity page to the two records, of this machine and of the database: read them,
// verify the file, write it out, take an operation back.
#pragma once

#include "app/system/auditfeed.h"
#include "models/operations/auditentry.h"

#include <QObject>

namespace outbox {

class OperationPresenter;
class System;
struct Pages;

/// Made anew for each opened profile. Lives in the GUI thread.
class ActivityPresenter : public QObject
{
    Q_OBJECT

public:
    /// All of them outlive this.
    ActivityPresenter(System &system, const Pages &pages, OperationPresenter &operations,
                      QObject *parent = nullptr);
    ~ActivityPresenter() override;

private:
    void joinDriver();
    void joinTable();
    /// Reads the table while its page is looked at: it costs a session.
    void readShown();
    void show();
    void undo(const QString &operation);
    /// The newest operation on this system that can be undone and was no undo; empty: there is
    /// none.
    [[nodiscard]] QString lastUndoable() const;
    void tellUndo();
    [[nodiscard]] QString sourcesText() const;
    [[nodiscard]] TableName outbox() const;
    void write(const QList<Activity> &activities);
    void tellBadge();

    System &m_system;
    const Pages &m_pages;
    OperationPresenter &m_operations;
    QString m_target; ///< what the record calls this system; empty: not known yet
    std::optional<QList<Activity>> m_here; ///< of the file; nullopt: not read yet
    AuditPage m_page; ///< of the table, as last read
    std::optional<Error> m_tableError;
    bool m_isTableRead = false;
    AuditFeed m_table;
};

} // namespace outbox
