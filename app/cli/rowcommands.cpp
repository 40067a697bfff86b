// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/rowcommands.h"

#include "app/cli/await.h"
#include "app/cli/look.h"
#include "app/cli/rowjson.h"
#include "models/filter/rowfilter.h"
#include "models/filter/taskfilter.h"
#include "models/phrases.h"
#include "models/plaintext.h"

#include <QCommandLineParser>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

void addPageOptions(QCommandLineParser &parser)
{
    parser.addOption({u"filter"_s, u"Filter expression, e.g. 'type:email:* age>5m'."_s, u"EXPR"_s});
    parser.addOption({u"limit"_s, u"At most so many (100)."_s, u"N"_s, u"100"_s});
    parser.addOption({u"after"_s, u"Goes on behind the cursor of the last page."_s, u"CURSOR"_s});
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
        printer.note(u"more: --after "_s + next);
    return shown == 0 ? ExitCode::NothingMatched : ExitCode::Ok;
}

} // namespace

QString ListCommand::name() const
{
    return u"list"_s;
}

QString ListCommand::summary() const
{
    return u"Rows of the outbox, page by page."_s;
}

void ListCommand::addOptions(QCommandLineParser &parser) const
{
    parser.addOption({u"state"_s, u"pending, locked, processed, failed or parked."_s, u"STATE"_s});
    parser.addOption({u"order"_s, u"newest (default) or oldest first."_s, u"ORDER"_s, u"newest"_s});
    addPageOptions(parser);
}

ExitCode ListCommand::run(const QCommandLineParser &parser, const Target &target,
                          const Printer &printer) const
{
    const auto limit = limitOf(parser);
    if (!limit)
        return printer.error(limit.error());
    PageRequest request;
    request.limit = *limit;
    request.newestFirst = parser.value(u"order"_s) != u"oldest"_s;
    auto filtered = pageRequestFromFilter(parser.value(u"filter"_s), request);
    if (!filtered)
        return printer.error(filtered.error());
    request = *filtered;
    request.after = parser.value(u"after"_s);
    for (const QString &text : parser.values(u"state"_s)) {
        const auto state = messageStateFromWord(text);
        if (!state) {
            return printer.usage(u"\"%1\" is no state of a row"_s.arg(text),
                                 u"Known: pending, waiting, locked, processed, failed, parked"_s);
        }
        request.states += *state;
    }

    SystemLooker looker(target);
    if (auto shape = looker.openDatabase(); !shape)
        return printer.error(shape.error());
    const auto page
        = await(looker.database(), [&](OutboxSource &source) { return source.page(request); });
    if (!page)
        return printer.error(page.error());
    if (printer.isJson()) {
        for (const Message &row : page->rows)
            printer.object(rowJson(row));
    } else if (!page->rows.isEmpty()) {
        QList<QStringList> table{
            {u"ID"_s, u"STATE"_s, u"TYPE"_s, u"AGE"_s, u"LOCKED BY"_s, u"PAYLOAD"_s}};
        const auto holder = [](const Message &row) -> QString {
            if (row.state == MessageState::Parked)
                return u"parked: "_s + plainText(row.note);
            return row.lockedBy ? holderCell(*row.lockedBy) : QString();
        };
        for (const Message &row : page->rows) {
            table += QStringList{
                plainText(row.id.text),  word(row.state), plainText(row.type),
                ageText(row.ageSeconds), holder(row),     payloadPreview(row.payload)};
        }
        printer.line(tableText(table));
    }
    return endPage(printer, page->rows.size(), page->next);
}

QString TasksCommand::name() const
{
    return u"tasks"_s;
}

QString TasksCommand::summary() const
{
    return u"Tasks in the queue, by state."_s;
}

void TasksCommand::addOptions(QCommandLineParser &parser) const
{
    parser.addOption({u"state"_s,
                      u"pending (default), active, scheduled, retry, archived or completed."_s,
                      u"STATE"_s, u"pending"_s});
    addPageOptions(parser);
}

ExitCode TasksCommand::run(const QCommandLineParser &parser, const Target &target,
                           const Printer &printer) const
{
    const auto limit = limitOf(parser);
    if (!limit)
        return printer.error(limit.error());
    const auto filter = TaskFilter::fromText(parser.value(u"filter"_s));
    if (!filter)
        return printer.error(filter.error());
    QList<TaskState> states = filter->states;
    if (parser.isSet(u"state"_s) || states.isEmpty()) {
        const auto state = taskStateFromWord(parser.value(u"state"_s));
        if (!state) {
            return printer.usage(u"\"%1\" is no state of a task"_s.arg(parser.value(u"state"_s)));
        }
        states = {*state};
    }
    SystemLooker looker(target);
    if (auto opened = looker.openQueue(); !opened)
        return printer.error(opened.error());

    qsizetype shown = 0;
    QString next;
    QList<QStringList> table{{u"ID"_s, u"STATE"_s, u"TYPE"_s, u"RETRIED"_s, u"PAYLOAD"_s}};
    for (const TaskState state : std::as_const(states)) {
        const auto page = await(looker.queue(), [&](AsynqInspector &inspector) {
            return inspector.tasks({target.profile.queue}, state, *limit, parser.value(u"after"_s));
        });
        if (!page)
            return printer.error(page.error());
        next = page->next;
        for (const Task &task : page->tasks) {
            if (!filter->matches(task))
                continue;
            ++shown;
            if (printer.isJson()) {
                printer.object(taskJson(task));
                continue;
            }
            table += QStringList{plainText(task.id.text), word(task.state), plainText(task.type),
                                 u"%1/%2"_s.arg(task.retried).arg(task.maxRetry),
                                 payloadPreview(task.payload)};
        }
    }
    if (!printer.isJson() && table.size() > 1)
        printer.line(tableText(table));
    return endPage(printer, shown, next);
}

} // namespace outbox
