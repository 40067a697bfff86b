// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/command.h"

#include "models/result.h"

#include <QCommandLineParser>
#include <QCoreApplication>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// All commands, in the order the help lists them.
QList<Command> allCommands()
{
    QList<Command> commands{statusCommand(), watchCommand(),   listCommand(),
                            showCommand(),   compareCommand(), tasksCommand(),
                            queuesCommand(), serversCommand(), relayCommand()};
    commands += verbCommands();
    commands += {editCommand(),   editTaskCommand(), reconcileCommand(),   documentsCommand(),
                 tokensCommand(), exportCommand(),   enqueueTaskCommand(), auditCommand(),
                 probeCommand(),  checkCommand(),    fleetCommand(),       demoCommand()};
    return commands;
}

QString overview(const QList<Command> &commands)
{
    QList<QStringList> rows;
    for (const Command &command : commands)
        rows += QStringList{u"  "_s + command.name, command.summary};
    return u"Usage: outboxctl COMMAND [OPTIONS]\n\n"
           u"Looks at a transactional outbox and its queue, and runs the relay between them.\n\n"
           u"Commands:\n"_s
        + tableText(rows)
        + u"\n\nThe options of a command: outboxctl COMMAND --help\n"
          u"Exit codes: 0 ok, 1 failed, 2 usage, 3 nothing matched, 4 could not connect, 5 "
          u"refused,\n"
          u"6 done in part, 75 temporary failure, 78 bad configuration."_s;
}

/// Plans what the command line asks for, and carries it out where that is confirmed.
Result<ExitCode> planAndAct(const Command &command, const QCommandLineParser &parser,
                            const Target &target, const Printer &printer)
{
    const auto options = operationOptions(parser, target);
    if (!options) {
        return options.error().kind == Error::Kind::Invalid ? printer.usage(options.error())
                                                            : printer.error(options.error());
    }
    const auto planned = command.planned(parser, options->target);
    if (!planned)
        return printer.usage(planned.error());
    return OperationRun(printer, *options).run(*planned);
}

} // namespace

int runCommandLine(const QStringList &arguments)
{
    const QList<Command> commands = allCommands();
    const QString name = arguments.value(1);
    const Printer plain(false);
    if (name.isEmpty() || name == u"--help" || name == u"-h" || name == u"help") {
        plain.line(overview(commands));
        return static_cast<int>(name.isEmpty() ? ExitCode::Usage : ExitCode::Ok);
    }
    if (name == u"--version" || name == u"-v") {
        plain.line(u"outboxctl "_s + QCoreApplication::applicationVersion());
        return static_cast<int>(ExitCode::Ok);
    }
    const auto command = std::find_if(commands.begin(), commands.end(),
                                      [&name](const Command &one) { return one.name == name; });
    if (command == commands.end()) {
        return static_cast<int>(
            plain.usage(u"there is no command \"%1\""_s.arg(name), u"See: outboxctl --help"_s));
    }

    QCommandLineParser parser;
    parser.setApplicationDescription(u"outboxctl "_s + command->name + u": "_s + command->summary);
    const QCommandLineOption help({u"h"_s, u"help"_s}, u"Shows this help."_s);
    const QCommandLineOption json(u"json"_s, u"Machine output on stdout."_s);
    parser.addOptions({help, json});
    if (command->needsTarget)
        addTargetOptions(parser);
    if (command->addOptions)
        command->addOptions(parser);
    if (command->planned)
        addOperationOptions(parser);

    QStringList rest = arguments;
    rest.removeAt(1);
    const bool parsed = parser.parse(rest);
    const Printer printer(parser.isSet(json));
    if (parser.isSet(help)) {
        QString text = parser.helpText();
        // Qt knows nothing of commands.
        const qsizetype options = text.indexOf(u" [options]"_s);
        plain.line(text.replace(0, std::max<qsizetype>(options, 0), u"Usage: outboxctl "_s + name));
        return static_cast<int>(ExitCode::Ok);
    }
    if (!parsed)
        return static_cast<int>(
            printer.usage(parser.errorText(), u"See: outboxctl %1 --help"_s.arg(name)));
    const QStringList surplus = parser.positionalArguments();
    if (!command->planned && !command->takesArguments && !surplus.isEmpty()) {
        return static_cast<int>(
            printer.usage(u"\"%1\" is not expected here"_s.arg(surplus.constFirst()),
                          u"See: outboxctl %1 --help"_s.arg(name)));
    }

    Target target;
    if (command->needsTarget) {
        auto found = targetOf(
            parser, [&printer](const QString &text) { printer.note(u"outboxctl: "_s + text); });
        if (!found)
            return static_cast<int>(printer.error(found.error()));
        target = std::move(*found);
    }
    const auto code = command->planned ? planAndAct(*command, parser, target, printer)
                                       : command->run(parser, target, printer);
    return static_cast<int>(code ? *code : printer.error(code.error()));
}

} // namespace outbox
