// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// From what was done to the plan that takes it back.
#include "app/operations/core/operationlog.h"
#include "app/operations/core/traces.h"
#include "app/operations/verbs/archive.h"
#include "app/operations/verbs/delete.h"
#include "app/operations/verbs/import.h"
#include "app/operations/verbs/park.h"
#include "app/operations/verbs/queueswitch.h"
#include "app/operations/verbs/unreplay.h"

#include <QHash>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

Failure cannot(const Activity &activity, const QString &why, const QString &hint = {})
{
    const QString what = activity.verb ? label(*activity.verb) : activity.what;
    return fail(Error::Kind::Refused, u"taking back: "_s + what, why, {}, hint);
}

/// Leaves alone what is not as the act left it.
void keepMoved(Plan &plan, const QHash<TaskId, QString> &left)
{
    for (PlanItem &item : plan.items) {
        const QString now = taskAfter(item.taskSeen->state, item.taskSeen->stamp);
        if (item.isActedOn() && now != left.value(item.task)) {
            item.expected = Outcome::NotOffered;
            item.reason = u"It has moved on since"_s;
        }
    }
}

/// Tasks that were run from the archive go back there, as long as they are pending as they were
/// left.
Result<Plan> archiveAgain(OperatorSession &session, const Activity &run)
{
    Selection selection;
    QHash<TaskId, QString> left;
    QList<PlanItem> others;
    for (const AuditedItem &item : run.items) {
        if (outcomeOf(item) != Outcome::Done)
            continue;
        const Trace before = Trace::fromText(item.before);
        if (before.task == TaskState::Archived) {
            selection.queue.text = item.queue;
            selection.tasks += TaskId{item.task};
            left.insert({item.task}, afterOf(item));
            continue;
        }
        PlanItem other;
        other.task.text = item.task;
        other.queue.text = item.queue;
        other.expected = Outcome::NotOffered;
        other.reason = u"It was %1 before: its former place cannot be restored"_s.arg(
            before.task ? label(*before.task).toLower() : u"elsewhere"_s);
        others += other;
    }
    if (selection.tasks.isEmpty())
        return cannot(run, u"none of its tasks came from the archive"_s);
    auto plan
        = Archive().planNarrowed(session, selection, [&left](Plan &all) { keepMoved(all, left); });
    if (!plan)
        return plan;
    plan->items += others;
    return plan;
}

/// Tasks that were made by hand go, as long as no worker has taken them.
Result<Plan> deleteAgain(OperatorSession &session, const Activity &enqueue)
{
    Selection selection;
    QHash<TaskId, QString> left;
    for (const AuditedItem &item : enqueue.items) {
        if (outcomeOf(item) != Outcome::Done)
            continue;
        selection.queue.text = item.queue;
        selection.tasks += TaskId{item.task};
        left.insert({item.task}, afterOf(item));
    }
    if (selection.tasks.isEmpty())
        return cannot(enqueue, u"no task was made"_s);
    auto plan = Delete().plan(session, selection);
    if (plan)
        keepMoved(*plan, left);
    return plan;
}

Result<Plan> switchBack(OperatorSession &session, const Activity &activity, const QueueSwitch &by)
{
    Selection selection;
    if (!activity.items.isEmpty())
        selection.queue.text = activity.items.first().queue;
    return by.plan(session, selection);
}

/// From the very file that was written before the act.
Result<Plan> putBack(OperatorSession &session, const Activity &activity)
{
    auto plan = Import().planFor(session, activity);
    if (plan && plan->fileChecksum != activity.exportChecksum) {
        return fail(
            Error::Kind::Conflict, u"taking back: "_s + label(*activity.verb),
            u"%1 is not the file that was exported: its checksum is not the one in the record"_s
                .arg(activity.exportFile),
            {}, u"Put the exported file back in its place, or import this one by itself"_s);
    }
    return plan;
}

/// Rows that were set aside go back, or the other way round.
Result<Plan> parkedOtherwise(OperatorSession &session, const Activity &activity,
                             const Operation &by)
{
    Selection selection;
    for (const AuditedItem &item : activity.items) {
        if (outcomeOf(item) == Outcome::Done)
            selection.rows += MessageId{item.row};
    }
    if (selection.rows.isEmpty())
        return cannot(activity, u"none of its rows was changed"_s);
    return by.plan(session, selection);
}

Result<Plan> planOf(OperatorSession &session, const Activity &activity)
{
    switch (*activity.verb) {
    case Verb::Replay:
        return Unreplay().planFor(session, activity);
    case Verb::Purge:
    case Verb::Delete:
    case Verb::Replace:
    case Verb::Reconcile:
        if (activity.exportFile.isEmpty())
            return cannot(activity, u"nothing was exported"_s);
        return putBack(session, activity);
    case Verb::Run:
        return archiveAgain(session, activity);
    case Verb::Enqueue:
        return deleteAgain(session, activity);
    case Verb::Pause:
        return switchBack(session, activity, Unpause());
    case Verb::Unpause:
        return switchBack(session, activity, Pause());
    case Verb::Park:
        return parkedOtherwise(session, activity, Unpark());
    case Verb::Unpark:
        return parkedOtherwise(session, activity, Park());
    case Verb::Archive: // only of what made room is more left than a place
        if (std::any_of(activity.items.begin(), activity.items.end(), wasTrimmed))
            return Import().planFor(session, activity);
        return cannot(activity, u"the former place of a task cannot be restored"_s,
                      u"Run the tasks to make them pending again"_s);
    case Verb::Unreplay:
        return cannot(activity, u"it was an undo itself"_s, u"Replay the rows again"_s);
    case Verb::Import:
        return cannot(activity, u"it was an undo itself"_s,
                      u"Purge the rows, or delete the tasks"_s);
    case Verb::Release:
    case Verb::Cancel:
        break;
    }
    return cannot(activity, u"there is no way back"_s);
}

} // namespace

Result<Plan> planUndo(OperatorSession &session, const Activity &activity)
{
    const QString what = activity.verb ? label(*activity.verb) : activity.what;
    if (auto sound = checkRecord(activity, u"taking back: "_s + what); !sound)
        return passOn(sound);
    if (!activity.verb)
        return cannot(activity, u"it changed no message"_s);
    if (activity.profile != session.profile().name || activity.target != session.target()) {
        return cannot(activity, u"it was done on another system (%1)"_s.arg(activity.target),
                      u"Open that system first"_s);
    }
    // What has ended but left nothing to take back is told by its verb, with what to do instead.
    const bool ended = activity.state == Activity::State::Done
        || activity.state == Activity::State::Partly || activity.state == Activity::State::Failed
        || activity.state == Activity::State::Cancelled;
    if (!ended)
        return cannot(activity, undoObstacle(activity));
    auto plan = planOf(session, activity);
    if (plan)
        plan->undoOf = activity.operation;
    return plan;
}

} // namespace outbox
