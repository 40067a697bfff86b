// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The queue page: every queue in one line, and below the tasks, the workers and the server of it.
#pragma once

#include "models/message/task.h"
#include "models/system/snapshots.h"
#include "models/system/systemview.h"

#include <QWidget>

class QTabWidget;

namespace outbox {

class PropertyList;
class FailuresPane;
class LiveTable;
class QueueModel;
class SourceNotice;
class TasksPane;
class VerbBar;
class WorkersPane;

/// Fetches nothing: it asks by signals and is told by setters, in any order.
class QueueView : public QWidget
{
    Q_OBJECT

public:
    explicit QueueView(QWidget *parent = nullptr);

    /// All queues, in the order they are listed. The first is chosen when none was.
    void setQueues(const QList<QueueSnapshot> &queues);
    void chooseQueue(const QueueName &queue);
    void setWorkers(const QList<QueueServer> &servers, const QList<QueueWorker> &workers);
    void setRedisFacts(const RedisFacts &facts);
    void setHealth(const SourceHealth &redis);
    /// Another system comes: nothing of the one before stays, neither numbers nor questions.
    void forget();

    /// Writes a filter of tasks and applies it, as a link from another page does.
    void setFilter(const QString &text);
    /// Shows this task, which is in one of the sound states, among those of its state.
    void openTask(const QueueName &queue, const TaskId &id, TaskState state);
    /// Shows the groups of failures, see `FailuresPane::showGroup`.
    void openFailures(const QString &scope, const QueueName &queue, const QString &cause = {});
    void focusFilter();

    /// Asks for tasks itself, and takes the answers.
    [[nodiscard]] TasksPane *tasks() const { return m_tasks; }
    /// Groups of the tasks that failed, in all queues.
    [[nodiscard]] FailuresPane *failures() const { return m_failures; }
    [[nodiscard]] QueueName chosenQueue() const;

signals:
    void queueChosen(const outbox::QueueName &queue);
    void connectAsked();
    void retryAsked();

private:
    void build();
    [[nodiscard]] VerbBar *makeQueueVerbs();
    [[nodiscard]] std::optional<QueueSnapshot> chosen() const;
    void describeNothing();
    void tellVerbs();

    SourceHealth m_health;
    bool m_read = false;
    SourceNotice *m_source;
    LiveTable *m_table;
    QueueModel *m_model;
    QTabWidget *m_tabs;
    TasksPane *m_tasks;
    FailuresPane *m_failures;
    VerbBar *m_verbs; ///< pause and unpause
    WorkersPane *m_workers;
    PropertyList *m_redis;
};

} // namespace outbox
