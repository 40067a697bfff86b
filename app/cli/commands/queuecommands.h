// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `queues` and `servers`: every queue that exists, and who works on them.
#pragma once

#include "app/cli/commands/command.h"

namespace outbox {

class QueuesCommand : public Command
{
public:
    [[nodiscard]] QString name() const override;
    [[nodiscard]] QString summary() const override;
    [[nodiscard]] ExitCode run(const QCommandLineParser &parser, const Target &target,
                               const Printer &printer) const override;
};

class ServersCommand : public Command
{
public:
    [[nodiscard]] QString name() const override;
    [[nodiscard]] QString summary() const override;
    [[nodiscard]] ExitCode run(const QCommandLineParser &parser, const Target &target,
                               const Printer &printer) const override;
};

} // namespace outbox
