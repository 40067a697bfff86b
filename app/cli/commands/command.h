// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One subcommand of outboxctl: its name, its own options, and what it does.
#pragma once

#include "app/cli/output/printer.h"
#include "app/system/sources/target.h"

#include <QString>

#include <memory>
#include <vector>

class QCommandLineParser;

namespace outbox {

/// Commands run in the main thread with an event loop at hand; they block as they like.
class Command
{
public:
    virtual ~Command() = default;
    [[nodiscard]] virtual QString name() const = 0;
    [[nodiscard]] virtual QString summary() const = 0;
    /// Adds the command's own options and positional arguments.
    virtual void addOptions(QCommandLineParser &) const { }
    /// True where `run` reads what stands behind the options. All else refuses it: a word that was
    /// lost, as of a filter without quotes, changes what is meant.
    [[nodiscard]] virtual bool takesArguments() const { return false; }
    /// False for the few that need no database and no queue named.
    [[nodiscard]] virtual bool needsTarget() const { return true; }
    [[nodiscard]] virtual ExitCode run(const QCommandLineParser &parser, const Target &target,
                                       const Printer &printer) const = 0;
};

/// All commands, in the order the help lists them.
[[nodiscard]] std::vector<std::unique_ptr<Command>> allCommands();

/// Finds the command in `arguments` and runs it; the whole of outboxctl but for main().
[[nodiscard]] int runCommandLine(const QStringList &arguments);

} // namespace outbox
