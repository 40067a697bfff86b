// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Searches the tasks of a queue for what a filter asks, in the background and within a budget.
#pragma once

#include "models/filter/taskfilter.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace outbox {

class QueueFeed;

/// One page after the other in the room of the feed, where looks come in between; after each page
/// it rests at least as long as the page took. Lives in the feed's thread.
class TaskSearch : public QObject
{
    Q_OBJECT

public:
    static constexpr int pageTasks = 500;
    static constexpr qint64 firstTasks = 20'000; ///< read before anybody is asked
    /// What each further go may read, and how long it may take.
    static constexpr qint64 mostTasks = 200'000;
    static constexpr qint64 mostBytes = 256LL * 1024 * 1024;
    static constexpr qint64 mostSeconds = 30;
    static constexpr qsizetype mostListed = 2'000; ///< found tasks that are kept

    /// `feed` outlives the search.
    explicit TaskSearch(QueueFeed &feed, QObject *parent = nullptr);

    /// From the first task on; the search before, if any, is dropped.
    void start(const TaskRequest &request);
    /// Behind what was read already, where it may.
    void goOn();
    /// Ends at once and keeps what was found; does nothing where none is under way.
    void stop();
    /// Ends without a word: its answer is wanted no longer.
    void drop();
    [[nodiscard]] bool isRunning() const { return m_running; }

signals:
    /// While it runs at most ten times a second, and when it ends.
    void progressed(const outbox::TaskSearchView &view);

private:
    void begin(qint64 tasks);
    void readNext();
    void take(const Result<TaskPage> &page);
    void tell(TaskSearchView::State state);

    QueueFeed &m_feed;
    TaskSearchView m_view;
    std::optional<TaskFilter> m_filter;
    TaskWalk m_walk{{}};
    qint64 m_tasksLeft = 0;
    qint64 m_bytesLeft = 0;
    quint64 m_token = 0; ///< the answer to an older question is dropped
    bool m_running = false;
    QElapsedTimer m_clock;
    QElapsedTimer m_told;
    QTimer m_rest;
};

} // namespace outbox
