// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `probe`: which tables look like an outbox, with which shape, how sure, and why.
#pragma once

#include "app/cli/commands/command.h"

namespace outbox {

class ProbeCommand : public Command
{
public:
    [[nodiscard]] QString name() const override;
    [[nodiscard]] QString summary() const override;
    [[nodiscard]] ExitCode run(const QCommandLineParser &parser, const Target &target,
                               const Printer &printer) const override;
};

} // namespace outbox
