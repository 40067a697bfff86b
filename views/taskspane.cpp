// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/taskspane.h"

#include "models/operations/offer.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "models/taskmodel.h"
#include "views/emptypane.h"
#include "views/factsform.h"
#include "views/livetable.h"
#include "views/messagefacts.h"
#include "views/noticebar.h"
#include "views/pagingbar.h"
#include "views/payloadview.h"
#include "views/selectionverbs.h"
#include "views/statechips.h"

#include <QBoxLayout>
#include <QSplitter>
#include <QTabWidget>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

LiveTable *makeTable(TaskModel *model)
{
    auto *table = new LiveTable(u"tasksTable"_s);
    table->setAccessibleName(TasksPane::tr("Tasks"));
    table->show(model, {-13, 24, 24, 10, 34, 30, 0});
    table->setIdColumns({TaskModel::Id});
    table->setCopyColumn(TaskModel::Id);
    table->setMinimumHeight(90);
    return table;
}

} // namespace

TasksPane::TasksPane(QWidget *parent)
    : QWidget(parent), m_states(new StateChips(u"taskState"_s, StateChips::Choice::One)),
      m_problem(new NoticeBar(u"tasksProblem"_s)), m_model(new TaskModel(this)),
      m_table(makeTable(m_model)), m_verbs(makeVerbs()), m_detail(new QTabWidget),
      m_facts(new FactsForm(u"taskFacts"_s)), m_payload(new PayloadView(u"taskPayload"_s)),
      m_paging(new PagingBar(u"tasksPaging"_s, tr("Previous"), tr("Next")))
{
    setObjectName(u"tasksPane"_s);
    build();
    connect(m_states, &StateChips::chosenChanged, this, [this](const QStringList &words) {
        if (const auto state = taskStateFromWord(words.value(0)))
            setState(*state);
    });
    connect(m_table, &LiveTable::rowChosen, this, [this](const QModelIndex &index) {
        const Task task = m_model->row(index.row());
        m_chosen = task.id;
        setTask(task);
        emit taskChosen(m_queue, task.id);
    });
    connect(m_problem, &NoticeBar::actionAsked, this, &TasksPane::ask);
    connect(m_paging, &PagingBar::stepped, this, &TasksPane::ask);
    describeNothing();
}

void TasksPane::build()
{
    for (const TaskState state : soundTaskStates())
        m_states->add(state);
    m_states->setChosen({word(m_state)});
    m_detail->setObjectName(u"taskDetail"_s);
    m_detail->setAccessibleName(tr("Details of the chosen task"));
    m_detail->setDocumentMode(true);
    m_detail->addTab(m_facts, tr("Task"));
    m_detail->addTab(m_payload, tr("Payload"));
    m_detail->setMinimumHeight(110);
    auto *split = new QSplitter(Qt::Vertical);
    split->setObjectName(u"tasksSplit"_s);
    split->setChildrenCollapsible(false);
    split->setHandleWidth(10);
    auto *rows = new QWidget;
    auto *rowsColumn = new QVBoxLayout(rows);
    rowsColumn->setContentsMargins({});
    rowsColumn->setSpacing(6);
    rowsColumn->addWidget(m_table, 1);
    rowsColumn->addWidget(m_verbs);
    m_verbs->layout()->addWidget(m_paging); // at the end of the same line
    split->addWidget(rows);
    split->addWidget(m_detail);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 10, 0, 0);
    column->setSpacing(8);
    column->addWidget(m_states);
    column->addWidget(m_problem);
    column->addWidget(split, 1);
}

