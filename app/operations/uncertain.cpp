// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What became of messages whose chunk has no answer: told by how they stand now.
#include "app/operations/core/operation.h"
#include "app/operations/core/operationlog.h"
#include "app/operations/core/rowselection.h"
#include "app/operations/core/traces.h"
#include "app/settings/opening.h"
#include "models/message/tombstone.h"
#include "models/operations/verbdescriptor.h"

#include <QHash>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

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
    const auto seen = TRY(readRowsOf(session, ids, tasks));
    for (const RowWithTask &row : seen)
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
    const auto seen = TRY(readTasksOf(session, wanted));
    for (qsizetype i = 0; i < wanted.size(); ++i)
        tasks.insert({wanted.at(i).queue.text, wanted.at(i).task.text}, seen.at(i));
    return tasks;
}

Result<Judgement> foundQueue(OperatorSession &session, const Operation &operation,
                             const QueueName &queue)
{
    const auto inspector = TRY(session.tasks());
    const auto sizes = TRY(inspector->snapshot({queue}));
    return operation.foundQueue(sizes.value(0));
}

/// What can be undone once it is known to be done.
bool hasUndo(const VerbDescriptor &verb, const Activity &activity, const AuditedItem &item)
{
    if (verb.undoneBy && *verb.undoneBy != Verb::Import)
        return true;
    return !activity.exportFile.isEmpty() && (!verb.trims || wasTrimmed(item));
}

} // namespace

Result<Activity> checkDoubt(OperatorSession &session, const Activity &activity)
{
    TRY(checkRecord(activity, u"looking at what is in doubt"_s));
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
    const auto rows = TRY(rowsOf(session, activity.doubtful));
    const auto tasks = TRY(tasksOf(session, activity.doubtful));

    AuditEntry entry
        = entryAbout(AuditEntry::Kind::Check, session.profile(), session.face(), session.target());
    entry.operation = activity.operation;
    entry.verb = verb;
    const auto operation = operationFor(verb);
    for (AuditedItem item : activity.doubtful) {
        const Trace before = Trace::fromText(item.before);
        Result<Judgement> found;
        if (!item.row.isEmpty())
            found = operation->foundRow(session, before, rows.value(item.row));
        else if (!item.task.isEmpty())
            found = operation->foundNamedTask(session, item, tasks.value({item.queue, item.task}));
        else
            found = foundQueue(session, *operation, {item.queue});
        if (!found)
            return passOn(found);
        item.after = word(found->outcome);
        if (!found->after.isEmpty())
            item.after += u' ' + found->after;
        entry.items += item;
        ++entry.counts[word(found->outcome)];
        const bool isLeft = found->outcome == Outcome::Done
            || isTombstone(rows.value(item.row).taskSeen.value_or(TaskSeen()).type);
        entry.undoable = entry.undoable || (isLeft && hasUndo(descriptorOf(verb), activity, item));
    }
    TRY(session.audit().append(entry));
    const auto entries = TRY(session.audit().read(activity.operation));
    const QList<Activity> told = activitiesOf(entries);
    return told.isEmpty() ? activity : told.first();
}

} // namespace outbox
