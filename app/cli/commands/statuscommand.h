// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `status`, `watch` and `check`: one look, looks until stopped, and the health sentence as an exit
// code.
#pragma once

#include "app/cli/commands/command.h"

namespace outbox {

class StatusCommand : public Command
{
public:
    [[nodiscard]] QString name() const override;
    [[nodiscard]] QString summary() const override;
    void addOptions(QCommandLineParser &parser) const override;
    [[nodiscard]] ExitCode run(const QCommandLineParser &parser, const Target &target,
                               const Printer &printer) const override;
};

class WatchCommand : public Command
{
public:
    [[nodiscard]] QString name() const override;
    [[nodiscard]] QString summary() const override;
    void addOptions(QCommandLineParser &parser) const override;
    [[nodiscard]] ExitCode run(const QCommandLineParser &parser, const Target &target,
                               const Printer &printer) const override;
};

class CheckCommand : public Command
{
public:
    [[nodiscard]] QString name() const override;
    [[nodiscard]] QString summary() const override;
    void addOptions(QCommandLineParser &parser) const override;
    [[nodiscard]] ExitCode run(const QCommandLineParser &parser, const Target &target,
                               const Printer &printer) const override;
};

} // namespace outbox
