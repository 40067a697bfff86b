// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/verbcommands.h"

#include "app/cli/commands/operationcommand.h"
#include "models/operations/verbdescriptor.h"

#include <QCommandLineParser>
#include <QDir>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

class VerbCommand : public OperationCommand
{
public:
    explicit VerbCommand(const VerbDescriptor &verb) : m_verb(verb) { }

    [[nodiscard]] QString name() const override { return word(m_verb.verb); }
    [[nodiscard]] QString summary() const override { return QString::fromLatin1(m_verb.summary); }

protected:
    void addOwnOptions(QCommandLineParser &parser) const override
    {
        if (m_verb.target == VerbTarget::Rows)
            addSelectionOptions(parser, u"row"_s);
        else if (m_verb.target == VerbTarget::Tasks)
            addSelectionOptions(parser, u"task"_s);
        else if (m_verb.target == VerbTarget::File)
            parser.addPositionalArgument(u"FILE"_s, u"An export."_s);
        if (m_verb.runsAgain)
            addSecondExecutionOption(parser);
        if (m_verb.trims)
            addTrimOption(parser);
    }

    [[nodiscard]] Result<PlannedCommand> plannedCommandOf(const QCommandLineParser &parser,
                                                          const Target &target) const override
    {
        auto selection = selectionOf(parser, target.profile);
        if (!selection)
            return passOn(selection);
        const std::shared_ptr<const Operation> operation = operationFor(m_verb.verb);
        return PlannedCommand{
            [operation, selection = *selection](OperatorSession &session, const ScanControl &) {
                return operation->plan(session, selection);
            },
            operation};
    }

private:
    [[nodiscard]] Result<Selection> selectionOf(const QCommandLineParser &parser,
                                                const Profile &profile) const
    {
        const QStringList arguments = parser.positionalArguments();
        switch (m_verb.target) {
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
            selection.queue.text = profile.queue;
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

    const VerbDescriptor &m_verb;
};

} // namespace

std::vector<std::unique_ptr<Command>> verbCommands()
{
    std::vector<std::unique_ptr<Command>> commands;
    for (const VerbTarget target :
         {VerbTarget::Rows, VerbTarget::Tasks, VerbTarget::Queue, VerbTarget::File}) {
        for (const Verb verb : verbsFor(target))
            commands.push_back(std::make_unique<VerbCommand>(descriptorOf(verb)));
    }
    return commands;
}

} // namespace outbox
