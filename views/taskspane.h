// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tasks of one queue, one state at a time, and the task that was chosen.
#pragma once

#include "models/result.h"
#include "models/snapshots.h"
#include "models/task.h"

#include <QWidget>

class QTabWidget;

namespace outbox {

class FactsForm;
class LiveTable;
class NoticeBar;
class PagingBar;
class PayloadView;
class SelectionVerbs;
class StateChips;
class TaskModel;

class TasksPane : public QWidget
{
    Q_OBJECT

public:
    explicit TasksPane(QWidget *parent = nullptr);

    /// Shows another queue, from its first page, in the state that was looked at; asks for tasks.
    void setQueue(const QueueName &queue);
    /// The sizes of the queue that is shown.
    void setCounts(const QueueSnapshot &counts);
    /// A page of tasks; an answer to another queue, state or cursor is dropped.
    void setPage(const QueueName &queue, TaskState state, const QString &after,
                 const TaskPage &page);
    void setPageError(const Error &error);
    /// The whole task that was chosen.
    void setTask(const Task &task);
    void setState(TaskState state);
    void setStale(bool stale);
    /// Another system comes: neither queue nor tasks of the one before stay.
    void forget();

    [[nodiscard]] const QueueName &queue() const { return m_queue; }
    [[nodiscard]] TaskState state() const { return m_state; }
    /// Where the page that is shown begins.
    [[nodiscard]] const QString &cursor() const;

signals:
    void tasksAsked(const outbox::QueueName &queue, outbox::TaskState state, const QString &after);
    void taskChosen(const outbox::QueueName &queue, const outbox::TaskId &id);

private:
    void build();
    [[nodiscard]] SelectionVerbs *makeVerbs();
    void ask();
    void describeNothing();

    QueueName m_queue;
    TaskState m_state = TaskState::Pending;
    TaskId m_chosen;
    bool m_awaiting = true;

    StateChips *m_states;
    NoticeBar *m_problem;
    TaskModel *m_model;
    LiveTable *m_table;
    SelectionVerbs *m_verbs;
    QTabWidget *m_detail;
    FactsForm *m_facts;
    PayloadView *m_payload;
    PagingBar *m_paging;
};

} // namespace outbox