SelectionVerbs *TasksPane::makeVerbs()
{
    SelectionVerbs::Terms terms;
    terms.chosen = [this](const QList<int> &rows) {
        Selection selection;
        selection.queue = m_queue;
        for (const int row : rows)
            selection.tasks += m_model->row(row).id;
        return selection;
    };
    terms.matching = [this] {
        Selection selection;
        selection.queue = m_queue;
        selection.filter = u"state:"_s + word(m_state);
        return m_queue.isEmpty() ? Selection() : selection;
    };
    terms.whyNot
        = [this](Verb verb, const QList<int> & /*rows*/) { return whyNotInState(verb, m_state); };
    return new SelectionVerbs(u"taskVerbs"_s,
                              {Verb::Run, Verb::Archive, Verb::Delete, Verb::Replace, Verb::Cancel},
                              m_table, terms);
}

void TasksPane::ask()
{
    m_awaiting = true;
    m_problem->clear();
    m_paging->wait();
    describeNothing();
    if (!m_queue.isEmpty())
        emit tasksAsked(m_queue, m_state, m_paging->cursor());
}

const QString &TasksPane::cursor() const
{
    return m_paging->cursor();
}

void TasksPane::setQueue(const QueueName &queue)
{
    if (queue == m_queue)
        return;
    m_queue = queue;
    setState(m_state);
}

void TasksPane::setState(TaskState state)
{
    m_state = state;
    m_states->setChosen({word(state)});
    m_verbs->refresh();
    m_paging->restart();
    {
        // Rows of another state or queue must not stand under this one while the answer is under
        // way.
        const LiveTable::KeepPlace keep(*m_table);
        m_model->merge({});
    }
    ask();
}

void TasksPane::setCounts(const QueueSnapshot &counts)
{
    if (counts.name != m_queue)
        return;
    const auto show = [this](TaskState state, qint64 count) {
        m_states->setCount(word(state), countText(count), tr("asynq: %1").arg(word(state)));
        if (state == m_state)
            m_verbs->setMatching(countText(count));
    };
    show(TaskState::Pending, counts.pending);
    show(TaskState::Active, counts.active);
    show(TaskState::Scheduled, counts.scheduled);
    show(TaskState::Retry, counts.retry);
    show(TaskState::Archived, counts.archived);
    show(TaskState::Completed, counts.completed);
    const QString grouped = word(TaskState::Aggregating);
    m_states->setCount(grouped, counts.aggregating ? countText(*counts.aggregating) : QString(),
                       counts.notes.value(grouped));
}

void TasksPane::setPage(const QueueName &queue, TaskState state, const QString &after,
                        const TaskPage &page)
{
    if (queue != m_queue || state != m_state || after != m_paging->cursor())
        return;
    m_problem->clear();
    {
        const LiveTable::KeepPlace keep(*m_table);
        m_model->merge(page.tasks);
    }
    if (std::exchange(m_awaiting, false))
        m_table->scrollToTop();
    const bool several = !m_paging->isFirst() || !page.next.isEmpty();
    m_paging->arrived(page.next, several ? tr("page %1").arg(m_paging->number() + 1) : QString());
    describeNothing();
}

void TasksPane::setPageError(const Error &error)
{
    m_problem->say(NoticeBar::Tone::Problem, shownText(oneLine(error)), tr("Try again"));
}

void TasksPane::setTask(const Task &task)
{
    if (task.id != m_chosen)
        return;
    m_facts->setFacts(taskFacts(task));
    m_payload->setPayload(task.payload, task.payloadBytes);
}

void TasksPane::setStale(bool stale)
{
    m_table->setStale(stale);
}

void TasksPane::forget()
{
    m_queue = {};
    m_chosen = {};
    setState(TaskState::Pending); // without a queue nobody is asked
    m_paging->arrived({}, {});
    m_facts->setFacts({});
    m_payload->clear();
    for (const TaskState state : soundTaskStates())
        m_states->setCount(word(state), {});
}

void TasksPane::describeNothing()
{
    EmptyPane *pane = m_table->emptyPane();
    if (m_queue.isEmpty())
        pane->say(tr("No queue is chosen."));
    else if (m_awaiting)
        pane->say(tr("Reading…"));
    else
        pane->say(
            tr("No %1 tasks in \"%2\".").arg(label(m_state).toLower(), shownText(m_queue.text)));
}

} // namespace outbox
