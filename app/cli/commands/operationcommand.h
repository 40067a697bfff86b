// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the commands of all verbs have in common: the shared options, the plan, the consent.
#pragma once

#include "app/cli/commands/command.h"
#include "app/cli/run/operationrun.h"

namespace outbox {

/// A subclass adds its own options and says what is to be done.
class OperationCommand : public Command
{
public:
    void addOptions(QCommandLineParser &parser) const final;
    [[nodiscard]] bool takesArguments() const final { return true; }
    [[nodiscard]] ExitCode run(const QCommandLineParser &parser, const Target &target,
                               const Printer &printer) const final;

protected:
    virtual void addOwnOptions(QCommandLineParser &parser) const = 0;
    /// Fails with Invalid for a command line that cannot be understood.
    [[nodiscard]] virtual Result<PlannedCommand> plannedCommandOf(const QCommandLineParser &parser,
                                                                  const Target &target) const = 0;
};

} // namespace outbox
