// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The verbs on rows, tasks and queues as commands: one table, one class.
#pragma once

#include "app/cli/commands/command.h"

#include <memory>
#include <vector>

namespace outbox {

/// One for each verb that a person points at rows, tasks, a queue or a file.
[[nodiscard]] std::vector<std::unique_ptr<Command>> verbCommands();

} // namespace outbox
