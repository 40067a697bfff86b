// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// From a verb to its operation.
#include "app/operations/reconcile/reconcile.h"
#include "app/operations/verbs/verbs.h"

namespace outbox {

std::unique_ptr<Operation> operationFor(Verb verb)
{
    switch (verb) {
    case Verb::Replay:
        return makeReplay();
    case Verb::Purge:
        return makePurge();
    case Verb::Release:
        return makeRelease();
    case Verb::Import:
        return makeImport();
    case Verb::Run:
        return makeRun();
    case Verb::Archive:
        return makeArchive();
    case Verb::Delete:
        return makeDelete();
    case Verb::Replace:
        return makeReplace();
    case Verb::Cancel:
        return makeCancel();
    case Verb::Pause:
        return makePause();
    case Verb::Unpause:
        return makeUnpause();
    case Verb::Enqueue:
        return makeEnqueue();
    case Verb::Unreplay:
        return makeUnreplay();
    case Verb::Park:
        return makePark();
    case Verb::Unpark:
        return makeUnpark();
    case Verb::Reconcile:
        return std::make_unique<Reconcile>();
    }
    return {};
}

} // namespace outbox
