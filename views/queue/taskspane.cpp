// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/queue/taskspane.h"

#include "models/filter/completion.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "models/tables/statefilter.h"
#include "models/tables/taskmodel.h"
#include "views/filter/filterbar.h"
#include "views/operation/selectionverbs.h"
#include "views/queue/taskdetail.h"
#include "views/queue/taskrows.h"
#include "views/tables/livetable.h"
#include "views/tables/pagingbar.h"
#include "views/tables/statechips.h"
#include "views/widgets/emptypane.h"
#include "views/widgets/noticebar.h"

#include <QBoxLayout>
#include <QSplitter>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

TasksPane::TasksPane(QWidget *parent)
    : QWidget(parent),
      m_filter(new FilterBar(u"taskFilter"_s, tr("state:retry error~timeout age>5m"),
                             FilterSubject::Tasks)),
      m_states(new StateChips(u"taskState"_s, StateChips::Choice::One)),
      m_problem(new NoticeBar(u"tasksProblem"_s)), m_search(new NoticeBar(u"tasksSearch"_s)),
      m_model(new TaskModel(this)), m_table(makeTasksTable(m_model)),
      m_verbs(makeTaskVerbs(m_table, m_model, m_filter, [this] { return m_queue; })),
      m_detail(new TaskDetail),
      m_paging(new PagingBar(u"tasksPaging"_s, tr("Previous"), tr("Next")))
{
    setObjectName(u"tasksPane"_s);
    build();
    connect(m_states, &StateChips::chosenChanged, this, [this](const QStringList &words) {
        if (const auto state = taskStateFromWord(words.value(0)))
            setState(*state);
    });
    connect(m_filter, &FilterBar::applied, this, &TasksPane::useFilter);
    connect(m_table, &LiveTable::rowChosen, this, [this](const QModelIndex &index) {
        const Task task = m_model->row(index.row());
        m_detail->choose(task);
        emit taskChosen(m_queue, task.id);
    });
    connect(m_table->emptyPane(), &EmptyPane::actionAsked, this, [this] { setFilter({}); });
    connect(m_problem, &NoticeBar::actionAsked, this, &TasksPane::ask);
    connect(m_paging, &PagingBar::stepped, this, &TasksPane::ask);
    connect(m_search, &NoticeBar::actionAsked, this,
            [this] { m_found.isRunning() ? emit searchStopAsked() : emit searchOnAsked(); });
    setState(TaskState::Pending);
}

void TasksPane::build()
{
    for (const TaskState state : soundTaskStates())
        m_states->add(state);
    auto *rows = new QWidget;
    auto *rowsColumn = new QVBoxLayout(rows);
    rowsColumn->setContentsMargins({});
    rowsColumn->setSpacing(6);
    rowsColumn->addWidget(m_table, 1);
    rowsColumn->addWidget(m_verbs);
    m_verbs->layout()->addWidget(m_paging); // at the end of the same line
    auto *split = new QSplitter(Qt::Vertical);
    split->setObjectName(u"tasksSplit"_s);
    split->setChildrenCollapsible(false);
    split->setHandleWidth(10);
    split->addWidget(rows);
    split->addWidget(m_detail);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 10, 0, 0);
    column->setSpacing(8);
    column->addWidget(m_filter);
    column->addWidget(m_states);
    column->addWidget(m_problem);
    column->addWidget(m_search);
    column->addWidget(split, 1);
}

TaskRequest TasksPane::request() const
{
    return {m_queue, m_filter->appliedText(), m_isSearch ? QString() : m_paging->cursor()};
}

void TasksPane::setFilter(const QString &text)
{
    m_filter->apply(text);
}

void TasksPane::setState(TaskState state)
{
    setFilter(filterWithStates(m_filter->appliedText(), {word(state)}));
}

void TasksPane::setQueue(const QueueName &queue)
{
    if (queue == m_queue)
        return;
    m_queue = queue;
    restart();
}

