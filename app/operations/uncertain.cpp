// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What became of messages whose chunk has no answer: told by how they stand now.
#include "app/operations/core/operation.h"
#include "app/operations/core/operationlog.h"
#include "app/operations/core/rowselection.h"
#include "app/operations/core/traces.h"
#include "models/message/tombstone.h"

#include <QHash>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// An outcome, and what undo must find.
struct Found
{
    Outcome outcome = Outcome::InDoubt;
    QString after;

    [[nodiscard]] QString text() const
    {
        return after.isEmpty() ? word(outcome) : QString(word(outcome) + u' ' + after);
    }
};

/// A purge that came through leaves the task of a processed row as it was, and its own tombstone
/// under a pending one: another task than the one that was seen is a relay's.
bool wasDelivered(const Trace &before, const RowWithTask &now)
{
    return now.taskSeen && now.taskSeen->state != TaskState::None
        && before.task.value_or(TaskState::None) == TaskState::None
        && !isTombstone(now.taskSeen->type);
}

/// A row whose version is the one seen before was not written to; every write changes it.
Found foundRow(Verb verb, const Trace &before, const RowWithTask &now)
{
    if (verb == Verb::Import)
        return {now.row ? Outcome::Done : Outcome::Cancelled, {}};
    if (!now.row)
        return {verb != Verb::Purge             ? Outcome::Gone
                    : wasDelivered(before, now) ? Outcome::Changed
                                                : Outcome::Done,
                {}};
    const Message &row = *now.row;
    if (row.version == before.version) {
        const bool sameTask = verb != Verb::Reconcile || !before.task || !now.taskSeen
            || (now.taskSeen->state == *before.task && now.taskSeen->stamp == before.stamp);
        return {sameTask ? Outcome::Cancelled : Outcome::Done, {}};
    }
    const bool processed = row.state == MessageState::Processed;
    switch (verb) {
    case Verb::Replay:
        if (!processed)
            return {Outcome::Done, row.version};
        // Processed anew: a relay has delivered what was reopened.
        return {row.processed == before.processed ? Outcome::Changed : Outcome::Done, {}};
    case Verb::Unreplay:
        return {processed ? Outcome::Done : Outcome::Changed, processed ? row.version : QString()};
    case Verb::Release:
        return {row.leaseUntil ? Outcome::Changed : Outcome::Done, {}};
    case Verb::Reconcile:
        return {Outcome::Done, {}};
    default:
        return {Outcome::Changed, {}};
    }
}

Found foundTask(Verb verb, const Trace &before, const TaskSeen &now)
{
    const QString after = taskAfter(now.state, now.stamp);
    const bool same = before.task == now.state && before.stamp == now.stamp;
    switch (verb) {
    case Verb::Import:
        return {now.state == TaskState::None ? Outcome::Cancelled : Outcome::Done, {}};
    case Verb::Enqueue:
        return now.state == TaskState::None ? Found{Outcome::Cancelled, {}}
                                            : Found{Outcome::Done, after};
    case Verb::Cancel: // a lease is prolonged all the time: only the state tells
        return {now.state == TaskState::Active ? Outcome::Cancelled : Outcome::Done, {}};
    case Verb::Delete:
        if (now.state == TaskState::None)
            return {Outcome::Done, {}};
        break;
    case Verb::Archive:
        // What stood in the archive had to leave it.
        if (now.state
            == (before.task == TaskState::Archived ? TaskState::None : TaskState::Archived))
            return {Outcome::Done, after};
        break;
    case Verb::Run:
    case Verb::Replace:
    case Verb::Reconcile:
        if (!same)
            return {Outcome::Done, now.state == TaskState::Pending ? after : QString()};
        break;
    default:
        break;
    }
    return {same ? Outcome::Cancelled : Outcome::Changed, {}};
}

Result<QHash<QString, RowWithTask>> rowsOf(OperatorSession &session,
                                           const QList<AuditedItem> &items)
{
    QList<MessageId> ids;
    QHash<MessageId, TaskId> tasks;
    for (const AuditedItem &item : items) {
        if (item.row.isEmpty())
            continue;
        ids += MessageId{item.row};
        if (!item.task.isEmpty())
            tasks.insert({item.row}, {item.task});
    }
    QHash<QString, RowWithTask> rows;
    if (ids.isEmpty())
        return rows;
    const auto seen = readRowsOf(session, ids, tasks);
    if (!seen)
        return passOn(seen);
    for (const RowWithTask &row : *seen)
        rows.insert(row.id.text, row);
    return rows;
}

