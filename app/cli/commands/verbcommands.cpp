// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The verbs on rows, tasks and queues as commands: one table.
#include "app/cli/commands/command.h"

#include "models/operations/verbdescriptor.h"

#include <QCommandLineParser>
#include <QDir>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

void addVerbOptions(QCommandLineParser &parser, const VerbDescriptor &verb)
{
    if (verb.target == VerbTarget::Rows)
        addSelectionOptions(parser, u"row"_s);
    else if (verb.target == VerbTarget::Tasks)
        addSelectionOptions(parser, u"task"_s);
    else if (verb.target == VerbTarget::File)
        parser.addPositionalArgument(u"FILE"_s, u"An export."_s);
    if (verb.runsAgain)
        addSecondExecutionOption(parser);
    if (verb.trims)
        addTrimOption(parser);
}

Result<Selection> selectionOf(const QCommandLineParser &parser, const Profile &profile,
                              VerbTarget meant)
{
    const QStringList arguments = parser.positionalArguments();
    switch (meant) {
    case VerbTarget::Rows:
        return rowSelection(parser);
    case VerbTarget::Tasks:
        return taskSelection(parser, profile);
    case VerbTarget::Queue: {
        if (!arguments.isEmpty()) {
            return fail(Error::Kind::Invalid, u"reading the command line"_s,
                        u"\"%1\" is not expected here"_s.arg(arguments.first()), {},
                        u"Name the queue with --queue"_s);
        }
        Selection selection;
        selection.queue = TRY(meantQueue(parser, profile));
        return selection;
    }
    case VerbTarget::File:
    case VerbTarget::Other:
        break;
    }
    if (arguments.size() != 1) {
        return fail(Error::Kind::Invalid, u"reading the command line"_s,
                    u"one export file is needed"_s);
    }
    Selection selection;
    selection.file = QDir::current().absoluteFilePath(arguments.first());
    selection.queue.text = profile.queue;
    return selection;
}

Command verbCommand(const VerbDescriptor &verb)
{
    return {.name = word(verb.verb),
            .summary = QString::fromLatin1(verb.summary),
            .addOptions = [&verb](QCommandLineParser &parser) { addVerbOptions(parser, verb); },
            .planned = [&verb](const QCommandLineParser &parser,
                               const Target &target) -> Result<PlannedCommand> {
                auto selection = TRY(selectionOf(parser, target.profile, verb.target));
                return plannedBy(operationFor(verb.verb), std::move(selection));
            }};
}

} // namespace

QList<Command> verbCommands()
{
    QList<Command> commands;
    for (const VerbTarget target :
         {VerbTarget::Rows, VerbTarget::Tasks, VerbTarget::Queue, VerbTarget::File}) {
        for (const Verb verb : verbsFor(target))
            commands += verbCommand(descriptorOf(verb));
    }
    return commands;
}

} // namespace outbox
