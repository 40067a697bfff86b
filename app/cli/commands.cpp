// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/command.h"

#include "app/cli/commands/auditcommand.h"
#include "app/cli/commands/democommand.h"
#include "app/cli/commands/documentscommand.h"
#include "app/cli/commands/enqueuetaskcommand.h"
#include "app/cli/commands/exportcommand.h"
#include "app/cli/commands/probecommand.h"
#include "app/cli/commands/queuecommands.h"
#include "app/cli/commands/reconcilecommand.h"
#include "app/cli/commands/relaycommand.h"
#include "app/cli/commands/rowcommands.h"
#include "app/cli/commands/showcommand.h"
#include "app/cli/commands/statuscommand.h"
#include "app/cli/commands/tokenscommand.h"
#include "app/cli/commands/verbcommands.h"

namespace outbox {

std::vector<std::unique_ptr<Command>> allCommands()
{
    std::vector<std::unique_ptr<Command>> commands;
    commands.push_back(std::make_unique<StatusCommand>());
    commands.push_back(std::make_unique<WatchCommand>());
    commands.push_back(std::make_unique<ListCommand>());
    commands.push_back(std::make_unique<ShowCommand>());
    commands.push_back(std::make_unique<TasksCommand>());
    commands.push_back(std::make_unique<QueuesCommand>());
    commands.push_back(std::make_unique<ServersCommand>());
    commands.push_back(std::make_unique<RelayCommand>());
    for (auto &verb : verbCommands())
        commands.push_back(std::move(verb));
    commands.push_back(std::make_unique<ReconcileCommand>());
    commands.push_back(std::make_unique<DocumentsCommand>());
    commands.push_back(std::make_unique<TokensCommand>());
    commands.push_back(std::make_unique<ExportCommand>());
    commands.push_back(std::make_unique<EnqueueTaskCommand>());
    commands.push_back(std::make_unique<AuditCommand>());
    commands.push_back(std::make_unique<ProbeCommand>());
    commands.push_back(std::make_unique<CheckCommand>());
    commands.push_back(std::make_unique<DemoCommand>());
    return commands;
}

} // namespace outbox
