// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `enqueue TYPE`: one task by hand.
#pragma once

#include "app/cli/commands/operationcommand.h"

namespace outbox {

/// Errors: Invalid for a command line that cannot be understood.
class EnqueueTaskCommand : public OperationCommand
{
public:
    [[nodiscard]] QString name() const override;
    [[nodiscard]] QString summary() const override;

protected:
    void addOwnOptions(QCommandLineParser &parser) const override;
    [[nodiscard]] Result<PlannedCommand> plannedCommandOf(const QCommandLineParser &parser,
                                                          const Target &target) const override;
};

} // namespace outbox
