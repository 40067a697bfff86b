// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `edit ID`: changes what one row sends, before a relay takes it. `edit-task ID`: what one task
// holds.
#include "app/cli/commands/command.h"

#include "models/filter/values.h"

#include <QCommandLineParser>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

void addEditOptions(QCommandLineParser &parser)
{
    parser.addPositionalArgument(u"ID"_s, u"The id of a row."_s);
    parser.addOptions({
        {u"payload-file"_s, u"Its new payload, byte for byte; - reads stdin."_s, u"FILE"_s},
        {u"type"_s, u"Its new type."_s, u"TYPE"_s},
        {u"to-queue"_s, u"Its new queue."_s, u"QUEUE"_s},
        {u"at"_s, u"When it is due: 2026-01-31T10:00:00Z, 14:02, today, or now."_s, u"TIME"_s},
    });
}

/// What is to change of the one ID that is named; `command` is its word.
Result<RowEdit> editIn(const QCommandLineParser &parser, const QString &command)
{
    if (parser.positionalArguments().size() != 1) {
        return fail(Error::Kind::Invalid, u"reading the command line"_s, u"one ID is needed"_s, {},
                    u"outboxctl %1 ID …"_s.arg(command));
    }
    RowEdit edit;
    if (parser.isSet(u"payload-file"_s)) {
        edit.payload = TRY(payloadFrom(parser.value(u"payload-file"_s)));
    }
    if (parser.isSet(u"type"_s))
        edit.type = parser.value(u"type"_s);
    if (parser.isSet(u"to-queue"_s))
        edit.queue = parser.value(u"to-queue"_s);
    if (parser.isSet(u"at"_s)) {
        edit.due = TRY(beginOf(parser.value(u"at"_s), QDateTime::currentDateTime()));
    }
    if (edit.isEmpty()) {
        return fail(Error::Kind::Invalid, u"reading the command line"_s,
                    u"nothing is said of what to change"_s, {},
                    u"Give --payload-file, --type, --to-queue or --at"_s);
    }
    return edit;
}

Result<PlannedCommand> plannedEdit(const QCommandLineParser &parser, const Target & /*target*/)
{
    Selection selection;
    selection.edit = TRY(editIn(parser, word(Verb::Edit)));
    selection.rows = {MessageId{parser.positionalArguments().first()}};
    return plannedBy(operationFor(Verb::Edit), selection);
}

void addEditTaskOptions(QCommandLineParser &parser)
{
    parser.addPositionalArgument(u"ID"_s, u"The id of a task."_s);
    parser.addOptions({
        {u"payload-file"_s, u"Its new payload, byte for byte; - reads stdin."_s, u"FILE"_s},
        {u"type"_s, u"Its new type."_s, u"TYPE"_s},
        {u"to-queue"_s, u"Refused: a task stays in its queue."_s, u"QUEUE"_s},
        {u"at"_s, u"When it runs: 2026-01-31T10:00:00Z, 14:02, today, or now."_s, u"TIME"_s},
    });
}

Result<PlannedCommand> plannedEditTask(const QCommandLineParser &parser, const Target &target)
{
    Selection selection;
    selection.edit = TRY(editIn(parser, word(Verb::EditTask)));
    selection.tasks = {TaskId{parser.positionalArguments().first()}};
    selection.queue = TRY(meantQueue(parser, target.profile));
    return plannedBy(operationFor(Verb::EditTask), selection);
}

} // namespace

Command editCommand()
{
    return {.name = word(Verb::Edit),
            .summary = u"Changes what one row sends: payload, type, queue, due time."_s,
            .addOptions = addEditOptions,
            .planned = plannedEdit};
}

Command editTaskCommand()
{
    return {.name = word(Verb::EditTask),
            .summary = u"Changes what one dead or waiting task holds: payload, type, time."_s,
            .addOptions = addEditTaskOptions,
            .planned = plannedEditTask};
}

} // namespace outbox
