// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/operationcommand.h"

#include <QCommandLineParser>

namespace outbox {

void OperationCommand::addOptions(QCommandLineParser &parser) const
{
    addOwnOptions(parser);
    addOperationOptions(parser);
}

ExitCode OperationCommand::run(const QCommandLineParser &parser, const Target &target,
                               const Printer &printer) const
{
    const auto options = operationOptions(parser, target);
    if (!options) {
        return options.error().kind == Error::Kind::Invalid ? printer.usage(options.error())
                                                            : printer.error(options.error());
    }
    const auto command = plannedCommandOf(parser, options->target);
    if (!command)
        return printer.usage(command.error());
    return OperationRun(printer, *options).run(*command);
}

} // namespace outbox