/// By queue and task id.
Result<QHash<std::pair<QString, QString>, TaskSeen>> tasksOf(OperatorSession &session,
                                                             const QList<AuditedItem> &items)
{
    QList<PlanItem> wanted;
    for (const AuditedItem &item : items) {
        if (item.row.isEmpty() && !item.task.isEmpty()) {
            PlanItem one;
            one.task.text = item.task;
            one.queue.text = item.queue;
            wanted += one;
        }
    }
    QHash<std::pair<QString, QString>, TaskSeen> tasks;
    if (wanted.isEmpty())
        return tasks;
    const auto seen = readTasksOf(session, wanted);
    if (!seen)
        return passOn(seen);
    for (qsizetype i = 0; i < wanted.size(); ++i)
        tasks.insert({wanted.at(i).queue.text, wanted.at(i).task.text}, seen->at(i));
    return tasks;
}

Result<Found> foundQueue(OperatorSession &session, Verb verb, const QueueName &queue)
{
    const auto inspector = session.tasks();
    if (!inspector)
        return passOn(inspector);
    const auto sizes = (*inspector)->snapshot({queue});
    if (!sizes)
        return passOn(sizes);
    const bool done = sizes->value(0).paused == (verb == Verb::Pause);
    return Found{done ? Outcome::Done : Outcome::Cancelled, {}};
}

/// The row itself was not written to: where it is parked tells.
Result<Found> foundParking(OperatorSession &session, Verb verb, const MessageId &id)
{
    const auto parked = parkedRowsOf(session);
    if (!parked)
        return passOn(parked);
    const bool done = parked->contains(id) == (verb == Verb::Park);
    return Found{done ? Outcome::Done : Outcome::Cancelled, {}};
}

/// What can be taken back once it is known to be done.
bool hasUndo(Verb verb, const Activity &activity, const AuditedItem &item)
{
    switch (verb) {
    case Verb::Replay:
    case Verb::Run:
    case Verb::Enqueue:
    case Verb::Pause:
    case Verb::Unpause:
    case Verb::Park:
    case Verb::Unpark:
        return true;
    case Verb::Archive:
        return !activity.exportFile.isEmpty() && wasTrimmed(item);
    default:
        return !activity.exportFile.isEmpty();
    }
}

} // namespace

Result<Activity> checkDoubt(OperatorSession &session, const Activity &activity)
{
    if (auto sound = checkRecord(activity, u"looking at what is in doubt"_s); !sound)
        return passOn(sound);
    if (!activity.verb || activity.doubtful.isEmpty())
        return activity;
    const Verb verb = *activity.verb;
    if (activity.profile != session.profile().name || activity.target != session.target()) {
        return fail(Error::Kind::Refused, u"looking at what is in doubt"_s,
                    u"it was done on another system (%1)"_s.arg(activity.target), {},
                    u"Open that system first"_s);
    }
    if (session.profile().design) {
        return fail(Error::Kind::Unsupported, u"looking at what is in doubt"_s,
                    u"what became of entries and tokens is not told by rows and tasks"_s, {},
                    u"Look at the documents: what is done is not offered again, and repeating the"
                    " rest is safe"_s);
    }
    const auto rows = rowsOf(session, activity.doubtful);
    if (!rows)
        return passOn(rows);
    const auto tasks = tasksOf(session, activity.doubtful);
    if (!tasks)
        return passOn(tasks);

    AuditEntry entry;
    entry.kind = AuditEntry::Kind::Check;
    entry.operation = activity.operation;
    entry.who = session.who();
    entry.face = session.face();
    entry.profile = activity.profile;
    entry.environment = session.profile().environment;
    entry.target = activity.target;
    entry.verb = verb;
    for (AuditedItem item : activity.doubtful) {
        const Trace before = Trace::fromText(item.before);
        Result<Found> found;
        if (verb == Verb::Park || verb == Verb::Unpark)
            found = foundParking(session, verb, {item.row});
        else if (!item.row.isEmpty())
            found = foundRow(verb, before, rows->value(item.row));
        else if (!item.task.isEmpty())
            found = foundTask(verb, before, tasks->value({item.queue, item.task}));
        else
            found = foundQueue(session, verb, {item.queue});
        if (!found)
            return passOn(found);
        item.after = found->text();
        entry.items += item;
        ++entry.counts[word(found->outcome)];
        const bool isLeft = found->outcome == Outcome::Done
            || isTombstone(rows->value(item.row).taskSeen.value_or(TaskSeen()).type);
        entry.undoable = entry.undoable || (isLeft && hasUndo(verb, activity, item));
    }
    if (auto noted = session.audit().append(entry); !noted)
        return passOn(noted);
    const auto entries = session.audit().read(activity.operation);
    if (!entries)
        return passOn(entries);
    const QList<Activity> told = activitiesOf(*entries);
    return told.isEmpty() ? activity : told.first();
}

} // namespace outbox
