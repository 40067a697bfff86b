// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `show`: one message from every side.
#pragma once

#include "app/cli/commands/command.h"

namespace outbox {

class ShowCommand : public Command
{
public:
    [[nodiscard]] QString name() const override;
    [[nodiscard]] QString summary() const override;
    void addOptions(QCommandLineParser &parser) const override;
    [[nodiscard]] bool takesArguments() const override { return true; }
    [[nodiscard]] ExitCode run(const QCommandLineParser &parser, const Target &target,
                               const Printer &printer) const override;
};

} // namespace outbox
