// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// From what was done to the plan that takes it back.
#include "app/operations/core/operation.h"
#include "app/operations/core/operationlog.h"

#include <optional>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// The verb that takes this one back; nullopt: none does.
std::optional<Verb> undoOf(Verb verb)
{
    switch (verb) {
    case Verb::Replay:
        return Verb::Unreplay;
    case Verb::Purge:
    case Verb::Delete:
    case Verb::Replace:
    case Verb::Reconcile:
    case Verb::Archive: // only of what made room is more left than a place
        return Verb::Import;
    case Verb::Run:
        return Verb::Archive;
    case Verb::Enqueue:
        return Verb::Delete;
    case Verb::Pause:
        return Verb::Unpause;
    case Verb::Unpause:
        return Verb::Pause;
    case Verb::Park:
        return Verb::Unpark;
    case Verb::Unpark:
        return Verb::Park;
    case Verb::Unreplay:
    case Verb::Import:
    case Verb::Release:
    case Verb::Cancel:
        break;
    }
    return std::nullopt;
}

Result<Plan> planOf(OperatorSession &session, const Activity &activity)
{
    if (const auto undo = undoOf(*activity.verb))
        return operationFor(*undo)->planUndoing(session, activity);
    if (*activity.verb == Verb::Unreplay)
        return cannotUndo(activity, u"it was an undo itself"_s, u"Replay the rows again"_s);
    if (*activity.verb == Verb::Import) {
        return cannotUndo(activity, u"it was an undo itself"_s,
                          u"Purge the rows, or delete the tasks"_s);
    }
    return cannotUndo(activity, u"there is no way back"_s);
}

} // namespace

Result<Plan> planUndo(OperatorSession &session, const Activity &activity)
{
    const QString what = activity.verb ? label(*activity.verb) : activity.what;
    if (auto sound = checkRecord(activity, u"taking back: "_s + what); !sound)
        return passOn(sound);
    if (!activity.verb)
        return cannotUndo(activity, u"it changed no message"_s);
    if (activity.profile != session.profile().name || activity.target != session.target()) {
        return cannotUndo(activity, u"it was done on another system (%1)"_s.arg(activity.target),
                          u"Open that system first"_s);
    }
    // What has ended but left nothing to take back is told by its verb, with what to do instead.
    const bool ended = activity.state == Activity::State::Done
        || activity.state == Activity::State::Partly || activity.state == Activity::State::Failed
        || activity.state == Activity::State::Cancelled;
    if (!ended)
        return cannotUndo(activity, undoObstacle(activity));
    auto plan = planOf(session, activity);
    if (plan)
        plan->undoOf = activity.operation;
    return plan;
}

} // namespace outbox
