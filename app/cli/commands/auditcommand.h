// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `audit`: what was done from here, whether the record is whole, and the way back.
#pragma once

#include "app/cli/commands/command.h"

namespace outbox {

class AuditCommand : public Command
{
public:
    [[nodiscard]] QString name() const override;
    [[nodiscard]] QString summary() const override;
    void addOptions(QCommandLineParser &parser) const override;
    /// The record is a file; only undo and check need the system that they speak of.
    [[nodiscard]] bool needsTarget() const override { return false; }
    [[nodiscard]] ExitCode run(const QCommandLineParser &parser, const Target &target,
                               const Printer &printer) const override;
};

} // namespace outbox
