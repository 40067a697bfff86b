// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `list` and `tasks`: rows of the outbox and tasks of the queue, page by page.
#include "app/cli/commands/command.h"

#include "app/cli/output/rowjson.h"
#include "app/cli/run/await.h"
#include "app/cli/run/masking.h"
#include "app/cli/run/systemreader.h"
#include "app/system/jobs/rowsearch.h"
#include "models/filter/pagerequest.h"
#include "models/filter/rowfilter.h"
#include "models/filter/taskfilter.h"
#include "models/message/taskwalk.h"
#include "models/phrases.h"
#include "models/plaintext.h"

#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QEventLoop>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString knownStates = u"pending, waiting, locked, processed, failed, parked, unknown"_s;

void addPageOptions(QCommandLineParser &parser)
{
    parser.addOption({u"filter"_s, u"Filter expression, e.g. 'type:email:* age>5m'."_s, u"EXPR"_s});
    parser.addOption({u"limit"_s, u"At most so many (100)."_s, u"N"_s, u"100"_s});
    parser.addOption({u"after"_s, u"Goes on behind the cursor of the last page."_s, u"CURSOR"_s});
    addUnmaskedOption(parser);
}

Result<int> limitOf(const QCommandLineParser &parser)
{
    bool ok = false;
    const int limit = parser.value(u"limit"_s).toInt(&ok);
    if (!ok || limit < 1 || limit > 100'000) {
        return fail(Error::Kind::Invalid, u"reading --limit"_s,
                    u"\"%1\" is no number from 1 to 100000"_s.arg(parser.value(u"limit"_s)));
    }
    return limit;
}

QString ageText(const std::optional<double> &seconds)
{
    return seconds ? spanText(*seconds) : u"-"_s;
}

/// The end of a page: its cursor for scripts, a hint for people, the exit code for both.
ExitCode endPage(const Printer &printer, qsizetype shown, const QString &next)
{
    if (printer.isJson())
        printer.object({{u"cursor"_s, next.isEmpty() ? QJsonValue() : QJsonValue(next)}});
    else if (!next.isEmpty())
        printer.note(u"more: --after '%1'"_s.arg(next));
    return shown == 0 ? ExitCode::NothingMatched : ExitCode::Ok;
}

/// Leaves the rows whose tasks are as the filter asks, where it asks for them.
Result<void> keepByTask(SystemReader &looker, const Profile &profile, const OutboxShape &shape,
                        const PageRequest &request, QList<Message> &rows)
{
    const auto checks = TRY(checksOf(request.filter, FilterSubject::Rows, request.at));
    const CheckNode asking = queuePart(checks);
    if (asking.isEverything())
        return {};
    TRY(looker.openQueue());
    QHash<QString, QList<TaskId>> byQueue;
    const auto queueOf = [&profile](const Message &row) {
        return row.queue.isEmpty() ? profile.queue : row.queue;
    };
    for (const Message &row : std::as_const(rows))
        byQueue[queueOf(row)] += row.task;
    QHash<QString, QHash<TaskId, TaskGlance>> seen;
    for (auto queue = byQueue.cbegin(); queue != byQueue.cend(); ++queue) {
        const auto glances = TRY(await(looker.queue(), [&](AsynqInspector &inspector) {
            return inspector.glance({queue.key()}, queue.value());
        }));
        seen.insert(queue.key(), glances);
    }
    rows.removeIf([&](const Message &row) {
        const TaskGlance glance = seen.value(queueOf(row)).value(row.task);
        return truthOf(asking, row, shape.hasUuidKeys(), glance.state) != Truth::Yes;
    });
    return {};
}

/// What a search through rows has seen and what it has not.
void tellSearch(const Printer &printer, const MessagePage &page, bool newestFirst)
{
    if (page.reach != FilterReach::Scan)
        return;
    const QString rows = countText(page.searched);
    if (page.next.isEmpty())
        printer.note(u"searched all %1 rows"_s.arg(rows));
    else if (page.next.startsWith(searchMark)) // in the order of a key
        printer.note(u"searched %1 rows of more"_s.arg(rows));
    else
        printer.note(u"searched the %1 %2 rows of more"_s.arg(
            newestFirst ? u"newest"_s : u"oldest"_s, rows));
    if (page.undecided > 0) {
        printer.note(u"%1 rows are left out: their payloads are too long to be searched"_s.arg(
            countText(page.undecided)));
    }
}

