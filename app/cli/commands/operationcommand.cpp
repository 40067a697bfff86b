// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/operationcommand.h"

#include <QCommandLineParser>

namespace outbox {

Command operationCommand(
    Command own,
    std::function<Result<PlannedCommand>(const QCommandLineParser &, const Target &)> plannedOf)
{
    own.addOptions = [addOwn = std::move(own.addOptions)](QCommandLineParser &parser) {
        addOwn(parser);
        addOperationOptions(parser);
    };
    own.takesArguments = true;
    own.run = [plannedOf = std::move(plannedOf)](const QCommandLineParser &parser,
                                                 const Target &target, const Printer &printer) {
        const auto options = operationOptions(parser, target);
        if (!options) {
            return options.error().kind == Error::Kind::Invalid ? printer.usage(options.error())
                                                                : printer.error(options.error());
        }
        const auto command = plannedOf(parser, options->target);
        if (!command)
            return printer.usage(command.error());
        return OperationRun(printer, *options).run(*command);
    };
    return own;
}

} // namespace outbox
