// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One subcommand of outboxctl: its name, its own options, and what it does.
#pragma once

#include "app/cli/output/printer.h"
#include "app/cli/run/operationrun.h"
#include "app/system/sources/target.h"
#include "models/result.h"

#include <QString>

#include <functional>

class QCommandLineParser;

namespace outbox {

/// Commands run in the main thread with an event loop at hand; they block as they like.
struct Command
{
    QString name;
    QString summary;
    /// Adds the command's own options and positional arguments, where it has any.
    std::function<void(QCommandLineParser &)> addOptions = {};
    /// What it does; an error is printed and tells the exit code.
    std::function<Result<ExitCode>(const QCommandLineParser &, const Target &, const Printer &)> run
        = {};
    /// In place of `run`, of a command that acts: what the command line asks for, to be planned and
    /// carried out. The options that all of them share stand behind its own. Fails with Invalid for
    /// a command line that cannot be understood.
    std::function<Result<PlannedCommand>(const QCommandLineParser &, const Target &)> planned = {};
    /// True where `run` reads what stands behind the options, as `planned` always does. All else
    /// refuses it: a word that was lost, as of a filter without quotes, changes what is meant.
    bool takesArguments = false;
    /// False for the few that need no database and no queue named.
    bool needsTarget = true;
};

[[nodiscard]] Command auditCommand();
[[nodiscard]] Command checkCommand(); ///< in statuscommand.cpp
[[nodiscard]] Command compareCommand();
[[nodiscard]] Command demoCommand();
[[nodiscard]] Command documentsCommand();
[[nodiscard]] Command editCommand();
[[nodiscard]] Command editTaskCommand(); ///< in editcommand.cpp
[[nodiscard]] Command enqueueTaskCommand();
[[nodiscard]] Command exportCommand();
[[nodiscard]] Command fleetCommand();
[[nodiscard]] Command listCommand(); ///< in rowcommands.cpp
[[nodiscard]] Command probeCommand();
[[nodiscard]] Command queuesCommand();
[[nodiscard]] Command reconcileCommand();
[[nodiscard]] Command relayCommand();
[[nodiscard]] Command serversCommand(); ///< in queuecommands.cpp
[[nodiscard]] Command showCommand();
[[nodiscard]] Command statusCommand();
[[nodiscard]] Command tasksCommand(); ///< in rowcommands.cpp
[[nodiscard]] Command tokensCommand();
[[nodiscard]] Command watchCommand(); ///< in statuscommand.cpp
/// One for each verb that a person points at rows, tasks, a queue or a file.
[[nodiscard]] QList<Command> verbCommands();

/// Finds the command in `arguments` and runs it; the whole of outboxctl but for main().
[[nodiscard]] int runCommandLine(const QStringList &arguments);

} // namespace outbox