/// Goes on with a search that a page only began, through all rows or until there are enough; tells
/// meanwhile how far it is.
Result<MessagePage> searchOn(const Target &target, const OutboxShape &shape,
                             const PageRequest &request, const Printer &printer)
{
    constexpr int toldEveryMs = 5000;
    RowSearch search(target.profile, target.secrets, target.stateFolder);
    search.setStops(request.limit, request.limit);
    MessagePage page;
    QElapsedTimer sinceTold;
    sinceTold.start();
    QEventLoop loop;
    QObject::connect(&search, &RowSearch::found, &loop,
                     [&page](const PageRequest &, const MessagePage &found) { page = found; });
    QObject::connect(&search, &RowSearch::progressed, &loop, [&](const RowSearchState &state) {
        if (state.phase != RowSearchState::Phase::Running)
            return loop.quit();
        if (!sinceTold.hasExpired(toldEveryMs))
            return;
        sinceTold.start();
        printer.note(u"searched %1 rows, %2 found, %3"_s.arg(
            countText(state.searched), countText(state.found), spanText(state.runMs / 1000)));
    });
    search.startBehind(shape, request, request.after);
    if (search.isRunning())
        loop.exec();
    const RowSearchState &end = search.state();
    if (end.error)
        return Failure(*end.error);
    return page;
}

/// Tasks that match, and how they were come by.
struct FoundTasks
{
    TaskSearchView search;
    TaskWalk walk;

    void tell(const Printer &printer) const
    {
        if (search.searched > search.tasks.size() && !walk.isOver()) {
            printer.note(u"searched %1 tasks up to the state %2, and there are more"_s.arg(
                countText(search.searched), word(walk.state())));
        }
        if (search.undecided > 0) {
            printer.note(u"%1 tasks are left out: their payloads are too long to be searched"_s.arg(
                countText(search.undecided)));
        }
    }
};

/// The tasks that match, state after state, page by page.
struct TaskLister
{
    static constexpr int mostSearched = 20'000;
    static constexpr int mostPages = 200;
    static constexpr int mostOfPage = 500;

    const TaskFilter &filter;
    QueueName queue;
    int limit = 0;

    [[nodiscard]] Result<FoundTasks> from(SystemReader &looker, const TaskWalk &begin) const
    {
        FoundTasks found{{}, begin};
        TaskWalk &walk = found.walk;
        for (int pages = 0; pages < mostPages && !walk.isOver(); ++pages) {
            // Never more than may be shown, since a cursor stands behind a whole page.
            const int rest = limit - static_cast<int>(found.search.tasks.size());
            const auto page = TRY(await(looker.queue(), [&](AsynqInspector &inspector) {
                return inspector.tasks(queue, walk.state(), std::min(rest, mostOfPage),
                                       walk.after(), filter.payloadBytes());
            }));
            walk.passed(page);
            found.search.take(filter, page, filter.payloadBytes());
            if (found.search.tasks.size() >= limit || found.search.searched >= mostSearched)
                break;
        }
        return found;
    }
};

void addListOptions(QCommandLineParser &parser)
{
    parser.addOption({u"state"_s, knownStates + u'.', u"STATE"_s});
    parser.addOption({u"order"_s, u"newest (default) or oldest first."_s, u"ORDER"_s, u"newest"_s});
    addPageOptions(parser);
}

