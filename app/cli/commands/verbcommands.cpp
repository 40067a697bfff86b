// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/verbcommands.h"

#include "app/cli/commands/operationcommand.h"

#include <QCommandLineParser>
#include <QDir>

#include <array>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// What a verb is pointed at.
enum class Points { AtRows, AtTasks, AtQueue, AtFile };

struct VerbWords
{
    Verb verb;
    const char *summary;
    Points points;
    bool runsAgain = false; ///< may execute what ran before, or may have run
    bool trims = false;
};

constexpr std::array verbs{
    VerbWords{Verb::Replay, "Opens processed rows again, so that the relay delivers them.",
              Points::AtRows, true},
    VerbWords{Verb::Purge, "Deletes rows, after an export.", Points::AtRows},
    VerbWords{Verb::Release, "Takes the lease of a dead owner off rows.", Points::AtRows},
    VerbWords{Verb::Park, "Sets rows aside: no relay claims them.", Points::AtRows},
    VerbWords{Verb::Unpark, "Lets relays have rows that were set aside.", Points::AtRows},
    VerbWords{Verb::Run, "Moves tasks to pending: they run next.", Points::AtTasks, true},
    VerbWords{Verb::Archive, "Moves tasks to the archive, where they rest.", Points::AtTasks, false,
              true},
    VerbWords{Verb::Delete, "Removes tasks and frees their ids, after an export.", Points::AtTasks},
    VerbWords{Verb::Replace, "Removes tasks and enqueues the same messages afresh.",
              Points::AtTasks, true},
    VerbWords{Verb::Cancel, "Asks the workers that run tasks to give up; best effort.",
              Points::AtTasks},
    VerbWords{Verb::Pause, "Workers take nothing more from the queue.", Points::AtQueue},
    VerbWords{Verb::Unpause, "Workers take tasks from the queue again.", Points::AtQueue},
    VerbWords{Verb::Import, "Puts exported rows and tasks back, with their own ids.",
              Points::AtFile, true},
};

class VerbCommand : public OperationCommand
{
public:
    explicit VerbCommand(const VerbWords &words) : m_words(words) { }

    [[nodiscard]] QString name() const override { return word(m_words.verb); }
    [[nodiscard]] QString summary() const override { return QString::fromLatin1(m_words.summary); }

protected:
    void addOwnOptions(QCommandLineParser &parser) const override
    {
        if (m_words.points == Points::AtRows)
            addSelectionOptions(parser, u"row"_s);
        else if (m_words.points == Points::AtTasks)
            addSelectionOptions(parser, u"task"_s);
        else if (m_words.points == Points::AtFile)
            parser.addPositionalArgument(u"FILE"_s, u"An export."_s);
        if (m_words.runsAgain)
            addSecondExecutionOption(parser);
        if (m_words.trims)
            addTrimOption(parser);
    }

    [[nodiscard]] Result<PlannedCommand> plannedCommandOf(const QCommandLineParser &parser,
                                                          const Target &target) const override
    {
        auto selection = selectionOf(parser, target.profile);
        if (!selection)
            return passOn(selection);
        const std::shared_ptr<const Operation> operation = operationFor(m_words.verb);
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
        switch (m_words.points) {
        case Points::AtRows:
            return rowSelection(parser);
        case Points::AtTasks:
            return taskSelection(parser, profile);
        case Points::AtQueue: {
            if (!arguments.isEmpty()) {
                return fail(Error::Kind::Invalid, u"reading the command line"_s,
                            u"\"%1\" is not expected here"_s.arg(arguments.first()), {},
                            u"Name the queue with --queue"_s);
            }
            Selection selection;
            selection.queue.text = profile.queue;
            return selection;
        }
        case Points::AtFile:
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

    const VerbWords &m_words;
};

} // namespace

std::vector<std::unique_ptr<Command>> verbCommands()
{
    std::vector<std::unique_ptr<Command>> commands;
    commands.reserve(verbs.size());
    for (const VerbWords &words : verbs)
        commands.push_back(std::make_unique<VerbCommand>(words));
    return commands;
}

} // namespace outbox
