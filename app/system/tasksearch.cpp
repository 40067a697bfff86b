// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/tasksearch.h"

#include "app/system/queuefeed.h"

namespace outbox {

namespace {

constexpr qsizetype shownBytes = 256; ///< of a payload, as in a page of tasks
constexpr int tellEveryMs = 100;

} // namespace

TaskSearch::TaskSearch(QueueFeed &feed, QObject *parent) : QObject(parent), m_feed(feed)
{
    m_rest.setSingleShot(true);
    connect(&m_rest, &QTimer::timeout, this, &TaskSearch::readNext);
    connect(&m_feed, &QueueFeed::tasksRead, this,
            [this](quint64 token, const Result<TaskPage> &page) {
                if (m_running && token == m_token)
                    take(page);
            });
}

void TaskSearch::start(const TaskRequest &request)
{
    drop();
    m_view = {};
    m_filter.reset();
    m_view.request = request;
    // Times and ages count from the start, however often it goes on.
    auto filter = TaskFilter::fromText(request.filter, QDateTime::currentDateTime());
    if (!filter) {
        m_view.error = filter.error();
        return tell(TaskSearchView::State::Failed);
    }
    m_walk = TaskWalk(filter->statesToRead());
    m_filter = *std::move(filter);
    begin(firstTasks);
}

void TaskSearch::goOn()
{
    if (!m_running && m_filter && m_view.mayGoOn())
        begin(mostTasks);
}

void TaskSearch::begin(qint64 tasks)
{
    m_running = true;
    m_tasksLeft = tasks;
    m_bytesLeft = mostBytes;
    m_view.error.reset();
    m_clock.start();
    tell(TaskSearchView::State::Running);
    readNext();
}

void TaskSearch::readNext()
{
    const int count = static_cast<int>(qMin<qint64>(pageTasks, m_tasksLeft));
    m_feed.readTasks(m_view.request.queue, m_walk.state(), count, m_walk.after(),
                     m_filter->payloadBytes(), ++m_token);
}

void TaskSearch::take(const Result<TaskPage> &page)
{
    using State = TaskSearchView::State;
    if (!page) {
        m_view.error = page.error();
        return tell(State::Failed);
    }
    m_view.take(*m_filter, *page, shownBytes);
    m_walk.passed(*page);
    m_tasksLeft -= page->tasks.size();
    for (const Task &task : page->tasks)
        m_bytesLeft -= task.payloadBytes;
    if (m_walk.isOver())
        return tell(State::Complete);
    if (m_view.tasks.size() >= mostListed)
        return tell(State::Full);
    if (m_tasksLeft <= 0 || m_bytesLeft <= 0 || m_clock.elapsed() > mostSeconds * 1000)
        return tell(State::Paused);
    // Looks and other clients come first: at most half of the time is taken from the server.
    m_rest.start(static_cast<int>(page->tookMs) + 1);
    if (m_told.elapsed() >= tellEveryMs)
        tell(State::Running);
}

void TaskSearch::stop()
{
    if (!m_running)
        return;
    m_rest.stop();
    tell(TaskSearchView::State::Stopped);
}

void TaskSearch::drop()
{
    m_rest.stop();
    m_running = false;
    ++m_token;
}

void TaskSearch::tell(TaskSearchView::State state)
{
    m_view.state = state;
    m_running = state == TaskSearchView::State::Running;
    m_view.at = QDateTime::currentDateTimeUtc();
    m_view.seconds = static_cast<double>(m_clock.isValid() ? m_clock.elapsed() : 0) / 1000;
    m_told.start();
    emit progressed(m_view);
}

} // namespace outbox