Result<ExitCode> runListCommand(const QCommandLineParser &parser, const Target &target,
                                const Printer &printer)
{
    const auto limit = TRY(limitOf(parser));
    PageRequest request;
    request.limit = limit;
    request.newestFirst = parser.value(u"order"_s) != u"oldest"_s;
    auto filtered
        = pageRequestFromFilter(parser.value(u"filter"_s), request, QDateTime::currentDateTime());
    if (!filtered)
        return printer.usage(filtered.error());
    request = *filtered;
    request.after = parser.value(u"after"_s);
    for (const QString &text : parser.values(u"state"_s)) {
        const auto state = messageStateFromWord(text);
        if (!state) {
            return printer.usage(u"\"%1\" is no state of a row"_s.arg(text),
                                 u"Known: "_s + knownStates);
        }
        request.states += *state;
    }

    SystemReader looker(target);
    const auto shape = TRY(looker.openDatabase());
    MessagePage page;
    const bool isBegun = request.after.startsWith(searchMark);
    if (!isBegun) {
        page = TRY(
            await(looker.database(), [&](OutboxSource &source) { return source.page(request); }));
    }
    const bool hasMore = page.reach == FilterReach::Scan && !page.next.isEmpty()
        && page.rows.size() < request.limit;
    if (isBegun || hasMore)
        page = TRY(searchOn(target, shape, request, printer));
    if (page.reach != FilterReach::Sql) {
        TRY(keepByTask(looker, target.profile, shape, request, page.rows));
    }
    const PayloadMasks masks = TRY(masksFor(parser, target, printer, u"a list of rows"_s));
    if (printer.isJson()) {
        for (const Message &row : page.rows)
            printer.object(rowJson(row, masks));
    } else if (!page.rows.isEmpty()) {
        QList<QStringList> table{
            {u"ID"_s, u"STATE"_s, u"TYPE"_s, u"AGE"_s, u"LOCKED BY"_s, u"PAYLOAD"_s}};
        const auto holder = [](const Message &row) -> QString {
            if (row.state == MessageState::Parked)
                return u"parked: "_s + plainText(row.note);
            return row.lockedBy ? holderCell(*row.lockedBy) : QString();
        };
        for (const Message &row : page.rows) {
            table += QStringList{plainText(row.id.text),
                                 word(row.state),
                                 plainText(row.type),
                                 ageText(row.ageSeconds),
                                 holder(row),
                                 payloadLine(masks.shown(row.payload, row.payloadBytes))};
        }
        printer.line(tableText(table));
    }
    tellSearch(printer, page, request.newestFirst);
    return endPage(printer, page.rows.size(), page.next);
}

void addTasksOptions(QCommandLineParser &parser)
{
    parser.addOption(
        {u"state"_s,
         u"pending (default), active, scheduled, retry, aggregating, archived or completed."_s,
         u"STATE"_s, u"pending"_s});
    addPageOptions(parser);
}

Result<ExitCode> runTasksCommand(const QCommandLineParser &parser, const Target &target,
                                 const Printer &printer)
{
    const auto limit = TRY(limitOf(parser));
    const auto filter
        = TaskFilter::fromText(parser.value(u"filter"_s), QDateTime::currentDateTime());
    if (!filter)
        return printer.usage(filter.error());
    QList<TaskState> states = filter->states();
    if (parser.isSet(u"state"_s) || states.isEmpty()) {
        const auto state = taskStateFromWord(parser.value(u"state"_s));
        if (!state) {
            return printer.usage(u"\"%1\" is no state of a task"_s.arg(parser.value(u"state"_s)));
        }
        states = {*state};
    }
    const TaskWalk walk(states, parser.value(u"after"_s));
    if (walk.isOver())
        return printer.usage(
            u"\"%1\" is no cursor of these states"_s.arg(parser.value(u"after"_s)));
    const auto queue = meantQueue(parser, target.profile);
    if (!queue)
        return printer.usage(queue.error());
    SystemReader looker(target);
    TRY(looker.openQueue());

    const auto tasks = TRY(TaskLister{*filter, *queue, limit}.from(looker, walk));
    tasks.tell(printer);
    const QList<Task> &found = tasks.search.tasks;
    const PayloadMasks masks = TRY(masksFor(parser, target, printer, u"a list of tasks"_s));
    QList<QStringList> table{{u"ID"_s, u"STATE"_s, u"TYPE"_s, u"RETRIED"_s, u"PAYLOAD"_s}};
    for (const Task &task : found) {
        if (printer.isJson()) {
            printer.object(taskJson(task, masks));
            continue;
        }
        table += QStringList{plainText(task.id.text), word(task.state), plainText(task.type),
                             u"%1/%2"_s.arg(task.retried).arg(task.maxRetry),
                             payloadLine(masks.shown(task.payload, task.payloadBytes))};
    }
    if (!printer.isJson() && table.size() > 1)
        printer.line(tableText(table));
    return endPage(printer, found.size(), tasks.walk.cursor());
}

} // namespace

Command listCommand()
{
    return {.name = u"list"_s,
            .summary = u"Rows of the outbox, page by page."_s,
            .addOptions = addListOptions,
            .run = runListCommand};
}

Command tasksCommand()
{
    return {.name = u"tasks"_s,
            .summary = u"Tasks in the queue, by state."_s,
            .addOptions = addTasksOptions,
            .run = runTasksCommand};
}

} // namespace outbox
