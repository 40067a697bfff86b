// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/queue/taskspane.h"

#include "models/filter/completion.h"
#include "models/filter/listline.h"
#include "models/operations/verbdescriptor.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "models/system/offer.h"
#include "models/system/windowlink.h"
#include "models/tables/statefilter.h"
#include "models/tables/taskmodel.h"
#include "views/filter/filterbar.h"
#include "views/operation/selectionverbs.h"
#include "views/queue/taskdetail.h"
#include "views/tables/compareactions.h"
#include "views/tables/livetable.h"
#include "views/tables/pagingbar.h"
#include "views/tables/statechips.h"
#include "views/widgets/boxes.h"
#include "views/widgets/emptypane.h"
#include "views/widgets/noticebar.h"

#include <QBoxLayout>
#include <QSplitter>

#include <functional>
#include <optional>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

std::optional<qint64> countOf(TaskState state, const QueueSnapshot &counts)
{
    switch (state) {
    case TaskState::Pending:
        return counts.pending;
    case TaskState::Active:
        return counts.active;
    case TaskState::Scheduled:
        return counts.scheduled;
    case TaskState::Retry:
        return counts.retry;
    case TaskState::Archived:
        return counts.archived;
    case TaskState::Completed:
        return counts.completed;
    case TaskState::Aggregating:
        return counts.aggregating;
    default:
        return std::nullopt;
    }
}

LiveTable *makeTasksTable(TaskModel *model)
{
    auto *table = new LiveTable(u"tasksTable"_s);
    table->setAccessibleName(TasksPane::tr("Tasks"));
    table->show(model, {-13, 24, 24, 10, 34, 30, 0});
    table->setIdColumns({TaskModel::Id});
    table->setCopyColumn(TaskModel::Id);
    table->setMinimumHeight(90);
    return table;
}

/// The states in which tasks may be that match; all sound ones where the filter names none.
QList<TaskState> statesOf(const QString &filter)
{
    const auto read = TaskFilter::fromText(filter, QDateTime::currentDateTime());
    return read ? read->statesToRead() : soundTaskStates();
}

/// Run, Archive, Delete, Replace and Cancel of what is selected in `table`, or of all tasks of
/// `queue` that match `filter`.
SelectionVerbs *makeTaskVerbs(LiveTable *table, const TaskModel *model, const FilterBar *filter,
                              const std::function<QueueName()> &queue)
{
    SelectionVerbs::Terms terms;
    terms.chosen = [model, queue](const QList<int> &rows) {
        Selection selection;
        selection.queue = queue();
        for (const int row : rows)
            selection.tasks += model->row(row).id;
        return selection;
    };
    terms.matching = [filter, queue] {
        Selection selection;
        selection.queue = queue();
        selection.filter = filter->appliedText().trimmed();
        return selection.queue.isEmpty() ? Selection() : selection;
    };
    terms.whyNot = [model, filter](Verb verb, const QList<int> &rows) {
        QList<TaskState> states;
        for (const int row : rows)
            states += model->row(row).state;
        return whyNotInAny(verb, rows.isEmpty() ? statesOf(filter->appliedText()) : states);
    };
    return new SelectionVerbs(u"taskVerbs"_s, verbsFor(VerbTarget::Tasks), table, terms);
}

/// The one of this name; nullopt: there is none.
std::optional<QueueSnapshot> snapshotOf(const QueueName &queue, const QList<QueueSnapshot> &queues)
{
    for (const QueueSnapshot &one : queues) {
        if (one.name == queue)
            return one;
    }
    return std::nullopt;
}

/// How many tasks of the queue are in one of these states; nullopt where one was not counted.
std::optional<qint64> countOf(const QList<TaskState> &states, const QueueSnapshot &counts)
{
    qint64 sum = 0;
    for (const TaskState state : states) {
        const auto count = countOf(state, counts);
        if (!count)
            return std::nullopt;
        sum += *count;
    }
    return sum;
}

/// The counts of the chosen queue; nullopt: none is chosen.
void showCounts(StateChips &chips, const std::optional<QueueSnapshot> &counts)
{
    for (const TaskState state : soundTaskStates()) {
        const auto count = counts ? countOf(state, *counts) : std::nullopt;
        const QString note = counts ? counts->notes.value(word(state)) : QString();
        chips.setCount(word(state), count ? countText(*count) : QString(),
                       note.isEmpty() ? TasksPane::tr("asynq: %1").arg(word(state)) : note);
    }
}

/// The sentence of an empty table: of a list, and of what a search has found.
void sayWhyNone(EmptyPane &pane, const TaskRequest &request, bool isAwaiting)
{
    const QList<TaskState> states = statesOf(request.filter);
    const QString queue = shownText(request.queue.text);
    if (isAwaiting)
        pane.say(TasksPane::tr("Reading…"));
    else if (states.size() == 1)
        pane.say(
            TasksPane::tr("No %1 tasks in \"%2\".").arg(label(states.first()).toLower(), queue));
    else
        pane.say(TasksPane::tr("No such tasks in \"%1\".").arg(queue));
}

void sayWhyNoneFound(EmptyPane &pane, const TaskSearchView &search, bool isAwaiting)
{
    if (isAwaiting || search.isRunning())
        return pane.say(TasksPane::tr("Searching…"));
    pane.say(search.state == TaskSearchView::State::Complete
                 ? TasksPane::tr("No task matches this filter.")
                 : TasksPane::tr("No task that was read matches this filter."),
             TasksPane::tr("Clear filter"));
}

