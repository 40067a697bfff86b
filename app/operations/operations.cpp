// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/archive.h"
#include "app/operations/cancel.h"
#include "app/operations/delete.h"
#include "app/operations/enqueue.h"
#include "app/operations/import.h"
#include "app/operations/park.h"
#include "app/operations/purge.h"
#include "app/operations/queueswitch.h"
#include "app/operations/reconcile.h"
#include "app/operations/release.h"
#include "app/operations/replace.h"
#include "app/operations/replay.h"
#include "app/operations/run.h"
#include "app/operations/unreplay.h"

namespace outbox {

std::unique_ptr<Operation> operationFor(Verb verb)
{
    switch (verb) {
    case Verb::Replay:
        return std::make_unique<Replay>();
    case Verb::Purge:
        return std::make_unique<Purge>();
    case Verb::Release:
        return std::make_unique<Release>();
    case Verb::Import:
        return std::make_unique<Import>();
    case Verb::Run:
        return std::make_unique<Run>();
    case Verb::Archive:
        return std::make_unique<Archive>();
    case Verb::Delete:
        return std::make_unique<Delete>();
    case Verb::Replace:
        return std::make_unique<Replace>();
    case Verb::Cancel:
        return std::make_unique<Cancel>();
    case Verb::Pause:
        return std::make_unique<Pause>();
    case Verb::Unpause:
        return std::make_unique<Unpause>();
    case Verb::Enqueue:
        return std::make_unique<Enqueue>();
    case Verb::Unreplay:
        return std::make_unique<Unreplay>();
    case Verb::Park:
        return std::make_unique<Park>();
    case Verb::Unpark:
        return std::make_unique<Unpark>();
    case Verb::Reconcile:
        return std::make_unique<Reconcile>();
    }
    return {};
}

} // namespace outbox
