// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the commands of all verbs have in common: the shared options, the plan, the consent.
#pragma once

#include "app/cli/commands/command.h"
#include "app/cli/run/operationrun.h"

namespace outbox {

/// Makes `own` a command that plans and carries out what `plannedOf` reads from the command line.
/// The shared options stand behind its own. `plannedOf` fails with Invalid for a command line that
/// cannot be understood.
[[nodiscard]] Command operationCommand(
    Command own,
    std::function<Result<PlannedCommand>(const QCommandLineParser &, const Target &)> plannedOf);

} // namespace outbox