/// Says how far a search is, of `total` tasks, and offers to stop it or to go on.
void tellSearch(NoticeBar &bar, const TaskSearchView &search, std::optional<qint64> total)
{
    using State = TaskSearchView::State;
    const QString foundText = TasksPane::tr("%1 found").arg(countText(search.tasks.size()));
    const QString searched = search.state == State::Complete
        ? TasksPane::tr("all %1 tasks").arg(countText(search.searched))
        : total && *total > search.searched // tasks come while it runs
        ? TasksPane::tr("%1 of %2 tasks").arg(countText(search.searched), countText(*total))
        : TasksPane::tr("%1 tasks").arg(countText(search.searched));
    if (search.isRunning()) {
        return bar.say(NoticeBar::Tone::Info,
                       TasksPane::tr("Searching: %1 in %2, %3.")
                           .arg(searched, spanText(search.seconds), foundText),
                       TasksPane::tr("Cancel"));
    }
    QString text = TasksPane::tr("Searched %1, %2.").arg(searched, foundText);
    if (search.state == State::Stopped)
        text = TasksPane::tr("Stopped.") + u' ' + text;
    if (search.state == State::Full)
        text += u' ' + TasksPane::tr("No more are listed: ask for less.");
    if (search.undecided > 0) {
        text += u' '
            + TasksPane::tr("%1 have payloads too long to be searched here.")
                  .arg(countText(search.undecided));
    }
    if (search.error)
        text = shownText(oneLine(*search.error)) + u". "_s + text;
    text += u' '
        + TasksPane::tr("As of %1; not refreshed.")
              .arg(momentText(search.at, QDateTime::currentDateTimeUtc()));
    bar.say(search.error ? NoticeBar::Tone::Problem : NoticeBar::Tone::Info, text,
            search.mayGoOn() ? TasksPane::tr("Continue") : QString());
}

} // namespace

TasksPane::TasksPane(QWidget *parent)
    : QWidget(parent),
      m_filter(new FilterBar(u"taskFilter"_s, tr("state:retry error~timeout age>5m"),
                             FilterSubject::Tasks)),
      m_states(new StateChips(u"taskState"_s, StateChips::Choice::One)),
      m_problem(new NoticeBar(u"tasksProblem"_s)), m_search(new NoticeBar(u"tasksSearch"_s)),
      m_model(new TaskModel(PayloadMasks::none(), this)), m_table(makeTasksTable(m_model)),
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
    connect(m_table, &LiveTable::filterAsked, this, [this](const QString &term) {
        setFilter(filterNarrowedTo(m_filter->appliedText(), term));
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
    auto *rowsColumn = boxOn<QVBoxLayout>(rows, 6);
    rowsColumn->addWidget(m_table, 1);
    rowsColumn->addWidget(m_verbs);
    m_verbs->layout()->addWidget(m_paging); // at the end of the same line
    addLinks(*m_table, m_detail->links());
    new CompareActions(m_table, [this](int row) {
        return ComparedId{MessageId{m_model->row(row).id.text}, m_queue};
    });
    QSplitter *split = splitOf(u"tasksSplit"_s, rows, 3, m_detail, 2);
    auto *column = boxOn<QVBoxLayout>(this, 8, {0, 10, 0, 0});
    addWidgets(column, {m_filter, m_states, m_problem, m_search});
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

void TasksPane::openTask(const QueueName &queue, const TaskId &id, TaskState state)
{
    setFilter(u"state:%1 id=%2"_s.arg(word(state), asFilterValue(id.text)));
    m_wanted = id;
    // A search through many tasks takes its time: the details do not wait for it.
    Task task;
    task.id = id;
    task.queue = queue;
    task.state = state;
    m_detail->choose(task);
    emit taskChosen(queue, id);
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
    m_wanted = {};
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

void TasksPane::setProfile(const Profile &profile)
{
    m_model->setMasks(profile.masks);
    m_detail->setMasks(profile.masks);
    const auto tasksOf = [model = m_model](const QList<int> &rows) {
        QList<Task> tasks;
        for (const int row : rows)
            tasks += model->row(row);
        return tasks;
    };
    m_table->setCopyForms(
        {{tr("&Command line that lists them"),
          [tasksOf, profile](const QList<int> &rows) { return listLine(tasksOf(rows), profile); },
          tr("One filter cannot name these tasks: select fewer, and none that is damaged")},
         {tr("&Link that shows them in a window, as a command"),
          [tasksOf, profile](const QList<int> &rows) { return windowLine(tasksOf(rows), profile); },
          tr("One filter cannot name so many tasks: select fewer")}});
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
    showTasks(search.tasks);
    const bool isAll = search.state == TaskSearchView::State::Complete && search.undecided == 0;
    m_verbs->setMatching(isAll ? countText(search.tasks.size()) : QString());
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
    if (const int row = m_wanted.isEmpty() ? -1 : m_model->rowOf(m_wanted); row >= 0) {
        m_wanted = {};
        m_table->selectRow(row);
    }
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
    m_model->merge({}); // before the masks of another system are those of these rows
    m_detail->clear();
    m_table->setCopyForms({});
}

void TasksPane::describeNothing()
{
    EmptyPane *pane = m_table->emptyPane();
    if (m_queue.isEmpty())
        pane->say(tr("Select a queue."));
    else if (m_isSearch)
        sayWhyNoneFound(*pane, m_found, m_awaiting);
    else
        sayWhyNone(*pane, request(), m_awaiting);
}

} // namespace outbox
