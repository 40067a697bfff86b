// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tasks of one queue that a filter asks for, and the task that was chosen.
#pragma once

#include "models/filter/taskfilter.h"
#include "models/message/task.h"
#include "models/profile/profile.h"
#include "models/result.h"
#include "models/system/snapshots.h"

#include <QWidget>

namespace outbox {

class FilterBar;
class LiveTable;
class NoticeBar;
class PagingBar;
class SelectionVerbs;
class StateChips;
class TaskDetail;
class TaskModel;

/// What the filter says is what is shown: states alone are listed live, page by page; for anything
/// else the tasks are searched, and what was found stays as it is.
class TasksPane : public QWidget
{
    Q_OBJECT

public:
    explicit TasksPane(QWidget *parent = nullptr);

    /// Shows another queue, from its first page, by the same filter; asks for tasks.
    void setQueue(const QueueName &queue);
    /// The system that is open: what its tasks are listed by elsewhere.
    void setProfile(const Profile &profile);
    /// All queues there are, for a filter that names one.
    void setQueues(const QList<QueueSnapshot> &queues);
    /// A page of tasks; an answer to another question is dropped.
    void setPage(const TaskRequest &request, const TaskPage &page);
    void setPageError(const Error &error);
    /// How far a search is; that for another question is dropped.
    void setSearch(const TaskSearchView &search);
    /// The whole task that was chosen.
    void setTask(const Task &task);
    /// Writes a filter and applies it, as a link from another page does. An empty one is every
    /// task.
    void setFilter(const QString &text);
    /// Asks for this task alone, shows what is known of it, and selects it when it is found.
    void openTask(const QueueName &queue, const TaskId &id, TaskState state);
    /// Tasks in this state; the rest of the filter stays.
    void setState(TaskState state);
    void setStale(bool stale);
    /// Another system comes: neither queue nor tasks of the one before stay.
    void forget();

    [[nodiscard]] const QueueName &queue() const { return m_queue; }
    [[nodiscard]] FilterBar *filter() const { return m_filter; }
    [[nodiscard]] TaskDetail *detail() const { return m_detail; }
    /// What is shown, or asked for.
    [[nodiscard]] TaskRequest request() const;
    /// Whether that takes a search; else it is a list.
    [[nodiscard]] bool isSearch() const { return m_isSearch; }

signals:
    /// A list is wanted, again and again until something else is.
    void tasksAsked(const outbox::TaskRequest &request);
    /// A search is wanted, once.
    void searchAsked(const outbox::TaskRequest &request);
    /// The search that was stopped, or has read what one go may, is to go on.
    void searchOnAsked();
    void searchStopAsked();
    void taskChosen(const outbox::QueueName &queue, const outbox::TaskId &id);
    /// The filter names this queue, which is another than the one that is shown.
    void queueNamed(const outbox::QueueName &queue);

private:
    void build();
    void useFilter(const QString &text);
    void restart();
    void ask();
    void showTasks(const QList<Task> &tasks);
    void describeNothing();
    void tellCounts();

    QueueName m_queue;
    QList<QueueSnapshot> m_queues;
    TaskSearchView m_found;
    bool m_isSearch = false;
    bool m_awaiting = true;
    TaskId m_wanted; ///< to be selected when it is found; empty: none

    FilterBar *m_filter;
    StateChips *m_states;
    NoticeBar *m_problem;
    NoticeBar *m_search;
    TaskModel *m_model;
    LiveTable *m_table;
    SelectionVerbs *m_verbs;
    TaskDetail *m_detail;
    PagingBar *m_paging;
};

} // namespace outbox
