// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/queue/taskrows.h"

#include "models/operations/verbdescriptor.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "models/system/offer.h"
#include "models/tables/taskmodel.h"
#include "views/filter/filterbar.h"
#include "views/operation/selectionverbs.h"
#include "views/queue/taskspane.h"
#include "views/tables/livetable.h"
#include "views/tables/statechips.h"
#include "views/widgets/emptypane.h"
#include "views/widgets/noticebar.h"

#include <QLocale>

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

} // namespace

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

QList<TaskState> statesOf(const QString &filter)
{
    const auto read = TaskFilter::fromText(filter, QDateTime::currentDateTime());
    return read ? read->statesToRead() : soundTaskStates();
}

std::optional<QueueSnapshot> snapshotOf(const QueueName &queue, const QList<QueueSnapshot> &queues)
{
    for (const QueueSnapshot &one : queues) {
        if (one.name == queue)
            return one;
    }
    return std::nullopt;
}

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

void showCounts(StateChips &chips, const std::optional<QueueSnapshot> &counts)
{
    for (const TaskState state : soundTaskStates()) {
        const auto count = counts ? countOf(state, *counts) : std::nullopt;
        const QString note = counts ? counts->notes.value(word(state)) : QString();
        chips.setCount(word(state), count ? countText(*count) : QString(),
                       note.isEmpty() ? TasksPane::tr("asynq: %1").arg(word(state)) : note);
    }
}

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

void tellSearch(NoticeBar &bar, const TaskSearchView &search, std::optional<qint64> total)
{
    using State = TaskSearchView::State;
    const TasksFound &found = search.found;
    const QString foundText = TasksPane::tr("%1 found").arg(countText(found.tasks.size()));
    const QString searched = search.state == State::Complete
        ? TasksPane::tr("all %1 tasks").arg(countText(found.searched))
        : total && *total > found.searched // tasks come while it runs
        ? TasksPane::tr("%1 of %2 tasks").arg(countText(found.searched), countText(*total))
        : TasksPane::tr("%1 tasks").arg(countText(found.searched));
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
    if (found.undecided > 0) {
        text += u' '
            + TasksPane::tr("%1 have payloads too long to be searched here.")
                  .arg(countText(found.undecided));
    }
    if (search.error)
        text = shownText(oneLine(*search.error)) + u". "_s + text;
    text += u' '
        + TasksPane::tr("As of %1; not refreshed.")
              .arg(QLocale().toString(search.at.toLocalTime().time(), QLocale::ShortFormat));
    bar.say(search.error ? NoticeBar::Tone::Problem : NoticeBar::Tone::Info, text,
            search.mayGoOn() ? TasksPane::tr("Continue") : QString());
}

} // namespace outbox
