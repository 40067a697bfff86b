// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// From a verb to its operation, and from what was done to the plan that takes it back.
#include "app/operations/core/operationlog.h"
#include "app/operations/verbs/verbs.h"
#include "models/operations/verbdescriptor.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

Result<Plan> planOf(OperatorSession &session, const Activity &activity)
{
    const VerbDescriptor &verb = descriptorOf(*activity.verb);
    if (verb.undoneBy)
        return operationFor(*verb.undoneBy)->planUndoing(session, activity);
    return cannotUndo(activity, QString::fromLatin1(verb.noUndo),
                      QString::fromLatin1(verb.insteadOfUndo));
}

} // namespace

std::unique_ptr<Operation> operationFor(Verb verb)
{
#define OUTBOX_VERB_CASE(name)                                                                     \
    case Verb::name:                                                                               \
        return make##name();
    switch (verb) {
        OUTBOX_VERBS(OUTBOX_VERB_CASE)
    }
#undef OUTBOX_VERB_CASE
    return {};
}

Result<Plan> planUndo(OperatorSession &session, const Activity &activity)
{
    const QString what = activity.verb ? label(*activity.verb) : activity.what;
    TRY(checkRecord(activity, u"undoing: "_s + what));
    if (!activity.verb)
        return cannotUndo(activity, u"it changed no message"_s);
    if (activity.profile != session.profile().name || activity.target != session.target()) {
        return cannotUndo(activity, u"it was done on another system (%1)"_s.arg(activity.target),
                          u"Open that system first"_s);
    }
    // What has ended but left nothing to undo is told by its verb, with what to do instead.
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
