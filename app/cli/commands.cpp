// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "app/cli/auditcommand.h"
#include "app/cli/democommand.h"
#include "app/cli/documentscommand.h"
#include "app/cli/enqueuetaskcommand.h"
#include "app/cli/exportcommand.h"
#include "app/cli/probecommand.h"
#include "app/cli/queuecommands.h"
#include "app/cli/reconcilecommand.h"
#include "app/cli/relaycommand.h"
#include "app/cli/rowcommands.h"
#include "app/cli/showcommand.h"
#include "app/cli/statuscommand.h"
#include "app/cli/tokenscommand.h"
#include "app/cli/verbcommands.h"

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