void TasksPane::useFilter(const QString &text)
{
    const QStringList named = valuesInFilter(text, u"queue"_s);
    for (const QueueSnapshot &one : std::as_const(m_queues)) {
        if (named.size() == 1 && one.name.text == named.first() && one.name != m_queue)
            return emit queueNamed(one.name);
    }
    restart();
}

void TasksPane::restart()
{
    const QString text = m_filter->appliedText();
    const auto filter = TaskFilter::fromText(text, QDateTime::currentDateTime());
    if (!filter)
        return; // the bar applies no other
    m_isSearch = filter->reach() == FilterReach::Scan;
    QStringList states;
    for (const QString &name : statesInFilter(text)) {
        if (const auto state = taskStateFromWord(name))
            states += word(*state); // "dead" is archived
    }
    m_states->setChosen(states);
    m_paging->restart();
    m_paging->arrived({}, {});
    m_paging->setVisible(!m_isSearch);
    m_search->clear();
    m_verbs->refresh();
    m_found = {};
    {
        // What does not match must not stand there while the answer is under way.
        const LiveTable::KeepPlace keep(*m_table);
        m_model->merge({});
    }
    ask();
}

void TasksPane::ask()
{
    m_awaiting = true;
    m_problem->clear();
    m_paging->wait();
    describeNothing();
    tellCounts();
    if (m_queue.isEmpty())
        return;
    if (m_isSearch)
        emit searchAsked(request());
    else
        emit tasksAsked(request());
}

void TasksPane::setQueues(const QList<QueueSnapshot> &queues)
{
    m_queues = queues;
    tellCounts();
}

void TasksPane::tellCounts()
{
    const auto counts = snapshotOf(m_queue, m_queues);
    showCounts(*m_states, counts);
    const auto total = counts ? countOf(statesOf(m_filter->appliedText()), *counts) : std::nullopt;
    if (!m_isSearch)
        m_verbs->setMatching(total ? countText(*total) : QString());
    if (m_isSearch && m_found.request == request())
        tellSearch(*m_search, m_found, total);
}

void TasksPane::setPage(const TaskRequest &asked, const TaskPage &page)
{
    if (m_isSearch || asked != request())
        return;
    m_problem->clear();
    showTasks(page.tasks);
    const bool several = !m_paging->isFirst() || !page.next.isEmpty();
    m_paging->arrived(page.next, several ? tr("page %1").arg(m_paging->number() + 1) : QString());
}

void TasksPane::setSearch(const TaskSearchView &search)
{
    if (!m_isSearch || search.request != request())
        return;
    m_found = search;
    showTasks(search.found.tasks);
    const bool isAll
        = search.state == TaskSearchView::State::Complete && search.found.undecided == 0;
    m_verbs->setMatching(isAll ? countText(search.found.tasks.size()) : QString());
    tellCounts();
}

void TasksPane::showTasks(const QList<Task> &tasks)
{
    {
        const LiveTable::KeepPlace keep(*m_table);
        m_model->merge(tasks);
    }
    m_filter->setKnown(wordsOf(tasks));
    if (std::exchange(m_awaiting, false))
        m_table->scrollToTop();
    describeNothing();
}

void TasksPane::setPageError(const Error &error)
{
    m_problem->say(NoticeBar::Tone::Problem, shownText(oneLine(error)), tr("Try again"));
}

void TasksPane::setTask(const Task &task)
{
    m_detail->setTask(task);
}

void TasksPane::setStale(bool stale)
{
    m_table->setStale(stale);
}

void TasksPane::forget()
{
    m_queue = {};
    m_queues.clear();
    m_filter->apply({});
    setState(TaskState::Pending); // without a queue nobody is asked
    m_detail->clear();
}

void TasksPane::describeNothing()
{
    EmptyPane *pane = m_table->emptyPane();
    if (m_queue.isEmpty())
        pane->say(tr("No queue is chosen."));
    else if (m_isSearch)
        sayWhyNoneFound(*pane, m_found, m_awaiting);
    else
        sayWhyNone(*pane, request(), m_awaiting);
}

} // namespace outbox
