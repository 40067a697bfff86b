// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `list` and `tasks`: rows of the outbox and tasks of the queue, page by page.
#pragma once

#include "app/cli/commands/command.h"

namespace outbox {

class ListCommand : public Command
{
public:
    [[nodiscard]] QString name() const override;
    [[nodiscard]] QString summary() const override;
    void addOptions(QCommandLineParser &parser) const override;
    [[nodiscard]] ExitCode run(const QCommandLineParser &parser, const Target &target,
                               const Printer &printer) const override;
};

class TasksCommand : public Command
{
public:
    [[nodiscard]] QString name() const override;
    [[nodiscard]] QString summary() const override;
    void addOptions(QCommandLineParser &parser) const override;
    [[nodiscard]] ExitCode run(const QCommandLineParser &parser, const Target &target,
                               const Printer &printer) const override;
};

} // namespace outbox
