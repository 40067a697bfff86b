// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/reconcile/reconcile.h"
#include "app/operations/verbs/archive.h"
#include "app/operations/verbs/cancel.h"
#include "app/operations/verbs/delete.h"
#include "app/operations/verbs/enqueue.h"
#include "app/operations/verbs/import.h"
#include "app/operations/verbs/park.h"
#include "app/operations/verbs/purge.h"
#include "app/operations/verbs/queueswitch.h"
#include "app/operations/verbs/release.h"
#include "app/operations/verbs/replace.h"
#include "app/operations/verbs/replay.h"
#include "app/operations/verbs/run.h"
#include "app/operations/verbs/unreplay.h"

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
