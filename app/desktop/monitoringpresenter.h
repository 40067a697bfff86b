// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Joins one system to the pages: what it answers is shown, what the pages ask it is asked.
#pragma once

#include "app/system/system.h"

#include <QObject>
#include <QPixmap>
#include <QTimer>

namespace outbox {

struct Pages;

/// Made anew for each opened profile, gone with it. Lives in the GUI thread.
class MonitoringPresenter : public QObject
{
    Q_OBJECT

public:
    /// `pages` outlive the presenter.
    MonitoringPresenter(System &system, const Pages &pages, QObject *parent = nullptr);

    /// A filter from another page: "state:pending" goes to the rows, "task:…" words to the tasks,
    /// "state:archived" to the groups of what is dead; "relay", "dedup", "reconcile" and "alerts"
    /// are pages, "lag" the oldest rows that wait.
    void openFilter(const QString &text);

private:
    void joinFrame();
    void joinOverview();
    void savePicture(const QPixmap &picture, const QString &title);
    void joinRows();
    void joinSearch();
    void endSearch();
    void joinTasks();
    void joinPayloads();
    void joinLinks();
    void joinDedup();
    void joinDocuments();
    /// Looks whether the outbox has a row for this task.
    void seekRowOf(const QueueName &queue, const TaskId &task);
    void takeRowOf(const MessageId &key, const Result<std::optional<Message>> &row);
    void pageShown(int page);
    /// "state:pending" and the like, on the page of rows or documents.
    void openRows(const QString &filter, bool oldestFirst = false);
    /// What most of the dead tasks died of, as a group.
    void openDead();
    /// Paints all that stands on any page of both sources, in one pass and of one moment.
    void show(const SystemSnapshot &seen);
    void showAge(const SystemSnapshot &seen);

    System &m_system;
    const Pages &m_pages;
    TaskId m_rowOf; ///< the task whose row is looked for; empty: none
    QueueName m_rowIn; ///< the queue of that task
    QTimer m_tick;
};

} // namespace outbox
